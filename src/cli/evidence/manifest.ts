import * as v from 'valibot';
import { UsageError } from '../command-line/usage-error.ts';

/** The files of a folder that is handed over. */
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

const covered = v.object({
  /** Null: since ever. */
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
    /** The query in a form that cannot be misread. */
    explicit: v.string(),
    /** The meaning of each part to the server, in words. */
    means: v.array(v.string()),
    engine: v.picklist(['deployment', 'elasticsearch', 'lucene']),
    /** The time that "now" stands for. */
    now: time,
  }),
  case: v.object({
    name: v.string(),
    /** The hash of its last action. */
    head: hash,
    ...{ actions: count, files: count, parts: count, logs: count, unreadable: count },
    /** The number of the part that was added last; 0 where there is none. */
    newestPart: count,
  }),
  /** The logs that the query selects: each file of logs holds as many. */
  found: count,
  /** The zone of all times here and in the files. */
  zone: v.literal('UTC'),
  /** The times that were asked for, by deployment and filters; empty where files were imported. */
  coverage: v.array(
    v.object({
      deployment: v.string(),
      filters: v.record(v.string(), v.string()),
      covered: v.array(covered),
    }),
  ),
  /** The times of which logs are missing or may be. */
  gaps: v.array(covered),
  /** The parts that the logs come from. */
  parts: v.array(
    v.object({
      part: count,
      file: v.string(),
      /** Of the original; absent where logs were added by a program. */
      sha256: v.optional(hash),
      entry: v.string(),
      /** The logs of it that are handed over, and all that it has. */
      found: count,
      logs: count,
      unreadable: count,
      /** The zone that was assumed for times that name none. */
      zone: v.optional(v.string()),
    }),
  ),
  files: v.array(v.object({ name: v.string(), bytes: count, sha256: hash })),
});

/** The contents of a folder that is handed over, and where they come from. */
export type Manifest = v.InferOutput<typeof shape>;

/** Reads a manifest. Throws a `UsageError` where the text is none; `path` is named in it. */
export function readManifest(text: string, path: string): Manifest {
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(undefined, 'it is no JSON'), shape), text);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const where = v.getDotPath(issue);
  throw new UsageError(
    `The file "${path}" is no manifest of a hand-over: ${where === null ? '' : `"${where}": `}${issue.message}`,
  );
}
