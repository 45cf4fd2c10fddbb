import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import JSZip from 'jszip';
import { beginAtomicFile } from '../database/index.ts';
import { type Log, textFields } from '../records/index.ts';

/** Content of an exported zip. The interface document leaves it open, so a client has to accept all of it. */
export interface ArchiveLayout {
  /** Default `ndjson`. */
  readonly format?: LogFormat;
  /** Number of entries over which the logs are spread, one after the other. Default 1. */
  readonly entries?: number;
  /** Folder of the entries, such as `export/logs`. Default none. */
  readonly folder?: string;
  /** True if a zip of no logs holds no entry, instead of an empty one. */
  readonly emptyWithoutEntry?: boolean;
  /** Form of times. Default `milliseconds`. Filters use the full times in every form. */
  readonly times?: TimeForm;
  /** Time zone of the form `local`. Default UTC. */
  readonly zone?: string;
}

/** Writes logs into a zip. The same logs and layout give the same bytes. */
export async function zipLogs(
  logs: readonly Log[],
  layout: ArchiveLayout = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const { format = 'ndjson', entries = 1, folder, emptyWithoutEntry = false } = layout;
  if (emptyWithoutEntry && logs.length === 0) return zipFiles([]);
  const writeTime = timeWriter(layout.times, layout.zone);
  const size = Math.max(1, Math.ceil(logs.length / entries));
  const files: NamedContent[] = [];
  for (let index = 0; index < entries; index += 1) {
    const name = entries === 1 ? `logs.${format}` : `logs-${index + 1}.${format}`;
    const part = logs.slice(index * size, (index + 1) * size);
    const text = await encodeTexts(writeLogs(part, format, writeTime));
    files.push({ name: folder ? `${folder}/${name}` : name, text });
  }
  return zipFiles(files);
}

/** A file of a zip. */
interface NamedContent {
  readonly name: string;
  readonly text: string | Uint8Array;
}

/** Unusual content of a zip, to test a client with. */
export const zipOddities = ['readme', 'manifest', 'picture', 'climbing', 'nested', 'twice'] as const;

export type ZipOddity = (typeof zipOddities)[number];

/**
 * Writes a zip with unusual content: a text for people, a list of its files, a picture, logs under a name that leaves the
 * folder, in a nested zip or in two entries.
 */
export async function zipWithOddities(
  logs: readonly Log[],
  { format = 'ndjson' }: ArchiveLayout,
  kinds: readonly ZipOddity[],
): Promise<Uint8Array<ArrayBuffer>> {
  const text = await encodeTexts(writeLogs(logs, format));
  const folder = kinds.includes('climbing') ? '../../' : '';
  const files = [{ name: `${folder}logs.${format}`, text }];
  if (kinds.includes('twice')) files.push({ name: `copy.${format}`, text });
  const held = kinds.includes('nested') ? [{ name: 'logs.zip', text: await zipFiles(files) }] : files;
  return zipFiles([
    ...(kinds.includes('readme') ? [{ name: 'README.txt', text: readme }] : []),
    ...(kinds.includes('manifest') ? [{ name: 'manifest.json', text: manifestOf(logs) }] : []),
    ...held,
    ...(kinds.includes('picture') ? [{ name: 'logo.png', text: picture }] : []),
  ]);
}

const readme =
  'Logs of the deployment\n\nThis archive was made by an export. Each entry holds one log a line.\n';

function manifestOf({ length }: readonly Log[]): string {
  return `${JSON.stringify({ version: '11.5', files: 1, records: length })}\n`;
}

/** The first bytes of a picture. */
const picture = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13);

/** Writes files into a zip. The same files give the same bytes. */
export async function zipFiles(files: readonly NamedContent[]): Promise<Uint8Array<ArrayBuffer>> {
  const zip = new JSZip();
  // The oldest time that a zip can hold: it carries no information and never changes.
  const date = new Date(Date.UTC(1980, 0, 1));
  for (const { name, text } of files) zip.file(name, text, { date, createFolders: false });
  return new Uint8Array(
    await zip.generateAsync({ type: 'arraybuffer', compression: 'DEFLATE', platform: 'UNIX' }),
  );
}

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

/** Forms of times in exported logs. The interface document has milliseconds; real deployments differ. */
export const timeForms = ['milliseconds', 'seconds', 'epoch seconds', 'local'] as const;

/**
 * `milliseconds` since the epoch; the same with the fraction of a `seconds`
 * cut off; seconds since the epoch; the date and time of a `local` clock,
 * without its zone.
 */
type TimeForm = (typeof timeForms)[number];

/** Writes a time, milliseconds since the epoch. */
type WriteTime = (time: number) => number | string;

/**
 * Creates a writer of times. `zone` is that of the local clock, a name of the time zone database. Throws a
 * RangeError for an unknown zone.
 */
function timeWriter(form: TimeForm = 'milliseconds', zone = 'UTC'): WriteTime {
  switch (form) {
    case 'milliseconds':
      return (time) => time;
    case 'seconds':
      return (time) => Math.floor(time / 1000) * 1000;
    case 'epoch seconds':
      return (time) => Math.floor(time / 1000);
    case 'local':
      return localWriter(zone);
  }
}

function localWriter(timeZone: string): WriteTime {
  // The Swedish form of a date is that of ISO 8601, except for a blank in its middle.
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone });
  return (time) => {
    const milliseconds = String(((time % 1000) + 1000) % 1000).padStart(3, '0');
    return `${format.format(time).replace(' ', 'T')}.${milliseconds}`;
  };
}

/** Longest time of work without a break in milliseconds, so that other requests are answered soon. */
const slice = 10;

/** Encodes texts as UTF-8, one after the other. Yields to requests and timers between them. */
export async function encodeTexts(texts: Iterable<string>): Promise<Uint8Array> {
  const encoded: Buffer[] = [];
  let gathered: string[] = [];
  let since = performance.now();
  for (const text of texts) {
    gathered.push(text);
    if (performance.now() - since < slice) continue;
    encoded.push(Buffer.from(gathered.join('')));
    gathered = [];
    await nextTurn();
    since = performance.now();
  }
  return Buffer.concat([...encoded, Buffer.from(gathered.join(''))]);
}

/**
 * Writes logs to a file, which is replaced after all are written. Memory does not grow with their number.
 * Rejects with the system's error.
 *
 * ```ts
 * await writeLogFile('incident.ndjson', incidentLogs({ count: 1_000_000 }));
 * ```
 */
export async function writeLogFile(
  path: string,
  logs: Iterable<Log>,
  format: LogFormat = 'ndjson',
): Promise<void> {
  await using file = await beginAtomicFile(path);
  await pipeline(Readable.from(writeLogs(logs, format)), createWriteStream(file.temporary));
  await file.finish();
}
