import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import * as v from 'valibot';
import {
  type Case,
  type CaseSummary,
  chainHead,
  listNotes,
  type Note,
  type StoredLog,
  streamLogs,
  summary,
  writeLogsToParquet,
} from '../../case/index.ts';
import { removeStaleFiles, StoreError, syncFolder, temporaryBeside } from '../../database/index.ts';
import { type Coverage, openStart } from '../../export/index.ts';
import {
  type EngineName,
  engineNames,
  explain,
  explainLines,
  explicit,
  type Filter,
  parse,
} from '../../language/index.ts';
import { makeSeal, type SealOptions, writeSeal } from '../../seal/index.ts';
import { UsageError } from '../command-line/exit-code.ts';
import { writeFailure } from '../command-line/write-output.ts';
import { type LogFilters, logFilterLines } from '../input/log-filters.ts';
import { engineContext } from '../input/read-query.ts';
import { logRows } from '../output/log-output.ts';
import { formatRows } from '../output/output-format.ts';
import type { OutputStyle } from '../terminal/terminal.ts';
import { makeStatement, toolName } from './seal.ts';

/** Input of a hand-over. */
export interface HandOver {
  /** The case, or a copy of the selected logs of a cluster. */
  readonly of: Case;
  /** Name of the case or the cluster. */
  readonly name: string;
  readonly coverage: readonly Coverage[];
  readonly query: string;
  readonly engine: EngineName | undefined;
  /** The time of "now" in the query, milliseconds since the epoch. */
  readonly now: number;
  /** The query and the options beside it. */
  readonly filter: Filter;
  /** Logs selected by the options beside the query. */
  readonly filters?: LogFilters | undefined;
  readonly folder: string;
  readonly sealing: SealOptions;
  readonly signal: AbortSignal;
  readonly style: OutputStyle['style'];
  /** Called with the name of each file before it is written. */
  readonly onFile?: (name: string) => void;
}

/**
 * Writes the logs of a filter and their manifest into a new folder, which appears as a whole or not at
 * all. Removes leftovers of killed processes. Rejects with a `UsageError` if the target exists.
 */
export async function writeHandOver(handOver: HandOver): Promise<Manifest> {
  const target = resolve(handOver.folder);
  if (await lstat(target).catch(() => undefined))
    throw new UsageError(`"${handOver.folder}" already exists and is not replaced: name another folder`);
  await removeStaleFiles(target);
  const arriving = temporaryBeside(target);
  await make(arriving, handOver.folder);
  try {
    const manifest = await fill(arriving, handOver);
    await syncFolder(arriving);
    await rename(arriving, target);
    await syncFolder(dirname(target));
    return manifest;
  } catch (error) {
    await rm(arriving, { recursive: true, force: true });
    throw writeFailure(`The folder "${handOver.folder}"`, error);
  }
}

async function make(arriving: string, folder: string): Promise<void> {
  try {
    // It holds the same personal data as the case.
    await mkdir(arriving, { mode: 0o700 });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`The folder "${folder}" cannot be created: ${reason}`, { cause });
  }
}

async function fill(arriving: string, handOver: HandOver): Promise<Manifest> {
  const { of, name: source, query, engine, now, filters, sealing, onFile = () => {} } = handOver;
  const files: Manifest['files'] = [];
  const found = new Map<number, number>();
  const notes = await listNotes(of);
  const noted = { ids: new Set(notes.flatMap(({ logs }) => logs)), found: new Set<number>() };
  for (const [name, write] of writers(handOver, { found, noted })) {
    onFile(name);
    await write(join(arriving, name));
    files.push({ name, ...(await hashFile(join(arriving, name))) });
  }
  const counts = await caseCounts(of);
  const covered = handOver.coverage.map(toStated);
  const manifest: Manifest = {
    ...({ format: 'logquarry-hand-over', version: 1 } as const),
    made: new Date().toISOString(),
    tool: toolName,
    query: {
      text: query,
      explicit: explicit(parse(query).query).text,
      means: [
        ...explainLines(explain(parse(query).query, { now, ...engineContext(engine) })),
        ...logFilterLines(filters),
      ],
      ...(filters && { filters: statedFilters(filters) }),
      engine: engine ?? 'deployment',
      now: new Date(now).toISOString(),
    },
    case: { name: source, ...counts },
    found: [...found.values()].reduce((sum, count) => sum + count, 0),
    zone: 'UTC',
    coverage: covered,
    gaps: covered.flatMap((coverage) => coverage.covered.filter(({ state }) => state !== 'complete')),
    parts: await partsOf(of, found),
    files,
    ...notesOf(notes, noted.found),
  };
  const text = `${JSON.stringify(manifest, undefined, 2)}\n`;
  await writeWhole(join(arriving, handOverFiles.manifest), text);
  if (sealing.key === undefined && !sealing.requestTimeStamp) return manifest;
  const statement = makeStatement(source, counts, sha256(text));
  await writeWhole(join(arriving, handOverFiles.seal), writeSeal(await makeSeal(statement, sealing)));
  return manifest;
}

type Writer = (path: string) => Promise<void>;

/** Notes on logs that were handed over. */
function notesOf(notes: readonly Note[], found: ReadonlySet<number>): Pick<Manifest, 'notes'> {
  const handed = notes.filter(({ logs }) => logs.some((id) => found.has(id)));
  if (handed.length === 0) return {};
  return {
    notes: handed.map(({ note, logs, text, tags, author, written }) => ({
      note,
      logs: [...logs],
      text,
      tags: [...tags],
      author,
      written: new Date(written).toISOString(),
    })),
  };
}

/** Counts of the logs that are written: by part, and the ids of those with notes. */
interface Written {
  readonly found: Map<number, number>;
  readonly noted: { readonly ids: ReadonlySet<number>; readonly found: Set<number> };
}

/** Writers of the files of logs. The NDJSON writer fills the counts. */
function writers(
  { of, filter, signal, style }: HandOver,
  counts: Written,
): readonly (readonly [string, Writer])[] {
  const options = { order: 'oldest', signal } as const;
  const face: OutputStyle = { width: undefined, style };
  const writerOf = (kind: 'csv' | 'ndjson', logs: AsyncIterable<StoredLog>) => (path: string) =>
    writeFile(path, formatRows(logRows(logs, { hasCases: false }), kind, face), { flush: true, signal });
  const parquet: Writer = async (path) => {
    await writeLogsToParquet(path, [{ from: of, name: '', options }], { filter, ...options });
  };
  return [
    [handOverFiles.csv, writerOf('csv', streamLogs(of, filter, options))],
    [handOverFiles.ndjson, writerOf('ndjson', counted(streamLogs(of, filter, options), counts))],
    [handOverFiles.parquet, parquet],
  ];
}

async function* counted(
  logs: AsyncIterable<StoredLog>,
  { found, noted }: Written,
): AsyncGenerator<StoredLog, void, undefined> {
  for await (const log of logs) {
    found.set(log.part, (found.get(log.part) ?? 0) + 1);
    if (noted.ids.has(log.id)) noted.found.add(log.id);
    yield log;
  }
}

/** The size of a file, and its SHA-256. */
export async function hashFile(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

async function caseCounts(of: Case): Promise<Omit<Manifest['case'], 'name'>> {
  const found = await chainHead(of);
  if (!found) throw new StoreError('CASE_DAMAGED', `The case "${of.path}" has no record of actions`);
  const about = await summary(of);
  const newestPart = about.parts.reduce((newest, { part }) => Math.max(newest, part), 0);
  if (of.originals === 'in place') return { ...countsOfParts(about), newestPart };
  const { number, hash, files, parts, logs, unreadable } = found;
  return { head: hash, actions: number, files, parts, logs, unreadable, newestPart };
}

/** Counts of all logs of a cluster, of which the case is a copy of some. */
function countsOfParts({ parts, unreadable }: CaseSummary) {
  const files = new Set(parts.flatMap(({ fileSha256 }) => (fileSha256 === undefined ? [] : [fileSha256])));
  const logs = parts.reduce((sum, part) => sum + part.logs, 0);
  return { files: files.size, parts: parts.length, logs, unreadable };
}

async function partsOf(of: Case, found: ReadonlyMap<number, number>): Promise<Manifest['parts']> {
  const { parts } = await summary(of);
  return parts
    .filter(({ part }) => found.has(part))
    .map(({ part, file, fileSha256, entry, logs, unreadable, zone }) => ({
      part,
      file,
      entry,
      found: found.get(part) ?? 0,
      logs,
      unreadable,
      ...(fileSha256 !== undefined && { sha256: fileSha256 }),
      ...(zone !== undefined && { zone }),
    }));
}

function statedFilters({ from, to, ...lists }: LogFilters): NonNullable<Manifest['query']['filters']> {
  const isoOf = (time: number) => new Date(time).toISOString();
  return {
    ...(from !== undefined && { from: isoOf(from) }),
    ...(to !== undefined && { to: isoOf(to) }),
    ...lists,
  };
}

/** The filters beside the query of a manifest; undefined if it has none. */
export function filtersOf({ query: { filters } }: Manifest): LogFilters | undefined {
  if (!filters) return undefined;
  const { from, to, ...lists } = filters;
  const timeOf = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));
  return { from: timeOf(from), to: timeOf(to), ...lists };
}

function toStated({ deployment, filters, covered, doubts }: Coverage): Manifest['coverage'][number] {
  return {
    deployment,
    filters: { ...filters },
    covered: covered.map(({ oldest, newest, state }) => ({
      from: oldest <= openStart ? null : new Date(oldest).toISOString(),
      to: new Date(newest).toISOString(),
      state,
    })),
    doubts: doubts.map((doubt) => ({ ...doubt })),
  };
}

async function writeWhole(path: string, text: string): Promise<void> {
  await writeFile(path, text, { flush: true, mode: 0o600 });
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** File names of a hand-over folder. */
export const handOverFiles = {
  csv: 'logs.csv',
  ndjson: 'logs.ndjson',
  parquet: 'logs.parquet',
  manifest: 'manifest.json',
  seal: 'seal.json',
} as const;

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits'));
const time = v.pipe(v.string(), v.isoTimestamp());

const texts = v.pipe(v.array(v.string()), v.readonly());

/** A time of any year, which `isoTimestamp` limits to four digits. */
const limit = v.pipe(
  v.string(),
  v.check((text) => !Number.isNaN(Date.parse(text)), 'must be a time'),
);

const covered = v.object({
  /** Null: no lower bound. */
  from: v.nullable(time),
  to: time,
  state: v.picklist(['complete', 'capped', 'open']),
});

const shape = v.object({
  format: v.literal('logquarry-hand-over'),
  version: v.literal(1),
  made: time,
  tool: v.string(),
  query: v.object({
    text: v.string(),
    /** The query in its unambiguous form. */
    explicit: v.string(),
    /** Descriptions of each part as the server reads it. */
    means: v.array(v.string()),
    engine: v.picklist(engineNames),
    /** The time of "now". */
    now: time,
    /** Selected beside the query; absent if nothing is. */
    filters: v.optional(
      v.object({
        from: v.optional(limit),
        to: v.optional(limit),
        levels: texts,
        users: texts,
        codes: texts,
        sources: texts,
      }),
    ),
  }),
  case: v.object({
    name: v.string(),
    /** The hash of its last action, and the number of actions; absent for a cluster, which has none. */
    head: v.optional(hash),
    actions: v.optional(count),
    files: count,
    parts: count,
    logs: count,
    unreadable: count,
    /** The number of the latest part; 0 if there is none. */
    newestPart: count,
  }),
  /** Number of logs selected by the query; each file of logs holds all of them. */
  found: count,
  /** Time zone of all times in the folder. */
  zone: v.literal('UTC'),
  /** Requested times, by deployment and filters; empty for imported files. */
  coverage: v.array(
    v.object({
      deployment: v.string(),
      filters: v.record(v.string(), v.string()),
      covered: v.array(covered),
      /** What nothing proves of the exports, although no log is known to be missing. */
      doubts: v.array(v.object({ export: count, code: v.string(), message: v.string() })),
    }),
  ),
  /** Times with logs that are or may be missing. */
  gaps: v.array(covered),
  /** The parts of origin. */
  parts: v.array(
    v.object({
      part: count,
      file: v.string(),
      /** Hash of the original; absent if logs were added by a program. */
      sha256: v.optional(hash),
      entry: v.string(),
      /** Number of its logs in the hand-over, and of all its logs. */
      found: count,
      logs: count,
      unreadable: count,
      /** The zone assumed for times without one. */
      zone: v.optional(v.string()),
    }),
  ),
  files: v.array(v.object({ name: v.string(), bytes: count, sha256: hash })),
  /** Notes on logs of the hand-over; absent if there are none. */
  notes: v.optional(
    v.array(
      v.object({
        note: count,
        logs: v.array(count),
        text: v.string(),
        tags: v.array(v.string()),
        author: v.string(),
        written: time,
      }),
    ),
  ),
});

/** Contents and origin of a hand-over folder. */
export type Manifest = v.InferOutput<typeof shape>;

/** Parses a manifest. Throws a `UsageError` that names `path` if the text is not one. */
export function readManifest(text: string, path: string): Manifest {
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(undefined, 'it is not JSON'), shape), text);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const where = v.getDotPath(issue);
  throw new UsageError(
    `The file "${path}" is not a hand-over manifest: ${where === null ? '' : `"${where}": `}${issue.message}`,
  );
}
