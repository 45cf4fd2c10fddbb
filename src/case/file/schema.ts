import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { messageOf, readTextRows, StoreError, timestampText } from '../../database/index.ts';
import { textFields } from '../../records/index.ts';
import { dropIdIndex, segmentsTable } from '../../word-index/index.ts';
import { chainActions, type NewAction, recordAction, recordActions } from '../chain/actions.ts';
import { recordExistingRows } from '../chain/recorded-rows.ts';
import { idDigests, rowDigests } from '../chain/row-digests.ts';
import { partAction, readParts, type StoredPart, unreadableDigests } from './parts.ts';
import { runTransaction } from './transaction.ts';
import { unfinishedTable } from './unfinished.ts';
import { windowColumns } from './window-columns.ts';

/** Version of the tables below. Older cases are migrated to it, newer ones refused. */
export const caseVersion = 9;

/** Oldest version that is read without migration: it differs in its index and in columns of words alone. */
export const oldestReadable = 5;

/** Oldest version with the present tables. */
export const oldestSame = 8;

/** Oldest version whose index has the present form. */
export const oldestIndexed = 7;

/** Names of the tables of the index of versions 3 to 6. */
export const oldIndexTables = /^(token_runs|(postings|sets|terms)_\d+)$/;

/** The format in the one row of `stored.about`. */
export const caseFormat = 'logquarry case';

/**
 * The tables of a case are in the schema `stored` and may change. The views in `main` are for users and stay
 * stable.
 */
const tables = [
  'CREATE SCHEMA IF NOT EXISTS stored',
  'CREATE TABLE IF NOT EXISTS stored.about (format VARCHAR, version INTEGER, created TIMESTAMP)',
  `CREATE TABLE IF NOT EXISTS stored.logs (
     id BIGINT, part INTEGER, entry VARCHAR, position INTEGER, byte_offset BIGINT, byte_length INTEGER,
     "time" TIMESTAMP, "logCode" BIGINT, elapsed DOUBLE, extra VARCHAR,
     ${textFields.map((field) => `"${field}" VARCHAR`).join(', ')})`,
  `CREATE TABLE IF NOT EXISTS stored.files (
     sha256 VARCHAR, file VARCHAR, bytes BIGINT, job VARCHAR, added TIMESTAMP)`,
  `CREATE TABLE IF NOT EXISTS stored.parts (
     part INTEGER, file VARCHAR, file_sha256 VARCHAR, entry VARCHAR, entry_number INTEGER,
     entry_sha256 VARCHAR, bytes BIGINT, format VARCHAR, logs BIGINT, unreadable BIGINT, remarks VARCHAR,
     problem VARCHAR, problem_message VARCHAR, job VARCHAR, added TIMESTAMP, zone VARCHAR)`,
  `CREATE TABLE IF NOT EXISTS stored.unreadable (
     part INTEGER, entry VARCHAR, position INTEGER, byte_offset BIGINT, byte_length BIGINT,
     code VARCHAR, reason VARCHAR, raw VARCHAR)`,
  `CREATE TABLE IF NOT EXISTS stored.jobs (
     address VARCHAR, id VARCHAR, operation VARCHAR, state VARCHAR, request VARCHAR, zip_url VARCHAR,
     submitted TIMESTAMP, updated TIMESTAMP, reason VARCHAR)`,
  `CREATE TABLE IF NOT EXISTS stored.exports (
     export INTEGER, deployment VARCHAR, request VARCHAR, settings VARCHAR, oldest TIMESTAMP,
     newest TIMESTAMP, learnt VARCHAR, started TIMESTAMP)`,
  `CREATE TABLE IF NOT EXISTS stored.windows (${windowColumns})`,
  `CREATE TABLE IF NOT EXISTS stored.actions (
     number BIGINT, done TIMESTAMP, action VARCHAR, details VARCHAR, version VARCHAR, previous VARCHAR,
     hash VARCHAR)`,
  segmentsTable,
  unfinishedTable,
];

const views = [
  `CREATE OR REPLACE VIEW logs AS SELECT id, "time", "logCode", elapsed,
     ${textFields.map((field) => `"${field}"`).join(', ')},
     extra::JSON AS extra, part, entry, position FROM stored.logs`,
  `CREATE OR REPLACE VIEW parts AS SELECT part, file, file_sha256, entry, entry_sha256, bytes, format, logs, unreadable,
     remarks::JSON AS remarks, problem, problem_message, job, added, zone FROM stored.parts`,
  'CREATE OR REPLACE VIEW unreadable AS SELECT part, entry, position, code, reason, raw FROM stored.unreadable',
  `CREATE OR REPLACE VIEW jobs AS SELECT id, address, operation, state, request::JSON AS request, zip_url, submitted,
     updated, reason FROM stored.jobs`,
  `CREATE OR REPLACE VIEW exports AS SELECT export, deployment, request::JSON AS request, settings::JSON AS settings, oldest,
     newest, started FROM stored.exports`,
  `CREATE OR REPLACE VIEW windows AS SELECT "window", export, oldest, newest, slice::JSON AS slice, state, attempts, job, bytes,
     sha256, records, logs, unreadable, missing, reason, updated FROM stored.windows`,
  `CREATE OR REPLACE VIEW coverage AS SELECT export, oldest, newest,
     CASE WHEN state <> 'loaded' THEN 'open' WHEN missing > 0 THEN 'capped' ELSE 'complete' END AS state,
     logs, missing FROM stored.windows WHERE state <> 'split'`,
  `CREATE OR REPLACE VIEW requests AS SELECT "requestID", count(*) AS logs, min("time") AS first, max("time") AS last,
     max(elapsed) AS elapsed, min(username) AS username, count(DISTINCT machine) AS machines
     FROM stored.logs WHERE "requestID" IS NOT NULL GROUP BY "requestID"`,
  `CREATE OR REPLACE VIEW actions AS SELECT number, done, action, details::JSON AS details, version, previous, hash
     FROM stored.actions`,
];

/** Creates a case in an empty database. */
export async function createSchema(connection: DuckDBConnection): Promise<void> {
  await runTransaction(connection, async () => {
    await makeTables(connection);
    const created = Date.now();
    await connection.run('INSERT INTO stored.about VALUES ($1, $2, epoch_ms($3::BIGINT))', [
      ...[caseFormat, caseVersion, created],
    ]);
    await recordAction(connection, 'create case', { version: caseVersion, created: timestampText(created) });
  });
}

/** Creates the missing tables, and the views. One call with all statements takes a third less time than one call for each. */
export async function makeTables(connection: DuckDBConnection): Promise<void> {
  await connection.run([...tables, ...views].join(';\n'));
}

/** Statements that migrate the tables of each version to the next, from version 1 on. */
const steps: readonly (readonly string[])[] = [
  [
    'ALTER TABLE stored.parts ADD COLUMN IF NOT EXISTS zone VARCHAR',
    'ALTER TABLE stored.actions ADD COLUMN IF NOT EXISTS version VARCHAR',
    'ALTER TABLE stored.actions ADD COLUMN IF NOT EXISTS previous VARCHAR',
    'ALTER TABLE stored.actions ADD COLUMN IF NOT EXISTS hash VARCHAR',
  ],
  // Version 3 adds the token index, whose tables are created with it.
  [],
  // Version 4 replaces the tables of the index: `dropOldIndex` removes the old ones.
  [],
  // Version 5 adds the table of unfinished parts, created with the others.
  [],
  // Version 6 records all changes as actions: `recordExistingContents` records the contents.
  [],
  // Version 7 replaces the tables of the index by segments: `dropOldIndex` removes the old ones.
  [],
  // Version 8 has no columns with the words of texts.
  textFields.map((field) => `ALTER TABLE stored.logs DROP COLUMN IF EXISTS "${field}_tokens"`),
  // Version 9 has an index of ids beside the segments.
  [],
];

/** Migrates a case of an older version in one transaction, and records its contents. */
export async function migrateCase(connection: DuckDBConnection, from: number): Promise<void> {
  await runTransaction(connection, async () => {
    // The database alters no table that has an index.
    await dropIdIndex(connection);
    for (const statement of steps.slice(from - 1).flat()) await connection.run(statement);
    await makeTables(connection);
    await dropOldIndex(connection);
    await connection.run('UPDATE stored.about SET version = $1', [caseVersion]);
    if (from < 2) await chainActions(connection);
    const [about] = await readTextRows(connection, 'about');
    await recordAction(connection, 'migrate case', { from, to: caseVersion, created: about?.created });
    if (from < 6) await recordExistingContents(connection);
  });
}

/** Drops the index of versions 3 to 6; building it again is quick. */
async function dropOldIndex(connection: DuckDBConnection): Promise<void> {
  const found = await connection.runAndReadAll(
    `SELECT table_name FROM duckdb_tables() WHERE schema_name = 'stored' AND database_name = current_database()`,
  );
  for (const [name] of found.getRowsJS())
    if (oldIndexTables.test(String(name))) await connection.run(`DROP TABLE stored.${name}`);
}

/** Reports if nothing was added to a case since its creation, not even an export. */
export async function isUnfilled(connection: DuckDBConnection): Promise<boolean> {
  const result = await connection
    .runAndReadAll('SELECT (SELECT count(*) FROM stored.actions) = 1 AND NOT EXISTS (FROM stored.exports)')
    .catch(() => undefined);
  return result?.getRowsJS()[0]?.[0] === true;
}

/**
 * Returns the version of a case, at most the present one. Rejects if the database is no case, or one of a newer
 * version.
 */
export async function checkVersion(connection: DuckDBConnection, path: string): Promise<number> {
  const version = await readVersion(connection);
  if (version === undefined) throw notACaseError(path);
  if (0 < version && version <= caseVersion) return version;
  throw new StoreError(
    'CASE_VERSION',
    `"${path}" is a case of version ${version}; this program reads versions up to ${caseVersion}. ` +
      'Use a newer logquarry, or import its evidence folder into a new case',
  );
}

/** Returns the error for a database that is not a case. */
export function notACaseError(path: string): StoreError {
  return new StoreError('NOT_A_CASE', `"${path}" is a DuckDB file, but not a Logquarry case`);
}

async function readVersion(connection: DuckDBConnection): Promise<number | undefined> {
  try {
    const about = await connection.runAndReadAll(
      `SELECT version FROM stored.about WHERE format = '${caseFormat}'`,
    );
    const version = about.getRowsJS()[0]?.[0];
    return typeof version === 'number' ? version : undefined;
  } catch (error) {
    // Anything but a case lacks the table. Checking for it first would add a tenth to the time of opening.
    if (messageOf(error).startsWith('Catalog Error')) return undefined;
    throw error;
  }
}

/**
 * Records the contents of a case of a version before 6, whose actions are incomplete. From then on,
 * verification compares with these actions; earlier ones still count.
 */
async function recordExistingContents(connection: DuckDBConnection): Promise<void> {
  const parts = await readParts(connection);
  await recordActions(connection, await partActions(connection, parts));
  await recordActions(connection, await fileActions(connection));
  await recordExistingRows(connection);
}

async function partActions(
  connection: DuckDBConnection,
  parts: readonly StoredPart[],
): Promise<readonly NewAction[]> {
  const spans = await idSpans(connection);
  const isDense = (part: number) => spans.get(part)?.isDense === true;
  const sparse = parts.map(({ part }) => part).filter((part) => !isDense(part));
  const unreadable = await unreadableDigests(connection, parts);
  const ids = await idDigests(connection, sparse);
  const made = parts.filter(({ fileSha256 }) => fileSha256 === undefined).map(({ part }) => part);
  const logs = await rowDigests(connection, { table: 'logs', parts: made });
  return parts.map((part) => {
    const firstId = isDense(part.part) ? spans.get(part.part)?.firstId : undefined;
    const action = partAction('find part', part, { firstId, unreadableSha256: unreadable.get(part.part) });
    const digests = { idsSha256: ids.get(part.part), logsSha256: logs.get(part.part) };
    return { ...action, details: { ...action.details, ...digests } };
  });
}

const spans = v.array(v.tuple([v.number(), v.number(), v.boolean()]));

/** Returns the first log id of each part, and whether its ids have no gaps, by part number. */
async function idSpans(
  connection: DuckDBConnection,
): Promise<ReadonlyMap<number, { readonly firstId: number; readonly isDense: boolean }>> {
  const result = await connection.runAndReadAll(
    `SELECT part, min(id)::DOUBLE, max(id) - min(id) + 1 = count(*) FROM stored.logs
     WHERE part IS NOT NULL AND id IS NOT NULL GROUP BY part`,
  );
  const found = v.parse(spans, result.getRowsJS());
  return new Map(found.map(([part, firstId, isDense]) => [part, { firstId, isDense }]));
}

const files = v.array(v.tuple([v.string(), v.string(), v.bigint(), v.nullable(v.string()), v.bigint()]));

async function fileActions(connection: DuckDBConnection): Promise<readonly NewAction[]> {
  const result = await connection.runAndReadAll(
    'SELECT sha256, file, bytes, job, epoch_ms(added) FROM stored.files ORDER BY added, sha256',
  );
  return v.parse(files, result.getRowsJS()).map(([sha256, file, bytes, job, added]) => {
    const facts = { sha256, file, bytes: Number(bytes), job: job ?? undefined, added: Number(added) };
    return { action: 'find file', details: facts };
  });
}
