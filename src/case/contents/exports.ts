import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { type Case, readCase, writeToCase } from '../file/case.ts';
import { changeRecordedRows } from '../file/chain.ts';
import { windowColumnTypes } from '../file/schema.ts';

/** An export as requested, with the observed behaviour of its deployment. It is fetched in windows. */
export interface StoredExport {
  /** Number of the export in the case, from 1. */
  readonly export: number;
  /** Address of the administrative interface. */
  readonly deployment: string;
  /** Parameters that all its windows have in common. */
  readonly request: Readonly<Record<string, string>>;
  /** Settings that a later run needs, such as where the query and the times are applied. */
  readonly settings: Readonly<Record<string, string>>;
  /** Requested interval, both included: milliseconds since the epoch. */
  readonly oldest: number;
  readonly newest: number;
  /** Behaviour of the deployment observed in its replies. */
  readonly learnt: Readonly<Record<string, string>>;
  /** Start of the export: milliseconds since the epoch. */
  readonly started: number;
}

/** Stores an export in place of the stored one of its number. */
export function saveExport(into: Case, stored: StoredExport): Promise<void> {
  return writeToCase(into, (connection) => writeExport(connection, stored));
}

/** Stores an export within a transaction and records the differences. */
export function writeExport(connection: DuckDBConnection, stored: StoredExport): Promise<void> {
  return changeRecordedRows(connection, { table: 'exports', keys: [stored.export] }, () =>
    replaceExport(connection, stored),
  );
}

async function replaceExport(connection: DuckDBConnection, stored: StoredExport): Promise<void> {
  await connection.run('DELETE FROM stored.exports WHERE export = $1', [stored.export]);
  await connection.run(
    `INSERT INTO stored.exports VALUES ($1, $2, $3, $4, epoch_ms($5::BIGINT), epoch_ms($6::BIGINT), $7,
       epoch_ms($8::BIGINT))`,
    [
      stored.export,
      stored.deployment,
      JSON.stringify(stored.request),
      JSON.stringify(stored.settings),
      stored.oldest,
      stored.newest,
      JSON.stringify(stored.learnt),
      stored.started,
    ],
  );
}

const texts = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.string()));

const row = v.object({
  export: v.number(),
  deployment: v.string(),
  request: texts,
  settings: texts,
  oldest: v.number(),
  newest: v.number(),
  learnt: texts,
  started: v.number(),
});

/** Reads the exports of a case, the newest first. */
export function findExports(from: Case): Promise<readonly StoredExport[]> {
  return readCase(from, async (connection) => {
    const result = await connection.runAndReadAll(
      `SELECT * REPLACE (epoch_ms(oldest)::DOUBLE AS oldest, epoch_ms(newest)::DOUBLE AS newest,
         epoch_ms(started)::DOUBLE AS started) FROM stored.exports ORDER BY export DESC`,
    );
    return result.getRowObjectsJS().map((values) => toExport(v.parse(row, values)));
  });
}

function toExport({ learnt, ...others }: v.InferOutput<typeof row>): StoredExport {
  return { ...others, learnt };
}

/**
 * State of a window of an export. `loaded`: its logs are in the case. `split`: other windows replaced it, and
 * the case has nothing of it. `failed`: given up; a later run retries it.
 */
export const windowStates = [
  'planned',
  'submitted',
  'ready',
  'fetched',
  'loaded',
  'split',
  'failed',
] as const;

export type WindowState = (typeof windowStates)[number];

/** An interval of an export, which one export job fetches. */
export interface StoredWindow {
  /** Number of the window in the case, from 1. */
  readonly window: number;
  /** Number of its export. */
  readonly export: number;
  /** Interval, both ends included: milliseconds since the epoch. */
  readonly oldest: number;
  readonly newest: number;
  /** Further restriction besides the interval, as JSON: one millisecond can hold more logs than a call returns. */
  readonly slice?: string | undefined;
  readonly state: WindowState;
  /** Number of failed attempts. */
  readonly attempts: number;
  /** Id and address of its job, once submitted. */
  readonly job?: string | undefined;
  readonly address?: string | undefined;
  /** Address of its zip. */
  readonly upload?: string | undefined;
  /** Size and digest of the received zip. */
  readonly bytes?: number | undefined;
  readonly sha256?: string | undefined;
  /** Records in the zip. */
  readonly records?: number | undefined;
  /** Records whose times are in the interval. */
  readonly found?: number | undefined;
  /** Records that are in the case because of this window. */
  readonly logs?: number | undefined;
  readonly unreadable?: number | undefined;
  /** Conditions that the logs must meet for the order of the deployment to be trusted, as JSON. */
  readonly expected?: string | undefined;
  /** Lower bound of the logs that could not be fetched. */
  readonly missing?: number | undefined;
  /** Reason for a failure or an incomplete window. */
  readonly reason?: string | undefined;
  /** Time of this change: milliseconds since the epoch. */
  readonly updated: number;
}

/** Changes of an export that are stored in one transaction. */
export interface ExportChanges {
  readonly export?: StoredExport;
  /** Each replaces the stored window of its number. */
  readonly windows?: readonly StoredWindow[];
  /** Numbers of windows to delete: other windows include them now. */
  readonly removed?: readonly number[];
}

/** Stores changes of an export and its windows. `decide` runs once all earlier changes are in the case. */
export function saveExportChanges(into: Case, decide: () => ExportChanges): Promise<void> {
  return writeToCase(into, (connection) => writeExportChanges(connection, decide()));
}

/** Stores changes of an export and its windows within a transaction. */
export async function writeExportChanges(
  connection: DuckDBConnection,
  { export: stored, windows = [], removed = [] }: ExportChanges,
): Promise<void> {
  if (stored) await writeExport(connection, stored);
  const gone = [...removed, ...windows.map(({ window }) => window)];
  if (gone.length === 0) return;
  await changeRecordedRows(connection, { table: 'windows', keys: gone }, async () => {
    await connection.run(`DELETE FROM stored.windows WHERE "window" IN (${gone.map(Number).join(', ')})`);
    for (const window of windows) await insertWindow(connection, window);
  });
}

const names = Object.keys(windowColumnTypes) as (keyof typeof windowColumnTypes)[];

const insert = `INSERT INTO stored.windows VALUES (${names
  .map((name, index) =>
    windowColumnTypes[name] === 'TIMESTAMP' ? `epoch_ms($${index + 1}::BIGINT)` : `$${index + 1}`,
  )
  .join(', ')})`;

async function insertWindow(connection: DuckDBConnection, window: StoredWindow): Promise<void> {
  await connection.run(
    insert,
    names.map((name) => stored(window, name)),
  );
}

/** A column as the case has it: addresses without a user and without secrets, as a case is passed on. */
function stored(window: StoredWindow, name: (typeof names)[number]): string | number | null {
  const value = window[name] ?? null;
  const isAddress = name === 'address' || name === 'upload';
  return isAddress && typeof value === 'string' ? withoutSecrets(value) : value;
}

const present = <T>(schema: v.GenericSchema<unknown, T>) =>
  v.pipe(
    v.nullable(schema),
    v.transform((value) => value ?? undefined),
  );
const text = present(v.string());
const number = present(v.number());

const windowRow = v.object({
  window: v.number(),
  export: v.number(),
  oldest: v.number(),
  newest: v.number(),
  slice: text,
  state: v.picklist(windowStates),
  attempts: v.number(),
  job: text,
  address: text,
  upload: text,
  bytes: number,
  sha256: text,
  records: number,
  found: number,
  logs: number,
  unreadable: number,
  expected: text,
  missing: number,
  reason: text,
  updated: v.number(),
});

const selected = names
  .map((name) => {
    if (windowColumnTypes[name] === 'TIMESTAMP') return `epoch_ms("${name}")::DOUBLE AS "${name}"`;
    return windowColumnTypes[name] === 'BIGINT' ? `"${name}"::DOUBLE AS "${name}"` : `"${name}"`;
  })
  .join(', ');

/** Reads the windows of a case, or of one of its exports, in the order of their numbers. */
export function findWindows(from: Case, ofExport?: number): Promise<readonly StoredWindow[]> {
  return readCase(from, async (connection) => {
    const result = await connection.runAndReadAll(
      `SELECT ${selected} FROM stored.windows WHERE $1::INTEGER IS NULL OR export = $1 ORDER BY "window"`,
      [ofExport ?? null],
    );
    return result.getRowObjectsJS().map((row) => v.parse(windowRow, row));
  });
}

/** An export job of a deployment, stored so that an interrupted export can resume. */
export interface StoredJob {
  readonly id: string;
  /** Address of its job resource, which identifies it. */
  readonly address: string;
  /** Path of the operation that created it. */
  readonly operation?: string;
  /** State as the deployment reports it: `EXECUTING`, `COMPLETED`, … */
  readonly state: string;
  /** Parameters of the request. */
  readonly request: Readonly<Record<string, string>>;
  /** Address of its zip. */
  readonly zipUrl?: string;
  /** Times of submission and of the last status: milliseconds since the epoch. */
  readonly submitted: number;
  readonly updated: number;
  /** Reason for the state, from the deployment or this program. */
  readonly reason?: string;
}

/**
 * Stores a job in place of the stored one of its address. Removes secrets from parameters and addresses: a case
 * is passed on.
 */
export async function saveJob(into: Case, job: StoredJob): Promise<void> {
  const address = withoutSecrets(job.address);
  const request = JSON.stringify(
    Object.fromEntries(Object.entries(job.request).filter(([name]) => !isSecret(name))),
  );
  const values = [
    address,
    job.id,
    job.operation ?? null,
    job.state,
    request,
    job.zipUrl === undefined ? null : withoutSecrets(job.zipUrl),
    job.submitted,
    job.updated,
    job.reason ?? null,
  ];
  await writeToCase(into, (connection) =>
    changeRecordedRows(connection, { table: 'jobs', keys: [address] }, async () => {
      await connection.run('DELETE FROM stored.jobs WHERE address = $1', [address]);
      await connection.run(
        `INSERT INTO stored.jobs VALUES ($1, $2, $3, $4, $5, $6, epoch_ms($7::BIGINT), epoch_ms($8::BIGINT), $9)`,
        values,
      );
    }),
  );
}

function isSecret(name: string): boolean {
  return /token|password|secret|authorization|credential/i.test(name);
}

/** Removes the user and secret parameters from an address. Anything that is not a URL is returned as it is. */
function withoutSecrets(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  const secrets = [...url.searchParams.keys()].filter(isSecret);
  if (url.username === '' && url.password === '' && secrets.length === 0) return address;
  url.username = '';
  url.password = '';
  for (const name of secrets) url.searchParams.delete(name);
  return url.href;
}

const jobRow = v.object({
  address: v.string(),
  id: v.string(),
  operation: v.nullable(v.string()),
  state: v.string(),
  request: v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.string())),
  zip_url: v.nullable(v.string()),
  submitted: v.number(),
  updated: v.number(),
  reason: v.nullable(v.string()),
});

/** Reads the jobs of a case, the latest submitted first. */
export function findJobs(from: Case): Promise<readonly StoredJob[]> {
  return readCase(from, async (connection) => {
    const result = await connection.runAndReadAll(
      `SELECT * REPLACE (epoch_ms(submitted)::DOUBLE AS submitted, epoch_ms(updated)::DOUBLE AS updated)
       FROM stored.jobs ORDER BY submitted DESC, address`,
    );
    return result.getRowObjectsJS().map((row) => toJob(v.parse(jobRow, row)));
  });
}

function toJob({
  address,
  id,
  operation,
  state,
  request,
  zip_url,
  submitted,
  updated,
  reason,
}: v.InferOutput<typeof jobRow>): StoredJob {
  return {
    id,
    address,
    state,
    request,
    submitted,
    updated,
    ...(operation !== null && { operation }),
    ...(zip_url !== null && { zipUrl: zip_url }),
    ...(reason !== null && { reason }),
  };
}
