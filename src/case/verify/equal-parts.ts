import type { DuckDBConnection } from '@duckdb/node-api';
import type { TakeBatch } from '../loading/read-entry.ts';
import type { TaggedBatch } from '../rows/join-batches.ts';
import { logBatchColumns, recordBytes } from '../rows/log-batch.ts';
import { renumberRecords, unreadableColumns } from '../rows/record-batch.ts';
import { textsBytes } from '../rows/text-heap.ts';
import type { ComparedPart } from './compare-parts.ts';
import { type EqualityTest, openEqualityTest } from './equal-rows.ts';

/**
 * Tests parts for equality with their records, which are read again, one part after the other. It is several times
 * as fast as `PartsComparison`, and does not find how a part differs. Only rows that stand for no record go
 * unnoticed, so the number of rows must be checked too.
 */
export interface PartsEquality extends AsyncDisposable {
  /** Starts a part, to which subsequent records belong. */
  readonly beginPart: (part: ComparedPart) => void;
  readonly take: TakeBatch;
  readonly endPart: () => Promise<void>;
  /** Ends a part without a result. */
  readonly abandonPart: () => void;
  /** Tests all remaining records. */
  readonly finish: () => Promise<void>;
}

/** Opens a test of parts. `onDifference` receives parts that may differ, also after their end. */
export async function openPartsEquality(
  connection: DuckDBConnection,
  onDifference: (part: number) => void,
): Promise<PartsEquality> {
  const logs = openTableEquality(
    openEqualityTest(connection, { table: 'stored.logs', constants: [], ...logBatchColumns }),
    onDifference,
  );
  const unreadable = openTableEquality(
    openEqualityTest(connection, { table: 'stored.unreadable', constants: [], ...unreadableColumns }, [
      ...['code', 'reason'],
    ]),
    onDifference,
  );
  let current: ComparedPart | undefined;
  let nextId = Number.NaN;
  return { beginPart, take, endPart, abandonPart, finish, [Symbol.asyncDispose]: dispose };

  function beginPart(part: ComparedPart): void {
    current = part;
    // Other ids are not compared.
    nextId = part.firstId ?? Number.NaN;
  }

  async function take(batch: Parameters<TakeBatch>[0], before: number): Promise<void> {
    if (!current) throw new Error('Records of no part are compared');
    const { part: number, entry: text } = current;
    renumberRecords(batch, { firstId: nextId, before });
    nextId += batch.logs.rows;
    await logs.add({ batch: batch.logs, number, text }, recordBytes(batch.logs));
    await unreadable.add({ batch: batch.unreadable, number, text }, textsBytes(batch.unreadable.texts));
  }

  async function endPart(): Promise<void> {
    current = undefined;
    await logs.endPart();
    await unreadable.endPart();
  }

  function abandonPart(): void {
    current = undefined;
    logs.abandonPart();
    unreadable.abandonPart();
  }

  async function finish(): Promise<void> {
    await logs.finish();
    await unreadable.finish();
  }

  async function dispose(): Promise<void> {
    await logs[Symbol.asyncDispose]();
    await unreadable[Symbol.asyncDispose]();
  }
}

/** Tests the rows of parts in one table. */
interface TableEquality extends AsyncDisposable {
  /** Adds rows of a part, whose records have this many bytes; resolves when it can take more. */
  readonly add: (tagged: TaggedBatch, bytes: number) => Promise<void>;
  readonly endPart: () => Promise<void>;
  readonly abandonPart: () => void;
  readonly finish: () => Promise<void>;
}

/** Bytes of records in one test. A statement takes as long as some thousand rows; the database holds both sides. */
const mostBytes = 8 * 1024 * 1024;

/** Rows in one test: short ones take some hundred bytes each. */
const mostRows = 64 * 1024;

/** Parts in one test, which are listed in its statement. */
const mostParts = 1_000;

/** Small parts share a test, and a large one takes several. */
function openTableEquality(test: EqualityTest, onDifference: (part: number) => void): TableEquality {
  let ended: TaggedBatch[] = [];
  let current: TaggedBatch[] = [];
  /** Rows of the current part were tested before. */
  let isDivided = false;
  let [rows, bytes] = [0, 0];
  return { add, endPart, abandonPart, finish, [Symbol.asyncDispose]: () => test[Symbol.asyncDispose]() };

  async function add(tagged: TaggedBatch, length: number): Promise<void> {
    if (tagged.batch.rows === 0) return;
    current.push(tagged);
    rows += tagged.batch.rows;
    bytes += length;
    if (rows < mostRows && bytes < mostBytes && ended.length < mostParts) return;
    await start();
    isDivided = true;
  }

  async function start(): Promise<void> {
    const [whole, divided] = [ended, current];
    [ended, current, rows, bytes] = [[], [], 0, 0];
    await test.start(whole, 'parts', () => reportAll(whole));
    await test.start(divided, 'positions', () => reportAll(divided));
  }

  function reportAll(batches: readonly TaggedBatch[]): void {
    for (const { number } of batches) onDifference(number);
  }

  async function endPart(): Promise<void> {
    if (isDivided) return await endDivided();
    ended.push(...current);
    current = [];
  }

  async function endDivided(): Promise<void> {
    isDivided = false;
    const rest = current;
    current = [];
    await test.start(rest, 'positions', () => reportAll(rest));
  }

  function abandonPart(): void {
    isDivided = false;
    current = [];
  }

  async function finish(): Promise<void> {
    await start();
    await test.finish();
  }
}
