import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { isNonLogFormat, parseZone, textFields } from '../../records/index.ts';
import type { StoredPart } from '../file/parts.ts';
import { openPartWriter, type PartWriter } from '../loading/part-writer.ts';
import { type ReadContext, readFileEntry, type TakeBatch } from '../loading/read-entry.ts';
import { threadsForEntry } from '../loading/read-regions.ts';
import { type FileEntry, isArchiveFormat } from '../originals/entries.ts';
import { EntryProblem } from '../originals/entry-problem.ts';
import { textsBytes } from '../rows/batches.ts';
import type { ReportDeviation } from './recorded-parts.ts';

/** A part whose entry is read again. */
interface PartToCheck {
  readonly part: StoredPart;
  readonly entry: FileEntry;
  /** Number of logs of the entry that do not belong in the case. */
  readonly leftOut: number;
  /** Id of its first log, if recorded. */
  readonly firstId: number | undefined;
  readonly report: ReportDeviation;
  readonly onBytes: (bytes: number) => void;
}

/**
 * Reads the entry of a part again. Checks that its bytes have the recorded hash, and that every row of the part
 * matches its record. Rows are compared later, at the latest when the comparison is
 * finished.
 */
export async function checkRows(comparison: PartsComparison, checked: PartToCheck): Promise<void> {
  const { part } = checked;
  if (part.problem || !isRead(part)) {
    await readAgain(checked, async () => undefined);
    return;
  }
  // Ids are consecutive only if all logs of the entry are in the case.
  const firstId = checked.leftOut === 0 ? checked.firstId : undefined;
  comparison.beginPart({ part: part.part, entry: part.entry, firstId });
  if (await readAgain(checked, comparison.take))
    await comparison.endPart((found) => reportRows(checked, found));
  else comparison.abandonPart();
}

/** Reads the entry of a part again; returns whether it could be read. */
async function readAgain(checked: PartToCheck, take: TakeBatch): Promise<boolean> {
  const { part, entry, report } = checked;
  try {
    const { entrySha256: found } = await readFileEntry(rereading(checked, true), entry, take);
    if (part.entrySha256 !== undefined && part.entrySha256 !== found)
      report(altered(part, `its SHA-256 is ${found}, not ${part.entrySha256}`));
    return true;
  } catch (error) {
    if (!(error instanceof EntryProblem)) throw error;
    // An entry that was refused when it was added is refused again.
    if (part.problem?.code !== error.problem.code) report(altered(part, error.problem.message));
    return false;
  }
}

function altered({ part, entry }: StoredPart, problem: string) {
  return {
    code: 'ENTRY_ALTERED',
    part,
    message: `The entry "${entry}" of part ${part} was altered: ${problem}`,
  } as const;
}

/**
 * Reports if an entry was read for its logs when it was added. Non-log files may be detected
 * differently today.
 */
export function isRead({ format, problem }: StoredPart): boolean {
  return problem !== undefined || (!isArchiveFormat(format) && !isNonLogFormat(format));
}

/** Context to read the entry as when it was added, except for the filter by what the case had. */
export function rereading(
  { part, onBytes }: Pick<PartToCheck, 'part' | 'onBytes'>,
  skipFastPath: ReadContext['skipFastPath'] & {},
): ReadContext {
  const { zone: name, format, bytes } = part;
  const zone = name === undefined ? undefined : parseZone(name);
  return {
    ...(name !== undefined && zone && { zone: { name, zone } }),
    ...(format === 'upgrade' && { isWanted: () => true }),
    onBytes,
    onRecords: () => undefined,
    skipFastPath,
    asLogs: isRead(part),
    threadsFor: ({ bytes: text }) => threadsForEntry({ text, file: bytes }),
  };
}

function reportRows({ part, leftOut, report }: PartToCheck, { logs, unreadable }: PartDifferences): void {
  const name = `part ${part.part} ("${part.entry}")`;
  for (const { altered, positions } of [logs, unreadable])
    if (0 < altered)
      report({
        code: 'ROWS_ALTERED',
        part: part.part,
        positions,
        message: `${altered} rows of ${name} differ from their records: ${listed(positions, altered)}`,
      });
  if (logs.records !== part.logs + leftOut || unreadable.records !== part.unreadable)
    report({
      code: 'ROWS_MISCOUNTED',
      part: part.part,
      message: `The original of ${name} holds ${logs.records} logs and ${unreadable.records} unreadable records; the case has ${part.logs + leftOut} and ${part.unreadable}`,
    });
}

function listed(positions: readonly number[], count: number): string {
  return `record ${positions.join(', ')}${positions.length < count ? ', …' : ''}`;
}

/** A part whose rows are compared. */
export interface ComparedPart {
  readonly part: number;
  readonly entry: string;
  /** Id of its first log, if ids are compared too. */
  readonly firstId: number | undefined;
}

/** Result of comparing a part with its records. */
interface PartDifferences {
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

const noDifferences: RowDifferences = {
  records: 0,
  altered: 0,
  positions: [],
};

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
    span = span.filter((openPart) => openPart !== current);
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
    const begun = span.filter((openPart) => openPart !== current || upTo !== undefined);
    const parts = begun.map((openPart): SpanPart => {
      const bounds = { after: openPart.after, upTo: openPart === current ? upTo : undefined };
      return { part: openPart.part, withIds: openPart.firstId !== undefined, ...bounds };
    });
    const logs = await compareRows(connection, 'logs', parts);
    const unreadable = await compareRows(connection, 'unreadable', parts);
    for (const openPart of begun) {
      openPart.found = {
        logs: mergeDifferences(openPart.found.logs, logs.get(openPart.part) ?? noDifferences),
        unreadable: mergeDifferences(
          openPart.found.unreadable,
          unreadable.get(openPart.part) ?? noDifferences,
        ),
      };
      openPart.use?.(openPart.found);
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

const contents = {
  logs: ['entry', 'byte_offset', 'byte_length', 'time', 'logCode', 'elapsed', 'extra', ...textFields],
  unreadable: ['entry', 'byte_offset', 'byte_length', 'raw'],
} as const;

/** Differences between the rows of a part and its records. */
interface RowDifferences {
  /** Number of records read again. */
  readonly records: number;
  readonly altered: number;
  /** Positions of the first altered rows. */
  readonly positions: readonly number[];
}

/** A part whose rows are compared: those at positions above `after`, up to and including `upTo`. */
interface SpanPart {
  readonly part: number;
  readonly after?: number | undefined;
  readonly upTo?: number | undefined;
  /** Compares the ids of its logs too. */
  readonly withIds: boolean;
}

/** Maximum number of reported positions. */
const named = 10;

const positions = v.array(v.number());
const compared = v.array(v.tuple([v.number(), v.number(), v.number(), positions]));

/**
 * Compares the rows of parts in a table with the records read again into the `temp` table of the
 * same name. Returns the differences by part; parts without rows are omitted.
 */
async function compareRows(
  connection: DuckDBConnection,
  table: 'logs' | 'unreadable',
  parts: readonly SpanPart[],
): Promise<ReadonlyMap<number, RowDifferences>> {
  if (parts.length === 0) return new Map();
  const withIds = parts.filter((part) => part.withIds).map(({ part }) => part);
  const otherId = `(${isIn('s.part', withIds)} AND s.id IS DISTINCT FROM r.id)`;
  const altered = `${differ(contents[table])}${table === 'logs' ? ` OR ${otherId}` : ''}`;
  const result = await connection.runAndReadAll(
    `WITH kept AS (FROM stored.${table} WHERE ${within(parts)}),
     compared AS (
       SELECT s.part, s.position, r.position IS NULL OR ${altered} AS altered
       FROM kept s LEFT JOIN temp.${table} r USING (part, position)),
     found AS (
       SELECT part, count(*) FILTER (altered) AS altered,
         coalesce(min(position, ${named}) FILTER (altered), []) AS positions
       FROM compared GROUP BY part),
     read_again AS (SELECT part, count(*) AS records FROM temp.${table} GROUP BY part)
     SELECT part, coalesce(records, 0)::DOUBLE, coalesce(altered, 0)::DOUBLE, coalesce(positions, [])
     FROM found FULL JOIN read_again USING (part)`,
  );
  return new Map(
    v
      .parse(compared, result.getRowsJS())
      .map(([part, records, altered, positions]) => [part, { records, altered, positions }]),
  );
}

/**
 * SQL condition on the rows of parts. Every possible position is in one of the consecutive spans of
 * a part.
 */
function within(parts: readonly SpanPart[]): string {
  const isWhole = ({ after, upTo }: SpanPart) => after === undefined && upTo === undefined;
  const whole = parts.filter(isWhole).map(({ part }) => part);
  const others = parts.filter((part) => !isWhole(part)).map(isInPart);
  return [isIn('part', whole), ...others].join(' OR ');
}

function isIn(column: string, parts: readonly number[]): string {
  return parts.length === 0 ? 'false' : `${column} IN (${parts.map(Number).join(', ')})`;
}

function isInPart({ part, after, upTo }: SpanPart): string {
  const ends = [
    ...(after === undefined ? [] : [`position > ${after}`]),
    ...(upTo === undefined ? [] : [`position <= ${upTo}`]),
  ];
  const isBetween = ends.join(' AND ') || 'true';
  const isWithin = after === undefined ? `(${isBetween} OR position IS NULL)` : isBetween;
  return `(part = ${part} AND ${isWithin})`;
}

function differ(columns: readonly string[]): string {
  return columns.map((column) => `s."${column}" IS DISTINCT FROM r."${column}"`).join(' OR ');
}

/** Merges the results of two spans, in order. */
function mergeDifferences(first: RowDifferences, next: RowDifferences): RowDifferences {
  return {
    records: first.records + next.records,
    altered: first.altered + next.altered,
    positions: [...first.positions, ...next.positions].slice(0, named),
  };
}
