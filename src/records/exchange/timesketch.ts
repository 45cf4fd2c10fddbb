import type { Log } from '../log.ts';

/** Tags and comments of a log. */
export interface Annotation {
  readonly tags: readonly string[];
  readonly comments: readonly string[];
}

/** An event of Timesketch: one line of its JSONL import. */
export type TimesketchEvent = Readonly<Record<string, string | number | bigint | readonly string[]>>;

/**
 * Converts a log to an event of Timesketch, which requires `message`, `datetime` and `timestamp_desc`
 * (https://timesketch.org/guides/user/import-from-json-csv/). Undefined for a log without a time.
 */
export function toTimesketch(log: Log, { tags, comments }: Annotation): TimesketchEvent | undefined {
  const { time, msg, stackTraces, ...others } = log;
  if (time === undefined) return undefined;
  return {
    message: msg ?? '',
    datetime: new Date(time).toISOString().replace('Z', '+00:00'),
    timestamp_desc: 'Log time',
    data_type: 'gis:deployment:log',
    ...others,
    ...(stackTraces !== undefined && { stackTraces }),
    ...(0 < tags.length && { tag: tags }),
    ...(0 < comments.length && { comment: comments.join('\n') }),
  };
}
