import { jsonReader } from './json.ts';
import { parseObject } from './read-text.ts';
import type { LogRecord, ReaderOptions, ReadRecord, RecordReader } from './record.ts';
import { toTime } from './time.ts';

/**
 * The codes of messages that tell of a step of an upgrade (section 2.8 of the
 * interface document). What is said under another code may be anything, a
 * failure included, so that no level is made up for it.
 */
const stepCodes: ReadonlySet<number> = new Set([
  ...[2010, 2011, 2012, 2038, 2087, 2090, 2092, 2093, 2094, 2101, 2103, 2108, 2109, 2132, 2134, 2144, 2145],
  ...[2148, 2149, 2151, 2153, 2165, 2166, 2168, 2173, 2175, 2178, 2179, 2180, 2181, 2185, 2187, 2188, 2191],
  ...[2192, 2270, 2271, 2281, 2287, 2288, 2291],
]);

/** Under this source the logs of the administration are, which does the upgrading (section 4.2.1 of the interface document). */
const source = 'Enterprise Admin';

/** The status of an upgrade up to its first message, where it is too long to be seen whole. */
const statusStart =
  /^\{\s*(?:"status"\s*:\s*\{)?[^[{]*"messages"\s*:\s*\[\s*(\{(?:[^{}"]|"(?:[^"\\]|\\.)*")*\})/;

/**
 * Whether a text begins as the messages of an upgrade do: as the deployment
 * gives them, in their status, or one a line.
 */
export function holdsUpgradeMessages(text: string): boolean {
  return isMessage(firstOf(parseObject(text)) ?? parseObject(firstIn(text)));
}

/** The first message of a whole status. */
function firstOf(members: Members | undefined): Members | undefined {
  const status = members && isObject(members.status) ? members.status : members;
  const [first] = Array.isArray(status?.messages) ? status.messages : [];
  return isObject(first) ? first : undefined;
}

/** The text of the first message, in the beginning of a status or one a line. */
function firstIn(text: string): string {
  const [, inStatus] = statusStart.exec(text) ?? [];
  return inStatus ?? text.split('\n', 1)[0] ?? '';
}

type Members = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null;
}

function isMessage({ message, code, when, time }: Members = {}): boolean {
  const numbers = [integerOf(code), toTime(integerOf(when))];
  return typeof message === 'string' && !numbers.includes(undefined) && time === undefined;
}

/** A whole number, also one that is written as a text. */
function integerOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
}

/** A reader of the messages of an upgrade: each is a log of the administration. */
export function upgradeReader(options: ReaderOptions): RecordReader {
  const reader = jsonReader(options);
  return {
    push: (chunk) => reader.push(chunk).map(toMessageLog),
    end: () => reader.end().map(toMessageLog),
  };
}

/** Anything that is no message stays as it was read. */
function toMessageLog(record: ReadRecord): ReadRecord {
  if (record.kind !== 'log' || record.log.time !== undefined) return record;
  const { when, ...others } = record.extra ?? {};
  const time = toTime(integerOf(when));
  if (time === undefined) return record;
  const { extra: _, ...rest } = record;
  const { logCode } = record.log;
  const level = typeof logCode === 'number' && stepCodes.has(logCode) ? { logLevel: 'INFO' } : {};
  const read: LogRecord = { ...rest, log: { source, ...level, ...record.log, time } };
  return Object.keys(others).length === 0 ? read : { ...read, extra: others };
}
