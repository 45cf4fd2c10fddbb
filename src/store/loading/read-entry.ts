import { createHash } from 'node:crypto';
import { type Allocate, joined, lineFeed, type Region, regionCutter } from '../../records/lines.ts';
import { longestRecord, type OpenText, openText, recordsOf } from '../../records/read-records.ts';
import type { LogRecord, ReadRecord, UnreadableRecord } from '../../records/record.ts';
import type { Format } from '../../records/sniff.ts';
import type { Zone } from '../../records/zone.ts';
import type { Case } from '../case/case.ts';
import type { Part, Problem } from '../case/parts.ts';
import type { FileEntry } from '../originals/file-entry.ts';
import { gunzip } from '../originals/gunzip.ts';
import { type RecordBatch, recordBatcher } from '../rows/record-batch.ts';
import { inOrder } from './in-order.ts';
import { isRepeated } from './is-repeated.ts';
import { newUpgradeMessages } from './new-upgrade-messages.ts';
import type { RegionBatch } from './region-batch.ts';
import { type RegionThreads, thisThread } from './region-threads.ts';
import { type Counts, openTally, type Tally } from './tally.ts';

/** A zone and the name that the case knows it by. */
export interface NamedZone {
  readonly name: string;
  readonly zone: Zone;
}

/** How an entry is read. */
export interface Reading {
  readonly into: Case;
  /** The zone of times that name none; UTC unless given. */
  readonly zone?: NamedZone;
  /** Told of inflated bytes before they are read; throws to end the reading. */
  readonly onBytes: (bytes: number) => void;
  /** Told of records once they were read. */
  readonly onRecords: (entry: FileEntry, records: Pick<Counts, 'logs' | 'unreadable'>) => void;
  /** An export job made the file: an entry with the bytes of an earlier one has the same logs again, and none is wanted twice. */
  readonly isExport?: boolean;
  /** Reads an entry of a zip for its logs, also where it is plainly no log file, or a zip whose entries are read by themselves. */
  readonly asLogs?: boolean;
  /** Whether a log is to be in the case; asked once for each, in their order. All are unless given. */
  readonly keep?: (record: LogRecord) => boolean;
  /** Threads that read NDJSON, where it is worth starting them for an entry. */
  readonly threadsFor?: (entry: FileEntry) => RegionThreads | undefined;
  /** What was added before is not in the case yet: records that depend on it are not read. */
  readonly isTogether?: boolean;
  /** Reads every record in the way that says what a log is, none by the quick one that must come to the same. */
  readonly thorough?: boolean;
}

/** What was read of an entry. */
export interface Read
  extends Pick<Part, 'logs' | 'unreadable' | 'bytes' | 'format' | 'remarks' | 'problem' | 'entrySha256'> {
  /** Logs that were not wanted. */
  readonly leftOut?: number;
}

/** Takes records of an entry, in their order; resolves when there is room for more. So many records were read before those of the batch. */
export type TakeBatch = (batch: RecordBatch, before: number) => Promise<void>;

/** Ends the reading of an entry that has to be read when its turn has come, by itself. */
export class ReadAlone extends Error {
  override readonly name = 'ReadAlone';
}

/** Reads the records of an entry, which `take` gets. Throws an `EntryProblem`, `ReadAlone`, or what `onBytes` throws. */
export async function readEntry(reading: Reading, entry: FileEntry, take: TakeBatch): Promise<Read> {
  const hash = createHash('sha256');
  let bytes = 0;
  const stored = tapped(entry.read(), (chunk) => {
    hash.update(chunk);
    bytes += chunk.length;
  });
  const nothing = { logs: 0, unreadable: 0, remarks: [] };
  if (entry.isOpened && !reading.asLogs) {
    await drain(tapped(stored, (chunk) => reading.onBytes(chunk.length)));
    return { ...nothing, bytes, format: 'zip', entrySha256: hash.digest('hex') };
  }
  await using opened = await openText(tapped(gunzip(stored), (chunk) => reading.onBytes(chunk.length)));
  const { format, noLogFormat } = opened;
  if (entry.isInZip && noLogFormat && !reading.asLogs) {
    await drain(opened.text);
    return { ...nothing, bytes, format: noLogFormat, entrySha256: hash.digest('hex') };
  }
  // Which messages of an upgrade are new depends on the files before.
  if (reading.isTogether && format === 'upgrade') throw new ReadAlone();
  const keep = await keepOf(reading, entry, format);
  const tally = openTally();
  // Whether a log is wanted is asked in order, and of the record itself.
  const work = { reading, entry, take, tally };
  const leftOut =
    format === 'ndjson' && !keep ? await readRegions(opened, work) : await readRecords(opened, keep, work);
  return {
    bytes,
    format,
    entrySha256: hash.digest('hex'),
    ...resultOf(entry, format, { ...tally.counts(), leftOut }),
  };
}

/** Decides which logs of an entry are wanted; undefined where all are. */
async function keepOf(reading: Reading, entry: FileEntry, format: Format): Promise<Reading['keep']> {
  if (reading.isExport && (await isRepeated(entry))) return () => false;
  return reading.keep ?? (format === 'upgrade' ? await newUpgradeMessages(reading.into) : undefined);
}

/** Reads to the end, where it shows whether the bytes are what they should be. */
async function drain(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of chunks);
}

interface Work {
  readonly reading: Reading;
  readonly entry: FileEntry;
  readonly take: TakeBatch;
  readonly tally: Tally;
}

/** Reads the records of an entry one by one, and gives back how many were left out. */
async function readRecords(
  opened: OpenText,
  keep: Reading['keep'],
  { reading, entry, take, tally }: Work,
): Promise<number> {
  const { zone } = reading;
  const batcher = recordBatcher();
  let leftOut = 0;
  for await (const read of recordsOf(opened, zone ? { zone: zone.zone } : {})) {
    const records = keep ? read.filter(wanted(keep)) : read;
    leftOut += read.length - records.length;
    for (const record of records) {
      tally.count(record);
      batcher.add(record);
      if (batcher.isFull()) await take(batcher.take(), 0);
    }
    const logs = records.filter(({ kind }) => kind === 'log').length;
    reading.onRecords(entry, { logs, unreadable: records.length - logs });
  }
  await take(batcher.take(), 0);
  return leftOut;
}

/** What is no log is always kept. */
function wanted(keep: NonNullable<Reading['keep']>): (record: ReadRecord) => boolean {
  return (record) => record.kind !== 'log' || keep(record);
}

/** Reads an entry in NDJSON by its regions, in threads where that is worth it, and writes what is read in its order. */
async function readRegions({ text }: OpenText, { reading, entry, take, tally }: Work): Promise<0> {
  const threads = reading.threadsFor?.(entry) ?? thisThread;
  const common = { thorough: reading.thorough ?? false, ...(reading.zone && { zone: reading.zone.name }) };
  const begin = (region: Region): Promise<RegionBatch> =>
    (isSmall(region) ? thisThread : threads).read({ region, ...common });
  let before = 0;
  for await (const { counts, ...batch } of inOrder(regionsOf(text, threads), begin, threads.capacity)) {
    tally.add(counts);
    await take(batch, before);
    reading.onRecords(entry, counts);
    before += counts.logs + counts.unreadable;
  }
  return 0;
}

/** How regions are made. */
export interface RegionOptions {
  /** Inflated bytes of each: some thousands of logs unless given, which make up for a statement of the database. */
  readonly length?: number;
  readonly allocate: Allocate;
}

const regionLength = 2 * 1024 * 1024;

/** About the most lines of a region: what is read of a line takes some hundred bytes, however short it is. */
const mostLines = 64 * 1024;

/** Bytes at the beginning of a piece by which its lines are estimated: to count them all takes a thirtieth of an import. */
const sampleLength = 8 * 1024;

function estimateLines({ bytes }: Region): number {
  const sample = bytes.subarray(0, sampleLength);
  let lines = 1;
  for (let end = sample.indexOf(lineFeed); 0 <= end; end = sample.indexOf(lineFeed, end + 1)) lines++;
  return (lines * bytes.length) / Math.max(1, sample.length);
}

/** The regions of a text, of about so many bytes, or fewer where lines are short. Those that are not cut have memory of their own. */
export async function* regionsOf(
  text: AsyncIterable<Uint8Array>,
  { length = regionLength, allocate }: RegionOptions,
): AsyncGenerator<Region, void, undefined> {
  const cutter = regionCutter(longestRecord);
  let waiting: Region[] = [];
  let lines = 0;
  for await (const piece of text) {
    for (const region of cutter.push(piece)) {
      if (region.isCut) {
        yield* joined(waiting, allocate);
        yield region;
        waiting = [];
        lines = 0;
      } else {
        waiting.push(region);
        lines += estimateLines(region);
      }
    }
    if (mostLines <= lines || length <= waiting.reduce((sum, region) => sum + region.length, 0)) {
      yield* joined(waiting, allocate);
      waiting = [];
      lines = 0;
    }
  }
  const [last] = cutter.end();
  if (last && !last.isCut) waiting.push(last);
  yield* joined(waiting, allocate);
  if (last?.isCut) yield last;
}

/** A region of fewer bytes is read sooner than it is sent to a thread. So is one that is cut: it is no more than an unreadable record. */
const smallRegion = 64 * 1024;

function isSmall({ isCut, length }: Region): boolean {
  return isCut || length < smallRegion;
}

async function* tapped(
  chunks: AsyncIterable<Uint8Array>,
  tell: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of chunks) {
    tell(chunk);
    yield chunk;
  }
}

function resultOf(
  { unopened }: FileEntry,
  format: Format,
  { first, leftOut, ...counts }: Counts & { readonly leftOut: number },
) {
  const isLost = counts.logs + leftOut === 0 && first;
  const problem = isLost && problemOf(format, first, { unopened, unreadable: counts.unreadable });
  return { ...counts, ...(problem && { problem }), ...(0 < leftOut && { leftOut }) };
}

/** Why an entry that could be read holds nothing but unreadable records. */
function problemOf(
  format: Format,
  first: UnreadableRecord,
  { unopened, unreadable }: { readonly unopened: string | undefined; readonly unreadable: number },
): Problem {
  switch (format) {
    case 'zip':
    case 'gzip': {
      const why = unopened === undefined ? '' : ` that is not opened: ${unopened}`;
      return {
        code: 'NESTED_ARCHIVE',
        message: `${first.reason}${why}; take it out and import it by itself`,
      };
    }
    case 'html':
    case 'unknown':
    case 'empty':
      return { code: 'NOT_LOGS', message: first.reason };
    case 'ndjson':
    case 'json':
    case 'csv':
    case 'xml':
    case 'upgrade':
      return {
        code: 'NOT_LOGS',
        message: `None of its ${unreadable} records is a log; the first: ${first.reason}`,
      };
  }
}
