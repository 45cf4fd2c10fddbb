import { parseJsonObject, readJsonRecord, readRecordMembers } from './json.ts';
import { findPrefix, withoutColours } from './line-prefix.ts';
import { lineCutter, type TextLine } from './lines.ts';
import {
  type Position,
  type ReaderOptions,
  type ReadRecord,
  type RecordReader,
  tooLongRecord,
  unreadableRecord,
} from './log.ts';
import { readTextRecord, type TextFormatName, textFormats } from './text-formats.ts';
import type { Zone } from './time.ts';

/** Formats of entries with a record in each line, or in some lines, of a text. */
export type LinesFormat =
  | TextFormatName
  /** Lines with a prefix of `kubectl logs`, syslog and others before JSON or any text. */
  | 'prefixed lines'
  /** Extended log files (W3C): IIS, CloudFront. */
  | 'w3c';

/** Lines by which a format is recognised. */
const sniffedLines = 50;

/**
 * Recognises text lines by the lines of their beginning: the format that most of them fit, at least half, or, if its
 * records have several lines, at least one in ten.
 */
export function sniffLines(start: string): LinesFormat | undefined {
  if (/^#(Software|Version|Date|Fields|Start-Date): /.test(start)) return 'w3c';
  const lines = start
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, sniffedLines);
  const fits = (test: (line: string) => boolean) => lines.filter(test).length;
  let best: { readonly format: LinesFormat; readonly count: number } | undefined;
  for (const { name, pattern, isMultiline } of textFormats) {
    const count = fits((line) => pattern.test(line));
    if (lines.length * (isMultiline ? 0.1 : 0.5) <= count && (best?.count ?? 0) < count)
      best = { format: name, count };
  }
  const prefixed = fits((line) => findPrefix(line, isAnyText) !== undefined);
  return lines.length * 0.5 <= prefixed && (best?.count ?? 0) < prefixed ? 'prefixed lines' : best?.format;
}

/** Reads the lines of a record, without their line feeds. */
type ReadLines = (lines: readonly string[], text: RecordText) => ReadRecord;

/** What a line is: the first of a record, one more of the current record, none of a record, or a misfit. */
type LineRole = ReadLines | 'more' | 'none' | 'misfit';

/** Returns the role of a line behind those of the current record. */
type RoleOf = (line: string, current: readonly string[]) => LineRole;

/** Creates a reader of text lines. A line that belongs to no record is unreadable. */
export function linesReader(format: LinesFormat, { maxLength, zone }: ReaderOptions): RecordReader {
  const cutter = lineCutter(maxLength);
  const roleOf = rolesOf(format);
  let count = 0;
  let read: ReadLines | undefined;
  let texts: string[] = [];
  let lines: TextLine[] = [];

  return {
    push: (chunk) => cutter.push(chunk).flatMap(take),
    end: () => [...cutter.end().flatMap(take), ...close()],
  };

  function take(line: TextLine): readonly ReadRecord[] {
    if (line.isCut) return [...close(), tooLongRecord(line.text, positionOf([line]), maxLength)];
    const text = withoutColours(line.text)
      .replace(/^\ufeff/, '')
      .replace(/\r+$/, '');
    const role = roleOf(text, texts);
    if (role === 'none') return [];
    if (role === 'more' && read && line.offset + line.length - (lines[0]?.offset ?? 0) <= maxLength) {
      add(line, text);
      return [];
    }
    const before = close();
    if (typeof role === 'string') {
      const reason = `The line does not fit the format of the entry, "${format}"`;
      return [
        ...before,
        unreadableRecord('BAD_LINE', reason, { raw: line.text, position: positionOf([line]) }),
      ];
    }
    read = role;
    add(line, text);
    return before;
  }

  function add(line: TextLine, text: string): void {
    texts.push(text);
    lines.push(line);
  }

  function close(): readonly ReadRecord[] {
    if (!read) return [];
    const raw = lines.map(({ text }) => text).join('\n');
    const record = read(texts, { raw, position: positionOf(lines), zone });
    [read, texts, lines] = [undefined, [], []];
    return [record];
  }

  function positionOf(of: readonly TextLine[]): Position {
    const [first, last] = [of[0], of.at(-1)];
    const offset = first?.offset ?? 0;
    return { number: ++count, offset, length: last ? last.offset + last.length - offset : 0 };
  }
}

function rolesOf(format: LinesFormat): RoleOf {
  if (format === 'prefixed lines') return prefixedRole;
  if (format === 'w3c') return w3cRoles();
  const own = textFormats.filter(({ name }) => name === format);
  const isMultiline = own.some((format) => format.isMultiline);
  return (line, current) => {
    const found = own.find(({ pattern }) => pattern.test(line));
    if (found) return (lines, text) => readRecordMembers(readTextRecord(found, lines.join('\n')) ?? {}, text);
    if (isMultiline && 0 < current.length) return 'more';
    return line.trim() === '' ? 'none' : 'misfit';
  };
}

/** A prefix without a time stands before JSON or a known format only: other text may just look like it. */
const isJson = (rest: string) => rest.startsWith('{') && parseJsonObject(rest) !== undefined;

function isAnyText(rest: string, { time }: Readonly<Record<string, string>>): boolean {
  if (rest.trim() === '') return false;
  return time !== undefined || isJson(rest) || textFormats.some(({ pattern }) => pattern.test(rest));
}

/** Lines that go on with a text: those of a stack trace, and whatever is indented. */
const continuation = /^(\s+\S|Caused by: |Suppressed: |\.\.\. \d+ (more|common))/;

function prefixedRole(line: string, current: readonly string[]): LineRole {
  const found = findPrefix(line, isAnyText);
  if (!found) return line.trim() === '' || findPrefix(line, (rest) => rest === '') ? 'none' : 'misfit';
  const before = current.at(-1);
  if (before !== undefined && isPartial(before)) return 'more';
  const rest = line.slice(found.length);
  return 0 < current.length && continuation.test(rest) ? 'more' : readPrefixed;
}

/** Reports if a container runtime cut a line here (CRI), because it is long. */
function isPartial(line: string): boolean {
  return findPrefix(line, () => true)?.parts.tag === 'P';
}

function readPrefixed(lines: readonly string[], text: RecordText): ReadRecord {
  const { parts = {} } = findPrefix(lines[0] ?? '', isAnyText) ?? {};
  let message = '';
  for (const [at, line] of lines.entries()) {
    const isNew = at === 0 || isPartial(lines[at - 1] ?? '');
    message += `${isNew ? '' : '\n'}${line.slice(findPrefix(line, isAnyText)?.length ?? 0)}`;
  }
  const { time, program, host, pid, tag: _, ...others } = parts;
  const around = {
    ...(time !== undefined && time !== '-' && !/^[A-Z]/.test(time) && { time }),
    ...(host !== undefined && { machine: host }),
    ...(program !== undefined && { source: program }),
    ...(pid !== undefined && { process: pid }),
  };
  if (isJson(message))
    return withAround(readJsonRecord({ ...text, raw: message }), { ...text, parts, around, message });
  const format = textFormats.find(({ pattern }) => pattern.test(message.split('\n', 1)[0] ?? ''));
  const own = format && readTextRecord(format, message);
  const prefix = {
    ...others,
    ...(own && parts.time !== undefined && { time: parts.time }),
    ...(!around.time && time !== undefined && { time }),
  };
  return readRecordMembers(
    { ...around, ...(own ?? { msg: message }), ...(0 < Object.keys(prefix).length && { prefix }) },
    text,
  );
}

/** Adds a prefix to a record of JSON; its time counts if the record has none. */
function withAround(
  record: ReadRecord,
  { parts, around, message, ...text }: RecordText & Around,
): ReadRecord {
  const isLog = record.kind === 'log' && record.log.time !== undefined;
  if (isLog || around.time === undefined) {
    const own = { ...record, raw: text.raw, position: text.position };
    return own.kind === 'log' ? { ...own, extra: { ...own.extra, prefix: parts } } : own;
  }
  return readRecordMembers({ time: around.time, ...parseJsonObject(message), prefix: parts }, text);
}

interface Around {
  readonly parts: Readonly<Record<string, string>>;
  readonly around: { readonly time?: string };
  readonly message: string;
}

/** Roles of the lines of an extended log file (W3C): a heading names the columns, and may come again with others. */
function w3cRoles(): RoleOf {
  let columns: readonly string[] = [];
  let date: string | undefined;
  let source = 'W3C';
  return (line) => {
    const [, name, value = ''] = /^#([\w-]+): ?(.*)$/.exec(line) ?? [];
    if (name === 'Fields') columns = value.trim().split(/\s+/);
    if (name === 'Date' || name === 'Start-Date') date = value.slice(0, 10);
    if (name === 'Software' && /Internet Information/i.test(value)) source = 'IIS';
    if (columns.includes('x-edge-location')) source = 'CloudFront';
    if (line.startsWith('#') || line.trim() === '') return 'none';
    const values = line.includes('\t') ? line.split('\t') : line.trim().split(/ +/);
    if (columns.length === 0 || values.length !== columns.length) return 'misfit';
    const members = w3cMembers({ columns, values, date, source });
    return (_, text) => readRecordMembers(members, text);
  };
}

/** Converts a row. Times are UTC, by the definition of the format; IIS has milliseconds in "time-taken", others have seconds. */
function w3cMembers({
  columns,
  values,
  date,
  source,
}: {
  readonly columns: readonly string[];
  readonly values: readonly string[];
  readonly date: string | undefined;
  readonly source: string;
}): Readonly<Record<string, string>> {
  const row = new Map(columns.map((column, at) => [column, values[at] ?? '-']));
  const of = (column: string) => {
    const value = row.get(column);
    return value === '-' ? undefined : value;
  };
  const [day, time] = [of('date') ?? date, of('time')];
  const query = of('cs-uri-query');
  const request = [
    of('cs-method'),
    `${of('cs-uri-stem') ?? ''}${query === undefined ? '' : `?${query}`}`,
    of('sc-status'),
  ];
  const taken = Number(of('time-taken') ?? Number.NaN);
  const rest = [...row].filter(([column, value]) => value !== '-' && column !== 'date' && column !== 'time');
  return {
    ...Object.fromEntries(rest),
    source,
    ...(day !== undefined && time !== undefined && { time: `${day}T${time}Z` }),
    msg: request.filter((part) => part !== undefined && part !== '').join(' '),
    ...(of('cs-username') !== undefined && { username: of('cs-username') ?? '' }),
    ...(of('s-computername') !== undefined && { machine: of('s-computername') ?? '' }),
    ...(Number.isFinite(taken) && { elapsed: String(source === 'IIS' ? taken / 1_000 : taken) }),
  };
}

/** Text of a record, its position, and the zone of times that name none. */
interface RecordText {
  readonly raw: string;
  readonly position: Position;
  readonly zone: Zone;
}
