import * as v from 'valibot';
import { UsageError } from '../command-line/usage-error.ts';

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
    engine: v.picklist(['deployment', 'elasticsearch', 'lucene']),
    /** The time of "now". */
    now: time,
    /** Selected beside the query; absent if nothing is. */
    filters: v.optional(
      v.object({
        from: v.optional(limit),
        to: v.optional(limit),
        ...{ levels: texts, users: texts, codes: texts, sources: texts },
      }),
    ),
  }),
  case: v.object({
    name: v.string(),
    /** The hash of its last action, and the number of actions; absent for a cluster, which has none. */
    head: v.optional(hash),
    actions: v.optional(count),
    ...{ files: count, parts: count, logs: count, unreadable: count },
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
        ...{ text: v.string(), tags: v.array(v.string()), author: v.string(), written: time },
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
