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
  // The last is that of a rollback, as the vendor's public documentation shows it.
  ...[2192, 2270, 2271, 2281, 2287, 2288, 2291, 2072],
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
  const status = statusIn(parseObject(text));
  const [first] = messagesIn(status);
  return isMessage(first ?? parseObject(firstIn(text))) || isStatus(status);
}

/** The members of a whole status, bare or as the member `status`. */
function statusIn(members: Members | undefined): Members | undefined {
  return members && isObject(members.status) ? members.status : members;
}

function messagesIn(status: Members | undefined): readonly Members[] {
  return Array.isArray(status?.messages) ? status.messages.filter(isObject) : [];
}

/** Tells whether a state stands beside messages with codes. Some deployments leave out the times of messages. */
function isStatus(status: Members | undefined): boolean {
  const messages = messagesIn(status);
  const isNamed = typeof status?.state === 'string' && integerOf(status.code) !== undefined;
  const isSaid = ({ message, code, time }: Members) =>
    typeof message === 'string' && integerOf(code) !== undefined && time === undefined;
  return isNamed && messages.some(isSaid);
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

/** A message as a log. Anything that is no message stays as it was read. */
function toMessageLog(record: ReadRecord): ReadRecord {
  if (record.kind !== 'log' || record.log.time !== undefined) return record;
  const { when, ...others } = record.extra ?? {};
  const { msg, logCode } = record.log;
  // Software writes 0 where it knows no time.
  const time = toTime(integerOf(when) || undefined);
  if (time === undefined) return msg === undefined || logCode === undefined ? record : timeless(record);
  const { extra: _, ...rest } = record;
  const read: LogRecord = { ...rest, log: { ...originOf(logCode), ...record.log, time } };
  return Object.keys(others).length === 0 ? read : { ...read, extra: others };
}

/** A message that says no time: what it carries besides stays as it was read. */
function timeless(record: LogRecord): LogRecord {
  return { ...record, log: { ...originOf(record.log.logCode), ...record.log } };
}

/** The source of a message, and its level where its code is known. */
function originOf(logCode: LogRecord['log']['logCode']) {
  return { source, ...(typeof logCode === 'number' && stepCodes.has(logCode) && { logLevel: 'INFO' }) };
}
