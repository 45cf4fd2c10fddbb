import { isJsonWhiteSpace, parseJsonObject } from './json.ts';
import { concatBytes } from './lines.ts';
import { type ReadRecord, type RecordReader, type Remark, unreadableRecord } from './log.ts';

/** Maximum characters of what replies have beside their logs. */
const longestRest = 65_536;

/** Maximum records that wait for the end of the entry. */
const mostHeld = 100;

/** Maximum replies whose beginnings are kept: logs of those behind count as of the last one. */
const mostReplies = 1_000;

/**
 * Watches what replies of a log query have beside their logs: a last log of the entry gets a remark if there are more
 * logs at the deployment, and one with the first records of all replies if there are several. A reply that is an
 * error quotes it.
 */
export function withReplies(reader: RecordReader): RecordReader {
  const decoder = new TextDecoder();
  /** Bytes behind the last record, and their offset in the entry. */
  let behind: Uint8Array = new Uint8Array(0);
  let base = 0;
  /** Text outside of records. */
  let rest = '';
  let records = 0;
  /** Numbers of the first records of lists. */
  const starts: number[] = [];
  let error: string | undefined;
  let errors = 0;
  let held: readonly ReadRecord[] = [];
  return { push, end };

  function push(chunk: Uint8Array): ReadRecord[] {
    behind = concatBytes(behind, chunk);
    return hold(reader.push(chunk).map(watched));
  }

  function end(): ReadRecord[] {
    const found = [...held, ...reader.end().map(watched)];
    addRest(behind);
    const missing = describeMissing(rest, { records, error });
    const more: Remark[] =
      missing === undefined
        ? []
        : // One for each unreadable record that is an error, so that others are told from them.
          Array.from({ length: Math.max(1, errors) }, () => ({
            ...({ code: 'MORE_LOGS', about: missing } as const),
            field: 0 < errors ? errorField : 'msg',
          }));
    const remarks: Remark[] = [
      ...more,
      ...(starts.length < 2 ? [] : [{ code: 'REPLIES', field: 'msg', about: starts.join(' ') } as const]),
    ];
    const at = found.findLastIndex(({ kind }) => kind === 'log');
    return found.map((record, index) =>
      remarks.length === 0 || index !== at || record.kind !== 'log'
        ? record
        : { ...record, remarks: [...(record.remarks ?? []), ...remarks] },
    );
  }

  /** Returns records in order, without the last log and the few behind it: the remark belongs to a log. */
  function hold(found: readonly ReadRecord[]): ReadRecord[] {
    const all = [...held, ...found];
    const at = all.findLastIndex(({ kind }) => kind === 'log');
    held = 0 <= at && all.length - at <= mostHeld ? all.slice(at) : [];
    return all.slice(0, all.length - held.length);
  }

  function watched(record: ReadRecord): ReadRecord {
    const { number, offset, length } = record.position;
    const between = behind.subarray(0, Math.max(0, offset - base));
    if (starts.length === 0 || (starts.length < mostReplies && startsList(between))) starts.push(number);
    addRest(between);
    behind = behind.subarray(Math.min(behind.length, Math.max(0, offset + length - base)));
    base = offset + length;
    if (record.kind === 'log') {
      records++;
      return record;
    }
    const stated = record.code === 'NO_LOG' ? statedError(record.raw) : undefined;
    error ??= stated;
    if (stated === undefined) return record;
    errors++;
    const reason = `The reply is an error of the deployment in place of logs: ${stated}`;
    return unreadableRecord('NO_LOG', reason, record);
  }

  function addRest(bytes: Uint8Array): void {
    // Blanks between records tell nothing, and would fill it.
    if (rest.length < longestRest && bytes.some(isTelling)) rest += decoder.decode(bytes);
  }
}

/** Member that a remark on an error in place of logs names: it counts such errors, each an unreadable record. */
export const errorField = 'error';

/** Reports if a byte is none that only separates records. */
function isTelling(byte: number): boolean {
  return byte !== 0x2c && !isJsonWhiteSpace(byte);
}

/** Reports if the text between two records ends a list and begins another: one list is one reply. */
function startsList(between: Uint8Array): boolean {
  const end = between.indexOf(0x5d);
  return 0 <= end && end < between.lastIndexOf(0x5b);
}

/** Returns the numbers of the first records of replies, by the remark on them. */
export function replyStarts(about: string): readonly number[] {
  return about.split(' ').map(Number);
}

/** Returns the error that a reply states, in the forms of the deployment. */
function statedError(raw: string): string | undefined {
  const { error, status, messages } = parseJsonObject(raw) ?? {};
  if (typeof error === 'string') return `"${error}"`;
  if (typeof error === 'object' && error !== null) {
    const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
    const number = typeof code === 'number' ? ` (code ${code})` : '';
    return typeof message === 'string' ? `"${message}"${number}` : JSON.stringify(error).slice(0, 200);
  }
  const first: unknown = Array.isArray(messages) ? messages[0] : undefined;
  return status === 'error' && typeof first === 'string' ? `"${first}"` : undefined;
}

const lastOf = (text: string, pattern: RegExp): string | undefined => [...text.matchAll(pattern)].at(-1)?.[1];

/** Describes what the replies of an entry lack, by what they have beside their logs; undefined if they lack nothing. */
function describeMissing(
  rest: string,
  { records, error }: { readonly records: number; readonly error: string | undefined },
): string | undefined {
  const isReply = /"(logMessages|messages|nextStart|hasMore)"\s*:/.test(rest);
  const total = Number(lastOf(rest, /"total"\s*:\s*(\d{1,15})\b/g) ?? Number.NaN);
  const nextStart = Number(lastOf(rest, /"nextStart"\s*:\s*(-?\d{1,15})\b/g) ?? Number.NaN);
  const hasMore = lastOf(rest, /"hasMore"\s*:\s*(true|false)\b/g);
  const count = records.toLocaleString('en-US');
  if (error !== undefined)
    return `a reply is an error of the deployment, ${error}: what it would have had is missing`;
  const partial = /"tables"\s*:/i.test(rest) ? lastOf(rest, /"error"\s*:\s*\{([^{}[\]]*)/g) : undefined;
  if (partial !== undefined) {
    const why = lastOf(partial, /"message"\s*:\s*"((?:[^"\\]|\\.)*)"/g) ?? 'without a message';
    return `the query that gave the tables failed in part, "${why}": logs may be missing`;
  }
  if (!isReply) return undefined;
  if (records < total)
    return `replies with ${count} of ${total.toLocaleString('en-US')} logs: the rest is missing`;
  if (Number.isNaN(total) && (hasMore === 'true' || (hasMore === undefined && 0 < nextStart)))
    return `the last reply, with ${count} logs so far, says that there are more logs at the deployment`;
  return undefined;
}
