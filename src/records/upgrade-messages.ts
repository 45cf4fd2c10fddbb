import { isObject, type JsonObject } from './json/exact-json.ts';
import { jsonReader } from './json.ts';
import { parseJsonObject } from './read-json-record.ts';
import type { LogRecord, ReaderOptions, ReadRecord, RecordReader } from './record.ts';
import { toTime } from './time.ts';

/**
 * Codes of messages about steps of an upgrade (section 2.8 of the interface document). Other codes
 * may mean anything, including a failure, so they get no level.
 */
const stepCodes: ReadonlySet<number> = new Set([
  ...[2010, 2011, 2012, 2038, 2087, 2090, 2092, 2093, 2094, 2101, 2103, 2108, 2109, 2132, 2134, 2144, 2145],
  ...[2148, 2149, 2151, 2153, 2165, 2166, 2168, 2173, 2175, 2178, 2179, 2180, 2181, 2185, 2187, 2188, 2191],
  // The last is the code of a rollback, from the vendor's public documentation.
  ...[2192, 2270, 2271, 2281, 2287, 2288, 2291, 2072],
]);

/** Source of the administration logs (section 4.2.1 of the interface document), which runs upgrades. */
const source = 'Enterprise Admin';

/** Matches an upgrade status up to its first message, if it is too long to be seen whole. */
const statusStart =
  /^\{\s*(?:"status"\s*:\s*\{)?[^[{]*"messages"\s*:\s*\[\s*(\{(?:[^{}"]|"(?:[^"\\]|\\.)*")*\})/;

/**
 * Reports if a text begins like the messages of an upgrade: in a status, as the deployment returns
 * them, or one per line.
 */
export function holdsUpgradeMessages(text: string): boolean {
  const status = statusIn(parseJsonObject(text));
  const [first] = messagesIn(status);
  return isMessage(first ?? parseJsonObject(firstIn(text))) || isStatus(status);
}

/** Returns the members of a complete status, bare or nested in a member `status`. */
function statusIn(members: JsonObject | undefined): JsonObject | undefined {
  return members && isObject(members.status) ? members.status : members;
}

function messagesIn(status: JsonObject | undefined): readonly JsonObject[] {
  return Array.isArray(status?.messages) ? status.messages.filter(isObject) : [];
}

/** Reports if messages with codes accompany a state. Some deployments omit the times of messages. */
function isStatus(status: JsonObject | undefined): boolean {
  const messages = messagesIn(status);
  const isNamed = typeof status?.state === 'string' && integerOf(status.code) !== undefined;
  const isSaid = ({ message, code, time }: JsonObject) =>
    typeof message === 'string' && integerOf(code) !== undefined && time === undefined;
  return isNamed && messages.some(isSaid);
}

/** Returns the text of the first message, in the beginning of a status or on the first line. */
function firstIn(text: string): string {
  const [, inStatus] = statusStart.exec(text) ?? [];
  return inStatus ?? text.split('\n', 1)[0] ?? '';
}

function isMessage({ message, code, when, time }: JsonObject = {}): boolean {
  const numbers = [integerOf(code), toTime(integerOf(when))];
  return typeof message === 'string' && !numbers.includes(undefined) && time === undefined;
}

/** Converts an integer or its text to a number; undefined otherwise. */
function integerOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
}

/** Creates a reader of upgrade messages: each is a log of the administration. */
export function upgradeReader(options: ReaderOptions): RecordReader {
  const reader = jsonReader(options);
  return {
    push: (chunk) => reader.push(chunk).map(toMessageLog),
    end: () => reader.end().map(toMessageLog),
  };
}

/** Converts a message to a log; returns any other record unchanged. */
function toMessageLog(record: ReadRecord): ReadRecord {
  if (record.kind !== 'log' || record.log.time !== undefined) return record;
  const { when, ...others } = record.extra ?? {};
  const { msg, logCode } = record.log;
  // Deployments write 0 for an unknown time.
  const time = toTime(integerOf(when) || undefined);
  if (time === undefined) return msg === undefined || logCode === undefined ? record : timeless(record);
  const { extra: _, ...rest } = record;
  const read: LogRecord = { ...rest, log: { ...originOf(logCode), ...record.log, time } };
  return Object.keys(others).length === 0 ? read : { ...read, extra: others };
}

/** Converts a message without a time; all other members stay as read. */
function timeless(record: LogRecord): LogRecord {
  return { ...record, log: { ...originOf(record.log.logCode), ...record.log } };
}

/** Returns the source of a message, and its level if the code is known. */
function originOf(logCode: LogRecord['log']['logCode']) {
  return { source, ...(typeof logCode === 'number' && stepCodes.has(logCode) && { logLevel: 'INFO' }) };
}
