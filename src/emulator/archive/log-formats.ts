import { type Log, textFields } from '../../records/index.ts';
import { timeWriter, type WriteTime } from './log-times.ts';

/** The formats in which logs are written. */
export const logFormats = ['ndjson', 'json', 'csv'] as const;

/** One JSON value a line, one JSON list, or comma-separated values with a header. */
export type LogFormat = (typeof logFormats)[number];

/** The columns of the CSV form, in their order. */
const columns = ['time', 'logCode', 'elapsed', ...textFields] as const;

/**
 * Writes logs in a format, in pieces: one for each log and for the text around them. Missing fields are left
 * out, or empty in CSV. Every line ends with a line feed. Times are milliseconds since the epoch by default.
 *
 * ```ts
 * for (const piece of writeLogs(incidentLogs({ count: 10 }), 'ndjson')) console.log(piece);
 * ```
 */
export function* writeLogs(
  logs: Iterable<Log>,
  format: LogFormat,
  writeTime: WriteTime = timeWriter(),
): Generator<string, void, undefined> {
  switch (format) {
    case 'ndjson':
      for (const log of logs) yield `${jsonOf(toRecord(log, writeTime))}\n`;
      return;
    case 'json':
      yield* jsonList(logs, writeTime);
      return;
    case 'csv':
      yield `${columns.join(',')}\n`;
      for (const log of logs) {
        const record = toRecord(log, writeTime);
        yield `${columns.map((column) => quoted(record[column])).join(',')}\n`;
      }
  }
}

type LogRecord = { readonly [F in keyof Log]?: string | number | bigint };

function toRecord(log: Log, writeTime: WriteTime): LogRecord {
  return log.time === undefined ? log : { ...log, time: writeTime(log.time) };
}

function* jsonList(logs: Iterable<Log>, writeTime: WriteTime): Generator<string, void, undefined> {
  let before = '[\n';
  for (const log of logs) {
    yield before + jsonOf(toRecord(log, writeTime));
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

/** A log as JSON, with all digits of its code. */
function jsonOf(log: LogRecord): string {
  const { logCode } = log;
  if (typeof logCode !== 'bigint') return JSON.stringify(log);
  const members = Object.entries(log).map(
    ([key, value]) => `${JSON.stringify(key)}:${typeof value === 'bigint' ? value : JSON.stringify(value)}`,
  );
  return `{${members.join(',')}}`;
}

/** A value of a CSV line, quoted if RFC 4180 requires it. */
function quoted(value: LogRecord[keyof Log]): string {
  const text = String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
