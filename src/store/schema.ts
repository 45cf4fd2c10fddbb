import type { DuckDBConnection } from '@duckdb/node-api';
import { textFields } from '../records/log.ts';
import { StoreError } from './store-error.ts';
import { windowColumns } from './window-columns.ts';

/** The version of the tables below. A case of another version is refused. */
export const caseVersion = 1;

const format = 'logquarry case';

/**
 * The tables of a case are in the schema `stored`. What people may build on
 * are the views in `main`, which stay as they are when the tables change.
 */
const tables = [
  'CREATE SCHEMA stored',
  'CREATE TABLE stored.about (format VARCHAR, version INTEGER, created TIMESTAMP)',
  `CREATE TABLE stored.logs (
     id BIGINT, part INTEGER, entry VARCHAR, position INTEGER, byte_offset BIGINT, byte_length INTEGER,
     "time" TIMESTAMP, "logCode" BIGINT, elapsed DOUBLE, extra VARCHAR,
     ${textFields.map((field) => `"${field}" VARCHAR, "${field}_tokens" VARCHAR`).join(', ')})`,
  `CREATE TABLE stored.files (
     sha256 VARCHAR, file VARCHAR, bytes BIGINT, job VARCHAR, added TIMESTAMP)`,
  `CREATE TABLE stored.parts (
     part INTEGER, file VARCHAR, file_sha256 VARCHAR, entry VARCHAR, entry_number INTEGER,
     entry_sha256 VARCHAR, bytes BIGINT, format VARCHAR, logs BIGINT, unreadable BIGINT, remarks VARCHAR,
     problem VARCHAR, problem_message VARCHAR, job VARCHAR, added TIMESTAMP)`,
  `CREATE TABLE stored.unreadable (
     part INTEGER, entry VARCHAR, position INTEGER, byte_offset BIGINT, byte_length BIGINT,
     code VARCHAR, reason VARCHAR, raw VARCHAR)`,
  `CREATE TABLE stored.jobs (
     address VARCHAR, id VARCHAR, operation VARCHAR, state VARCHAR, request VARCHAR, zip_url VARCHAR,
     submitted TIMESTAMP, updated TIMESTAMP, reason VARCHAR)`,
  `CREATE TABLE stored.exports (
     export INTEGER, deployment VARCHAR, request VARCHAR, settings VARCHAR, oldest TIMESTAMP,
     newest TIMESTAMP, learnt VARCHAR, started TIMESTAMP)`,
  `CREATE TABLE stored.windows (${windowColumns})`,
  'CREATE TABLE stored.actions (number BIGINT, done TIMESTAMP, action VARCHAR, details VARCHAR)',
];

const views = [
  `CREATE VIEW logs AS SELECT id, "time", "logCode", elapsed,
     ${textFields.map((field) => `"${field}"`).join(', ')},
     extra::JSON AS extra, part, entry, position FROM stored.logs`,
  `CREATE VIEW parts AS SELECT part, file, file_sha256, entry, entry_sha256, bytes, format, logs, unreadable,
     remarks::JSON AS remarks, problem, problem_message, job, added FROM stored.parts`,
  'CREATE VIEW unreadable AS SELECT part, entry, position, code, reason, raw FROM stored.unreadable',
  `CREATE VIEW jobs AS SELECT id, address, operation, state, request::JSON AS request, zip_url, submitted,
     updated, reason FROM stored.jobs`,
  `CREATE VIEW exports AS SELECT export, deployment, request::JSON AS request, settings::JSON AS settings, oldest,
     newest, started FROM stored.exports`,
  `CREATE VIEW windows AS SELECT "window", export, oldest, newest, slice::JSON AS slice, state, attempts, job, bytes,
     sha256, records, logs, unreadable, missing, reason, updated FROM stored.windows`,
  `CREATE VIEW coverage AS SELECT export, oldest, newest,
     CASE WHEN state <> 'loaded' THEN 'open' WHEN missing > 0 THEN 'capped' ELSE 'complete' END AS state,
     logs, missing FROM stored.windows WHERE state <> 'split'`,
  'CREATE VIEW actions AS SELECT number, done, action, details::JSON AS details FROM stored.actions',
];

/** Makes an empty database a case. */
export async function createSchema(connection: DuckDBConnection): Promise<void> {
  await connection.run('BEGIN');
  for (const statement of [...tables, ...views]) await connection.run(statement);
  await connection.run('INSERT INTO stored.about VALUES ($1, $2, epoch_ms($3::BIGINT))', [
    format,
    caseVersion,
    Date.now(),
  ]);
  await connection.run('COMMIT');
}

/** Whether a database holds nothing at all. */
export async function isBlank(connection: DuckDBConnection): Promise<boolean> {
  const result = await connection.runAndReadAll(
    'SELECT count(*) = 0 FROM information_schema.tables WHERE table_catalog = current_database()',
  );
  return result.getRowsJS()[0]?.[0] === true;
}

/** Rejects unless the database is a case of this version. */
export async function checkSchema(connection: DuckDBConnection, path: string): Promise<void> {
  const version = await readVersion(connection);
  if (version === undefined)
    throw new StoreError('NOT_A_CASE', `"${path}" is a DuckDB file, but no case of logquarry`);
  if (version === caseVersion) return;
  throw new StoreError(
    'CASE_VERSION',
    `"${path}" is a case of version ${version}; this program reads version ${caseVersion}. ` +
      'Its evidence folder can be imported into a new case',
  );
}

async function readVersion(connection: DuckDBConnection): Promise<number | undefined> {
  const known = await connection.runAndReadAll(
    "SELECT count(*) > 0 FROM information_schema.tables WHERE table_schema = 'stored' AND table_name = 'about'",
  );
  if (known.getRowsJS()[0]?.[0] !== true) return undefined;
  const about = await connection.runAndReadAll('SELECT version FROM stored.about WHERE format = $1', [
    format,
  ]);
  const version = about.getRowsJS()[0]?.[0];
  return typeof version === 'number' ? version : undefined;
}
