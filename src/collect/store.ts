import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import { type Case, openCase, summary } from '../case/index.ts';
import type { Clock } from '../client/index.ts';
import { beginAtomicFile, openDatabase, StoreError } from '../database/index.ts';
import { type ExportOrder, readCoverageOfOrder } from '../export/index.ts';
import { type Period, periodNamed } from './periods.ts';

const times = v.object({ oldest: v.number(), newest: v.number() });

const coveredTimes = v.object({
  ...times.entries,
  state: v.picklist(['complete', 'capped', 'open']),
});

const facts = v.object({
  /** File name. */
  name: v.string(),
  /** Changes with the file: its size and time. */
  stamp: v.string(),
  /** Identifies what is collected: another filter has another coverage. */
  of: v.string(),
  covered: v.array(coveredTimes),
  open: v.array(v.number()),
  lacking: v.array(v.number()),
  deleted: v.array(times),
  late: v.number(),
  logs: v.number(),
  /** Size with its originals. */
  bytes: v.number(),
});

/** A case of a store, and what it has of its source. Times are milliseconds since the epoch. */
export type CaseFacts = v.InferOutput<typeof facts>;

const settings = v.object({
  level: v.optional(v.string()),
  retentionDays: v.optional(v.number()),
});

const lowered = v.object({
  what: v.picklist(['level', 'retention']),
  from: v.string(),
  to: v.string(),
  at: v.number(),
});

const failure = v.object({ code: v.string(), message: v.string(), at: v.number() });

const memory = v.object({
  version: v.literal(1),
  /** Who wrote it last. */
  pid: v.number(),
  host: v.string(),
  started: v.number(),
  /** The last turn, and the last one without a failure. */
  lastTurn: v.optional(v.number()),
  lastSuccess: v.optional(v.number()),
  lastFailure: v.optional(failure),
  /** When a day was last asked for again. */
  nightly: v.optional(v.number()),
  /** Cases up to this time were deleted by the retention of the store. */
  deletedUntil: v.optional(v.number()),
  settings: v.optional(settings),
  lowered: v.array(lowered),
  /** The oldest time that the deployment keeps, and the last one that could be asked for, at the last turn. */
  horizon: v.optional(v.number()),
  begin: v.optional(v.number()),
  end: v.optional(v.number()),
  /** Times that were named as lost. */
  lost: v.array(times),
  counts: v.object({ logs: v.number(), late: v.number(), turns: v.number(), calls: v.number() }),
  failures: v.record(v.string(), v.number()),
  cases: v.array(facts),
});

/**
 * What a collector remembers of a source beside its cases. All that decides what is asked for is in the cases; without
 * this file they are read anew, and the counts begin at zero.
 */
export type SourceMemory = v.InferOutput<typeof memory>;

/** The memory of a source that was never collected. */
export function newMemory(now: number): SourceMemory {
  return {
    version: 1,
    pid: process.pid,
    host: hostname(),
    started: now,
    lowered: [],
    lost: [],
    counts: { logs: 0, late: 0, turns: 0, calls: 0 },
    failures: {},
    cases: [],
  };
}

function memoryPath(store: string, source: string): string {
  return join(store, `.${source}.json`);
}

/** Reads the memory of a source; undefined if there is none, or none that can be read. */
export async function readMemory(store: string, source: string): Promise<SourceMemory | undefined> {
  try {
    const parsed = v.safeParse(memory, JSON.parse(await readFile(memoryPath(store, source), 'utf8')));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the memory of a source, whole or not at all. */
export async function writeMemory(store: string, source: string, state: SourceMemory): Promise<void> {
  await using file = await beginAtomicFile(memoryPath(store, source));
  await writeFile(file.temporary, `${JSON.stringify(state)}\n`, { mode: 0o600 });
  await file.finish();
}

/** Failures of a collector that are not failures of a call, an export or a case. The codes are stable. */
export const collectErrorCodes = {
  SOURCE_LOCKED: 'Another collector works on the source',
  DISK_LOW: 'The disk of the store has less room than has to stay free',
} as const;

export type CollectErrorCode = keyof typeof collectErrorCodes;

/** A collector cannot work. Branch on `code`, which is stable; show `message`, which is not. */
export class CollectError extends Error {
  override readonly name = 'CollectError';
  readonly code: CollectErrorCode;

  constructor(code: CollectErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Takes the lock of a source until it is disposed of, or the process ends in any way: it is a lock of the operating
 * system, on an empty database. Rejects with `SOURCE_LOCKED`, which names the holder.
 */
export async function lockSource(store: string, source: string): Promise<AsyncDisposable> {
  try {
    const database = await openDatabase(join(store, `.${source}.lock`), 'write', {
      memory: 'little',
      replacesHalfMade: true,
    });
    return { [Symbol.asyncDispose]: async () => database.close() };
  } catch (error) {
    if (!(error instanceof StoreError && error.code === 'CASE_LOCKED')) throw error;
    const holder = await readMemory(store, source);
    const who = holder
      ? `process ${holder.pid} on "${holder.host}", since ${new Date(holder.started).toISOString()}`
      : 'another process';
    throw new CollectError('SOURCE_LOCKED', `The source "${source}" is collected by ${who}`, {
      cause: error,
    });
  }
}

/** The name of the case of a source for a period. */
export function caseName(source: string, period: Period): string {
  return `${source}-${period.name}.duckdb`;
}

/** The period of a case of a source, by its file name; undefined for any other file. */
export function periodOfCase(source: string, name: string): Period | undefined {
  const isNamed = name.startsWith(`${source}-`) && name.endsWith('.duckdb');
  return isNamed ? periodNamed(name.slice(source.length + 1, -'.duckdb'.length)) : undefined;
}

/** The cases of a source in a store, by file name. */
export async function listCases(store: string, source: string): Promise<readonly string[]> {
  const names = await readdir(store);
  return names.filter((name) => periodOfCase(source, name) !== undefined).sort();
}

/**
 * Reads what a case has of an order. `known` is what it had before, which stays true while the file does not change.
 * Waits while another process writes.
 */
export async function readFacts(
  path: string,
  {
    order,
    known,
    clock,
  }: { readonly order: ExportOrder; readonly known: CaseFacts | undefined; readonly clock: Clock },
): Promise<CaseFacts> {
  if (known?.stamp === (await stampOf(path)) && known.of === keyOf(order)) return known;
  await using of = await openWaiting(path, 'read', clock);
  return withFile(path, await factsOf(of, order));
}

/** Completes facts by the file of a case, once it is closed. */
export async function withFile(path: string, facts: CaseFacts): Promise<CaseFacts> {
  return { ...facts, stamp: await stampOf(path), bytes: await bytesOfCase(path) };
}

/** Reads what an open case has of an order; `withFile` completes it. */
export async function factsOf(of: Case, order: ExportOrder): Promise<CaseFacts> {
  const { covered, open, lacking, deleted, late } = await readCoverageOfOrder(of, order);
  const { logs } = await summary(of);
  return {
    name: basename(of.path),
    stamp: '',
    of: keyOf(order),
    covered: [...covered],
    open: [...open],
    lacking: [...lacking],
    deleted: [...deleted],
    late,
    logs,
    bytes: 0,
  };
}

/** Identifies an order without its times. */
function keyOf({ deployment, via, request }: ExportOrder): string {
  const { num: _, ...filters } = request;
  return JSON.stringify([deployment, via, filters]);
}

/** Identifies the contents of a file: its size and time. */
async function stampOf(path: string): Promise<string> {
  const { size, mtimeMs } = await stat(path);
  return `${size} ${Math.round(mtimeMs)}`;
}

/** How long a collector waits for a case that another process has open, in milliseconds. */
const longestWait = 30_000;

/** Pause between two attempts to open a case, in milliseconds. */
const betweenAttempts = 250;

/** Opens a case; waits for half a minute while another process has it open. Creates it for writing. */
export async function openWaiting(path: string, access: 'read' | 'write', clock: Clock): Promise<Case> {
  for (let waited = 0; ; waited += betweenAttempts) {
    try {
      return await openCase(
        path,
        access === 'read' ? { access } : { access, memory: 'little', create: true },
      );
    } catch (error) {
      const isLocked = error instanceof StoreError && error.code === 'CASE_LOCKED';
      if (!isLocked || longestWait <= waited) throw error;
      await clock.sleep(betweenAttempts);
    }
  }
}

/** The seals of a case, by path. The first is `CASE.seal.json`. */
async function sealsOf(path: string): Promise<readonly string[]> {
  const folder = join(path, '..');
  const first = `${basename(path)}.seal`;
  const names = await readdir(folder);
  return names
    .filter((name) => name.startsWith(first) && name.endsWith('.json'))
    .map((name) => join(folder, name));
}

/** Returns whether a case has a seal that was made after it was last written. */
export async function isSealed(path: string): Promise<boolean> {
  const { mtimeMs } = await stat(path);
  const seals = await Promise.all((await sealsOf(path)).map((seal) => stat(seal)));
  return seals.some((seal) => mtimeMs <= seal.mtimeMs);
}

/** The path of the next seal of a case: earlier ones stay, since they prove more. */
export async function nextSealPath(path: string): Promise<string> {
  const count = (await sealsOf(path)).length;
  return count === 0 ? `${path}.seal.json` : `${path}.seal-${count + 1}.json`;
}

/** The files and folders of a case: itself, what the database has beside it, originals and seals. */
async function filesOf(path: string): Promise<readonly string[]> {
  const beside = [path, `${path}.wal`, `${path}.evidence`, `${path}.downloads`, `${path}.tmp`].filter(
    (file) => existsSync(file),
  );
  return [...beside, ...(await sealsOf(path))];
}

/** Bytes of a case with its originals. */
export async function bytesOfCase(path: string): Promise<number> {
  const sizes = await Promise.all((await filesOf(path)).map(bytesOf));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function bytesOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) return found?.size ?? 0;
  const names = await readdir(path);
  const sizes = await Promise.all(names.map((name) => bytesOf(join(path, name))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Deletes a case with all that belongs to it. */
export async function deleteCase(path: string): Promise<void> {
  // The case last: a crash in between leaves one that is deleted again.
  for (const file of (await filesOf(path)).toReversed()) await rm(file, { recursive: true, force: true });
}

/** Rejects with `DISK_LOW` if the disk of a folder has fewer free bytes than wanted. */
export async function checkRoom(folder: string, minimumFree: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (minimumFree <= free) return;
  const megabytes = (count: number) => `${Math.floor(count / 1e6)} MB`;
  throw new CollectError(
    'DISK_LOW',
    `The disk of "${folder}" has ${megabytes(free)} free, and ${megabytes(minimumFree)} have to stay free ("minimumFree"): nothing is collected until there is more`,
  );
}
