import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { type Case, readCase, writeToCase } from '../file/case.ts';
import { changeRecordedRows } from '../file/chain.ts';

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
    return result.getRowObjectsJS().map((each) => toExport(v.parse(row, each)));
  });
}

function toExport({ learnt, ...others }: v.InferOutput<typeof row>): StoredExport {
  return { ...others, learnt };
}
