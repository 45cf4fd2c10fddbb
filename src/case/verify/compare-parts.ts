import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { openPartWriter, type PartWriter } from '../loading/part-writer.ts';
import type { TakeBatch } from '../loading/read-entry.ts';
import { textsBytes } from '../rows/text-heap.ts';
import {
  compareRows,
  mergeDifferences,
  noDifferences,
  type RowDifferences,
  type SpanPart,
} from './compare-rows.ts';

/** A part whose rows are compared. */
export interface ComparedPart {
  readonly part: number;
  readonly entry: string;
  /** Id of its first log, if ids are compared too. */
  readonly firstId: number | undefined;
}

/** Result of comparing a part with its records. */
export interface PartDifferences {
  readonly logs: RowDifferences;
  readonly unreadable: RowDifferences;
}

/**
 * Compares parts with their records, which are read again, one part after the other. The connection
 * is busy until disposal.
 */
export interface PartsComparison extends AsyncDisposable {
  /** Starts a part, to which subsequent records belong. */
  readonly beginPart: (part: ComparedPart) => void;
  readonly take: TakeBatch;
  /** Ends a part; `use` receives its result later. */
  readonly endPart: (use: (found: PartDifferences) => void) => Promise<void>;
  /** Ends a part without a result. */
  readonly abandonPart: () => void;
  /** Compares all remaining records. */
  readonly finish: () => Promise<void>;
}

/** Bytes of texts as stored: their rows are several times as long, and the database holds both sides. */
const longestSpan = 8 * 1024 * 1024;

/** Maximum parts of a span. A statement takes as long as comparing some hundred rows, so parts share it. */
const mostParts = 500;

/** A part of the current span. */
interface Open extends ComparedPart {
  /** Result of earlier spans. */
  found: PartDifferences;
  /** Last position compared in earlier spans. */
  after?: number;
  logs: number;
  use?: (found: PartDifferences) => void;
}

const nothing: PartDifferences = { logs: noDifferences, unreadable: noDifferences };

/**
 * Compares parts with their records one span at a time. Small parts share a span, and a large one
 * takes several, which bounds memory and the number of statements.
 */
export function openPartsComparison(connection: DuckDBConnection): PartsComparison {
  let span: Open[] = [];
  let current: Open | undefined;
  let writer: PartWriter | undefined;
  let length = 0;
  return {
    beginPart: begin,
    take,
    endPart: end,
    abandonPart: abandon,
    finish,
    [Symbol.asyncDispose]: endWriter,
  };

  function begin(part: ComparedPart): void {
    current = { ...part, found: nothing, logs: 0 };
    span.push(current);
    beginInWriter();
  }

  function beginInWriter(): void {
    if (!writer || !current) return;
    const { part, entry, firstId = 1, logs } = current;
    writer.beginPart({ part, entry, firstId: firstId + logs });
  }

  async function take(batch: Parameters<TakeBatch>[0], before: number): Promise<void> {
    if (!writer) {
      writer = await beginWriter();
      beginInWriter();
    }
    const { rows } = batch.logs;
    length += textsBytes(batch.logs.texts) + textsBytes(batch.unreadable.texts);
    await writer.add(batch, before);
    if (current) current.logs += rows;
    if (longestSpan <= length) await compare();
  }

  async function end(use: (found: PartDifferences) => void): Promise<void> {
    if (current) current.use = use;
    current = undefined;
    if (mostParts <= span.length) await compare();
  }

  function abandon(): void {
    span = span.filter((each) => each !== current);
    current = undefined;
  }

  async function finish(): Promise<void> {
    if (0 < span.length) await compare();
  }

  async function beginWriter(): Promise<PartWriter> {
    await makeRereadTables(connection);
    return openPartWriter(connection, { schema: 'temp' });
  }

  /**
   * Compares the rows of the parts of a span with the records read since it began; for an
   * unfinished part, up to its current position.
   */
  async function compare(): Promise<void> {
    writer ??= await beginWriter();
    await writer.finish();
    await endWriter();
    const upTo = current && (await lastPosition(connection, current.part));
    // Nothing of a new part may have been read yet.
    const begun = span.filter((each) => each !== current || upTo !== undefined);
    const parts = begun.map((each): SpanPart => {
      const bounds = { after: each.after, upTo: each === current ? upTo : undefined };
      return { part: each.part, withIds: each.firstId !== undefined, ...bounds };
    });
    const logs = await compareRows(connection, 'logs', parts);
    const unreadable = await compareRows(connection, 'unreadable', parts);
    for (const each of begun) {
      each.found = {
        logs: mergeDifferences(each.found.logs, logs.get(each.part) ?? noDifferences),
        unreadable: mergeDifferences(each.found.unreadable, unreadable.get(each.part) ?? noDifferences),
      };
      each.use?.(each.found);
    }
    if (current && upTo !== undefined) current.after = upTo;
    span = current ? [current] : [];
    length = 0;
  }

  async function endWriter(): Promise<void> {
    await writer?.[Symbol.asyncDispose]();
    writer = undefined;
  }
}

/** Creates empty tables for the records read again. They end with the connection. */
async function makeRereadTables(connection: DuckDBConnection): Promise<void> {
  for (const table of ['logs', 'unreadable'])
    await connection.run(`CREATE OR REPLACE TEMP TABLE ${table} AS FROM stored.${table} LIMIT 0`);
}

/** Returns the position of the last record read again of a part. */
async function lastPosition(connection: DuckDBConnection, part: number): Promise<number | undefined> {
  const result = await connection.runAndReadAll(
    `SELECT max(position) FROM (
       SELECT part, position FROM temp.logs UNION ALL SELECT part, position FROM temp.unreadable)
     WHERE part = $1`,
    [part],
  );
  return v.parse(v.nullable(v.number()), result.getRowsJS()[0]?.[0] ?? null) ?? undefined;
}
