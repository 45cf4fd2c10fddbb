import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { messageOf, StoreError } from '../../database/index.ts';
import type { Case } from '../file/case.ts';
import { copyNames, evidenceFolder, listEvidence, originalOfName } from '../file/evidence-folder.ts';
import { readValidParts, type StoredPart } from '../file/parts.ts';
import { readFileEntry, type TakeBatch } from '../loading/read-entry.ts';
import { type FileEntry, type OpenFile, openEntries } from '../originals/entries.ts';
import { EntryProblem } from '../originals/entry-problem.ts';
import { hashSource, isHeld, isSha256, storedSource, toFileError } from '../originals/evidence.ts';
import { type ByteSource, DamagedCopy } from '../originals/source.ts';
import type { RowTarget } from '../rows/batches.ts';
import {
  joinBatches,
  joinedTarget,
  logBatchColumns,
  type RowBatch,
  recordBytes,
  renumberRecords,
  type TaggedBatch,
  textsBytes,
  unreadableColumns,
} from '../rows/batches.ts';
import { openRowSource, type RowSource, type SourceColumn, sourceColumns } from '../rows/row-writer.ts';
import {
  type ComparedPart,
  checkRows,
  isRead,
  openPartsComparison,
  type PartsComparison,
  rereading,
} from './compare-parts.ts';
import type { ReadFacts, ReportDeviation } from './recorded-parts.ts';

interface Work {
  readonly originals: readonly Original[];
  readonly parts: readonly StoredPart[];
  readonly recorded: ReadonlyMap<number, ReadFacts>;
  /** Parts with more or fewer rows than recorded. */
  readonly miscounted: ReadonlySet<number>;
  readonly report: ReportDeviation;
  /** Receives the number of bytes read of a file. */
  readonly onBytes: (file: string) => (bytes: number) => void;
}

/**
 * Checks the bytes of originals, and the rows of parts against the records in them. A fast check proves most of
 * them; the thorough one, which names differences, follows for the others.
 */
export async function checkOriginals(of: Case, connection: DuckDBConnection, work: Work): Promise<void> {
  const { originals, report, onBytes } = work;
  const parts = byFile(work.parts);
  const unproven = await findUnproven(of, connection, { ...work, parts });
  await using comparison = openPartsComparison(connection);
  for (const original of originals) {
    const callbacks = { report, onBytes: onBytes(original.name) };
    const all = parts.get(original.sha256) ?? [];
    const isAltered = unproven.files.has(original.sha256);
    const own = isAltered ? all : all.filter(({ part }) => unproven.parts.has(part));
    const mustCheck = isAltered || 0 < own.length;
    if (mustCheck && (await checkFile(of, original, callbacks)))
      await checkEntries(of, comparison, { ...callbacks, original, parts: own, recorded: work.recorded });
  }
  await comparison.finish();
}

function byFile(parts: readonly StoredPart[]): ReadonlyMap<string, readonly StoredPart[]> {
  const files = new Map<string, StoredPart[]>();
  for (const part of parts) {
    const { fileSha256 = '' } = part;
    const own = files.get(fileSha256) ?? [];
    own.push(part);
    files.set(fileSha256, own);
  }
  return files;
}

interface FileWork extends Pick<Work, 'parts' | 'recorded' | 'report'> {
  readonly original: Original;
  readonly onBytes: (bytes: number) => void;
}

async function checkEntries(
  of: Case,
  comparison: PartsComparison,
  { original, parts, recorded, report, onBytes }: FileWork,
): Promise<void> {
  const source = storedSource(of, original.sha256);
  if (!source || parts.length === 0) return;
  const opened = await openOrUndefined(() => openEntries(original.name, source));
  if (!opened) return;
  const entries = new Map(opened.entries.map((entry) => [entry.number, entry]));
  try {
    for (const part of parts) {
      const entry = entries.get(part.entryNumber);
      const { leftOut = 0, firstId } = recorded.get(part.part) ?? {};
      if (entry?.name === part.entry)
        await checkRows(comparison, { part, entry, leftOut, firstId, report, onBytes });
      else
        report({
          code: 'ENTRY_MISSING',
          part: part.part,
          message: `The entry "${part.entry}" of part ${part.part} is gone`,
        });
    }
  } finally {
    opened.close();
  }
}

/** An original that can no longer be opened was altered, which is already reported. */
async function openOrUndefined<T>(open: () => Promise<T>): Promise<T | undefined> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof StoreError && (error.code === 'BAD_ZIP' || error.code === 'TRUNCATED_ZIP'))
      return undefined;
    throw error;
  }
}

/** Originals and parts to prove. */
interface WorkToProve {
  readonly originals: readonly Original[];
  /** Parts by the hash of their original. */
  readonly parts: ReadonlyMap<string, readonly StoredPart[]>;
  readonly recorded: ReadonlyMap<number, ReadFacts>;
  /** Parts with more or fewer rows than recorded. */
  readonly miscounted: ReadonlySet<number>;
  /** Receives the number of bytes read of a file. */
  readonly onBytes: (file: string) => (bytes: number) => void;
}

/** What a fast check left unproven, altered or not. */
export interface Unproven {
  /** Hashes of originals. */
  readonly files: ReadonlySet<string>;
  readonly parts: ReadonlySet<number>;
}

/**
 * Proves that originals have their hashes, and that the rows of parts equal their records. It does not find how
 * others differ. The fast reader reads the records, and the reference reader a random sample of them.
 */
export async function findUnproven(
  of: Case,
  connection: DuckDBConnection,
  work: WorkToProve,
): Promise<Unproven> {
  const files = new Set<string>();
  const parts = new Set<number>();
  await using equality = await openPartsEquality(connection, (part) => void parts.add(part));
  for (const original of inOrderOfParts(work)) {
    const own = work.parts.get(original.sha256) ?? [];
    const onBytes = work.onBytes(original.name);
    const proof = { ...work, of, original, parts: own, equality, onBytes, onUnproven };
    if (!(await proveFile(proof))) files.add(original.sha256);
  }
  await equality.finish();
  return { files, parts };

  function onUnproven(part: number): void {
    parts.add(part);
  }
}

/** Parts with consecutive numbers are in the same row groups. */
function inOrderOfParts({ originals, parts }: WorkToProve): readonly Original[] {
  const first = ({ sha256 }: Original) => parts.get(sha256)?.[0]?.part ?? 0;
  return originals.toSorted((one, other) => first(one) - first(other));
}

interface Proof extends Pick<WorkToProve, 'recorded' | 'miscounted'> {
  readonly of: Case;
  readonly original: Original;
  readonly parts: readonly StoredPart[];
  readonly equality: PartsEquality;
  readonly onBytes: (bytes: number) => void;
  readonly onUnproven: (part: number) => void;
}

/** Proves the parts of an original; returns whether its bytes have their hash. */
async function proveFile(proof: Proof): Promise<boolean> {
  const { of, original } = proof;
  const source = storedSource(of, original.sha256);
  if (!source) return false;
  try {
    const opened = await openEntries(original.name, source);
    try {
      return await proveEntries(proof, opened, source);
    } finally {
      opened.close();
    }
  } catch (error) {
    const isDamaged =
      error instanceof DamagedCopy ||
      (error instanceof StoreError && (error.code === 'BAD_ZIP' || error.code === 'TRUNCATED_ZIP'));
    // The progress callback may abort.
    if (!isDamaged && toFileError(error, original.name) === error) throw error;
    proof.equality.abandonPart();
    return false;
  }
}

async function proveEntries(proof: Proof, { entries }: OpenFile, source: ByteSource): Promise<boolean> {
  const { original, onBytes } = proof;
  const hasHash = async () => (await hashSource(source, onBytes)).sha256 === original.sha256;
  const isArchive = entries.length !== 1 || entries.some(({ isInArchive }) => isInArchive);
  if (isArchive && !(await hasHash())) return false;
  const byNumber = new Map(entries.map((entry) => [entry.number, entry]));
  let isHashed = isArchive;
  for (const part of proof.parts) {
    const found = await provePart(proof, part, byNumber.get(part.entryNumber));
    // The only entry of a file has all its bytes.
    isHashed ||= found === original.sha256;
  }
  return isHashed || (await hasHash());
}

/** Proves a part; returns the hash of its entry if all of it was read. */
async function provePart(
  { recorded, miscounted, equality, onBytes, onUnproven }: Proof,
  part: StoredPart,
  entry: FileEntry | undefined,
): Promise<string | undefined> {
  const { leftOut = 0, firstId } = recorded.get(part.part) ?? {};
  if (entry?.name !== part.entry || 0 < leftOut || miscounted.has(part.part)) {
    onUnproven(part.part);
    return undefined;
  }
  const isCompared = !part.problem && isRead(part);
  if (isCompared) equality.beginPart({ part: part.part, entry: part.entry, firstId });
  const take: TakeBatch = isCompared ? equality.take : async () => undefined;
  try {
    const found = await readFileEntry(rereading({ part, onBytes }, 'sample'), entry, take);
    if (isCompared) await equality.endPart();
    const isCounted = found.logs === part.logs && found.unreadable === part.unreadable;
    const isSame = part.entrySha256 === undefined || part.entrySha256 === found.entrySha256;
    if (!isSame || (isCompared && !isCounted)) onUnproven(part.part);
    return found.entrySha256;
  } catch (error) {
    if (!(error instanceof EntryProblem)) throw error;
    equality.abandonPart();
    // An entry that was refused when it was added is refused again.
    if (part.problem?.code !== error.problem.code) onUnproven(part.part);
    return undefined;
  }
}

/**
 * Tests parts for equality with their records, which are read again, one part after the other. It is several times
 * as fast as `PartsComparison`, and does not find how a part differs. Only rows that stand for no record go
 * unnoticed, so the number of rows must be checked too.
 */
interface PartsEquality extends AsyncDisposable {
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
async function openPartsEquality(
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

/**
 * Tests batches of records for equality with the rows of a table, value by value. The connection is busy until
 * disposal.
 */
interface EqualityTest extends AsyncDisposable {
  /**
   * Starts to test batches, in ascending order of their rows, against the selected rows; resolves when it can take
   * others. It calls `onDifference` if the table has other rows.
   */
  readonly start: (
    batches: readonly TaggedBatch[],
    selection: Selection,
    onDifference: () => void,
  ) => Promise<void>;
  /** Resolves when everything is tested. */
  readonly finish: () => Promise<void>;
}

/** Stored rows to compare: all rows of the parts of the batches, or those at the positions of their records. */
type Selection = 'parts' | 'positions';

/** Opens a test for rows of a table. Columns in `ignored` are not compared; a number that is NaN in `id` is not either. */
function openEqualityTest(
  connection: DuckDBConnection,
  target: RowTarget,
  ignored: readonly string[] = [],
): EqualityTest {
  const width = { numbers: target.numbers.length, texts: target.texts.length };
  const joined = joinedTarget(target);
  const source = openRowSource({ numbers: joined.numbers.length, texts: joined.texts.length });
  const columns = sourceColumns(joined).filter(({ name }) => !ignored.includes(name));
  const position = target.numbers.findIndex(({ name }) => name === 'position');
  let running: Promise<void> = Promise.resolve();
  return { start, finish: () => running, [Symbol.asyncDispose]: dispose };

  async function start(
    batches: readonly TaggedBatch[],
    selection: Selection,
    onDifference: () => void,
  ): Promise<void> {
    await running;
    if (batches.length === 0) return;
    running = test(batches, selection).then((areEqual) => {
      if (!areEqual) onDifference();
    });
    // The next await of it throws a failure; no unhandled rejection until then.
    running.catch(() => undefined);
  }

  async function test(batches: readonly TaggedBatch[], selection: Selection): Promise<boolean> {
    const rows = positionedRows(joinBatches(batches, width), { position, part: width.numbers });
    const stored = `${target.table} WHERE ${conditionOf(rows, selection)}`;
    const order = await storedOrder(connection, stored, rows);
    return order !== undefined && (await equalsStored(orderRows(rows.batch, order), stored));
  }

  async function equalsStored(batch: RowBatch, stored: string): Promise<boolean> {
    source.setBatch(batch);
    const result = await connection.runAndReadAll(differencesSql(source, columns, stored));
    return result.getRowsJS()[0]?.[0] === 0;
  }

  async function dispose(): Promise<void> {
    // The caller received its failure at start or finish, unless that failed earlier.
    await running.catch(() => undefined);
    source[Symbol.dispose]();
  }
}

/** Counts the rows that differ. The rows of the longer side are beside NULLs, which differ from every part. */
function differencesSql({ table }: RowSource, columns: readonly SourceColumn[], stored: string): string {
  const differ = columns.map(({ name, value }) => {
    const differs = `s."${name}" IS DISTINCT FROM ${value}`;
    return name === 'id' ? `(n0 IS NOT NULL AND ${differs})` : differs;
  });
  return `SELECT count(*)::DOUBLE FROM ${table} r POSITIONAL JOIN (FROM ${stored}) s WHERE ${differ.join(' OR ')}`;
}

/** Rows of parts in ascending order, with the range of each part. */
interface PositionedRows {
  readonly batch: RowBatch;
  readonly ranges: ReadonlyMap<number, RowRange>;
  readonly positionOf: (row: number) => number;
}

/** Locates the parts of a batch, by the indices of the numeric columns of position and part. */
function positionedRows(
  batch: RowBatch,
  columns: { readonly position: number; readonly part: number },
): PositionedRows {
  const width = batch.numbers.length / batch.rows;
  const numberAt = (row: number, column: number) => batch.numbers[row * width + column] ?? Number.NaN;
  const ranges = new Map<number, RowRange>();
  for (let from = 0, row = 1; row <= batch.rows; row++) {
    const part = numberAt(from, columns.part);
    if (row < batch.rows && numberAt(row, columns.part) === part) continue;
    ranges.set(part, { from, rows: row - from });
    from = row;
  }
  return { batch, ranges, positionOf: (row) => numberAt(row, columns.position) };
}

/** SQL condition on the stored rows. The bounds of parts and positions let the database skip row groups. */
function conditionOf({ batch, ranges, positionOf }: PositionedRows, selection: Selection): string {
  const parts = [...ranges.keys()];
  const [first, last] = [Math.min(...parts), Math.max(...parts)];
  const isBetween = `part BETWEEN ${first} AND ${last}`;
  if (selection === 'positions')
    return `${isBetween} AND position BETWEEN ${positionOf(0)} AND ${positionOf(batch.rows - 1)}`;
  return parts.length === last - first + 1 ? isBetween : `${isBetween} AND part IN (${parts.join(', ')})`;
}

const runs = v.array(v.tuple([v.number(), v.nullable(v.number()), v.number()]));

/**
 * Returns the order of rows in which the table has their positions: several connections wrote them. Undefined if
 * the table has other positions.
 */
async function storedOrder(
  connection: DuckDBConnection,
  stored: string,
  rows: PositionedRows,
): Promise<readonly RowRange[] | undefined> {
  // Windows without an order are streamed, and see rows in the order of the table.
  const result = await connection.runAndReadAll(
    `SELECT part::DOUBLE, position::DOUBLE, number::DOUBLE
     FROM (SELECT part, position, row_number() OVER () AS number, lag(part) OVER () AS part_before,
         lag(position) OVER () AS position_before FROM ${stored})
     WHERE part IS DISTINCT FROM part_before OR position IS DISTINCT FROM position_before + 1`,
  );
  const found = v.parse(runs, result.getRowsJS());
  const order: RowRange[] = [];
  for (const [index, [part, position, number]] of found.entries()) {
    const from = rowAt(rows, part, position ?? Number.NaN);
    if (from === undefined) return undefined;
    const next = found[index + 1]?.[2] ?? rows.batch.rows + 1;
    order.push({ from, rows: next - number });
  }
  return coversOnce(order, rows.batch.rows) ? order : undefined;
}

/** Finds the row of a part at a position. */
function rowAt({ ranges, positionOf }: PositionedRows, part: number, position: number): number | undefined {
  const range = ranges.get(part);
  if (!range) return undefined;
  let [low, high] = [range.from, range.from + range.rows];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (positionOf(middle) < position) low = middle + 1;
    else high = middle;
  }
  return positionOf(low) === position ? low : undefined;
}

/** Reports if ranges cover all rows of a batch, each once. */
function coversOnce(ranges: readonly RowRange[], rows: number): boolean {
  let next = 0;
  for (const { from, rows: count } of ranges.toSorted((one, other) => one.from - other.from)) {
    if (from !== next) return false;
    next += count;
  }
  return next === rows;
}

/** Consecutive rows of a batch. */
interface RowRange {
  /** Index of the first row. */
  readonly from: number;
  readonly rows: number;
}

/** Returns the rows of a batch in the order of ranges; the texts are shared. */
function orderRows(batch: RowBatch, ranges: readonly RowRange[]): RowBatch {
  const [first] = ranges;
  if (first?.from === 0 && first.rows === batch.rows) return batch;
  const rows = ranges.reduce((sum, range) => sum + range.rows, 0);
  const [numberWidth, textWidth] = [batch.numbers.length / batch.rows, batch.codes.length / batch.rows];
  const numbers = new Float64Array(rows * numberWidth);
  const codes = new Int32Array(rows * textWidth);
  let row = 0;
  for (const { from, rows: count } of ranges) {
    numbers.set(batch.numbers.subarray(from * numberWidth, (from + count) * numberWidth), row * numberWidth);
    codes.set(batch.codes.subarray(from * textWidth, (from + count) * textWidth), row * textWidth);
    row += count;
  }
  return { ...batch, rows, numbers, codes };
}

/** An original that the case refers to. */
export interface Original {
  readonly sha256: string;
  readonly name: string;
}

const text = v.nullable(v.string());

/** Returns the originals that a case refers to, each once. Values that are not hashes are ignored. */
export async function readOriginals(
  connection: DuckDBConnection,
  parts: readonly StoredPart[],
): Promise<readonly Original[]> {
  const result = await connection.runAndReadAll(
    'SELECT sha256, file FROM stored.files ORDER BY added, sha256',
  );
  const files = v.parse(v.array(v.tuple([text, text])), result.getRowsJS());
  const originals = new Map(
    files.flatMap(([sha256, name]) =>
      isSha256(sha256) ? [[sha256, { sha256, name: name ?? sha256 }] as const] : [],
    ),
  );
  for (const { fileSha256, file } of parts)
    if (isSha256(fileSha256) && !originals.has(fileSha256))
      originals.set(fileSha256, { sha256: fileSha256, name: file });
  return [...originals.values()];
}

/** Checks that an original exists and has the bytes that were added. Returns false if it cannot be read. */
async function checkFile(
  of: Case,
  { sha256, name }: Original,
  { report, onBytes }: { readonly report: ReportDeviation; readonly onBytes: (bytes: number) => void },
): Promise<boolean> {
  const source = storedSource(of, sha256);
  if (!source) {
    report({ code: 'FILE_MISSING', file: sha256, message: `The original of "${name}" (${sha256}) is gone` });
    return false;
  }
  try {
    const found = await hashSource(source, onBytes);
    if (found.sha256 !== sha256)
      report({
        code: 'FILE_ALTERED',
        file: sha256,
        message: `The original of "${name}" was altered: its SHA-256 is ${found.sha256}, not ${sha256}`,
      });
    return true;
  } catch (error) {
    if (error instanceof DamagedCopy) {
      const message = `The original of "${name}" (${sha256}) was altered: ${error.problem}`;
      report({ code: 'FILE_ALTERED', file: sha256, message });
      return false;
    }
    // The progress callback may abort.
    if (toFileError(error, name) === error) throw error;
    const message = `The original of "${name}" (${sha256}) cannot be read: ${messageOf(error)}`;
    report({ code: 'FILE_UNREADABLE', file: sha256, message });
    return false;
  }
}

/**
 * Reports files in the evidence folder that do not belong to the case. Files that are being added
 * may still belong to it.
 */
export async function checkUnlisted(
  of: Case,
  {
    connection,
    originals,
  }: { readonly connection: DuckDBConnection; readonly originals: readonly Original[] },
  report: ReportDeviation,
): Promise<void> {
  if (of.originals === 'in place') return;
  const known = new Set(originals.map(({ sha256 }) => sha256));
  const names = await listEvidence(of.path).catch((error: unknown) => {
    throw toFileError(error, evidenceFolder(of.path));
  });
  reportSecondCopies(names, report);
  const unknown = names.filter((name) => !isOf(known, name) && !isHeld(of, originalOfName(name)));
  if (unknown.length === 0) return;
  // Files that arrived since the state was read are listed by now.
  const { parts } = await readValidParts(connection);
  const listed = new Set((await readOriginals(connection, parts)).map(({ sha256 }) => sha256));
  for (const name of unknown)
    if (!isOf(listed, name))
      report({
        code: 'FILE_UNLISTED',
        file: name,
        message: `"${name}" is in the folder of originals, but belongs to no part`,
      });
}

function isOf(originals: ReadonlySet<string>, name: string): boolean {
  return originals.has(originalOfName(name));
}

/** Reports compressed copies beside a plain one, which is the one that is read. */
function reportSecondCopies(names: readonly string[], report: ReportDeviation): void {
  const all = new Set(names);
  for (const name of names) {
    const { plain, compressed } = copyNames(originalOfName(name));
    if (name === compressed && all.has(plain))
      report({
        code: 'FILE_UNLISTED',
        file: name,
        message: `"${name}" is in the folder of originals, but "${plain}" is the copy that is read`,
      });
  }
}
