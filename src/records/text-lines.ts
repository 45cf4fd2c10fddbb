import { isWholeLog, parseJsonObject, readJsonRecord, readRecordMembers } from './json.ts';
import { readLevel } from './levels.ts';
import { findPrefix, type LinePrefix, withoutColours } from './line-prefix.ts';
import { lineCutter, type TextLine } from './lines.ts';
import {
  type Position,
  type ReaderOptions,
  type ReadRecord,
  type RecordReader,
  tooLongRecord,
  unreadableRecord,
} from './log.ts';
import {
  readKnownText,
  readTextRecord,
  readTimedLine,
  type TextFormatName,
  textFormats,
} from './text-formats.ts';
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
  // With the ends of lines of old systems all of it is one line.
  if (!start.includes('\n') && /\r./.test(start)) return undefined;
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

/** Reads the lines of a record, without their line feeds: several, if programs wrote them by turns. */
type ReadLines = (lines: readonly string[], text: RecordText) => ReadRecord | readonly ReadRecord[];

/** Role of a line: the first of a record, one more of the current record, none of a record, or a misfit. */
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
    const records = [read(texts, { raw, position: positionOf(lines), zone })].flat();
    [read, texts, lines] = [undefined, [], []];
    return records.map((record, at) =>
      at === 0 ? record : { ...record, position: { ...record.position, number: ++count } },
    );
  }

  function positionOf(of: readonly TextLine[]): Position {
    const [first, last] = [of[0], of.at(-1)];
    const offset = first?.offset ?? 0;
    return { number: ++count, offset, length: last ? last.offset + last.length - offset : 0 };
  }
}

function rolesOf(format: LinesFormat): RoleOf {
  if (format === 'prefixed lines') return prefixedRoles();
  if (format === 'w3c') return w3cRoles();
  const own = textFormats.filter(({ name }) => name === format);
  const isMultiline = own.some((format) => format.isMultiline);
  // A line of another format is no more text of the record before it: servers print the logs of several programs.
  const formats = [...own, ...textFormats.filter(({ name }) => name !== format)];
  return (line, current) => {
    for (const format of isMultiline ? formats : own) {
      const members = readTextRecord(format, line);
      if (members)
        return (lines, text) =>
          withoutYear(
            readRecordMembers(
              lines.length === 1 ? members : (readTextRecord(format, lines.join('\n')) ?? members),
              text,
            ),
            members.clock,
          );
    }
    if (isMultiline && isLogOfDeployment(line)) return line.startsWith('{') ? readJsonLine : 'misfit';
    const timed = isMultiline ? readTimedLine(line, own[0]?.source ?? format) : undefined;
    if (timed)
      return ([, ...more], text) =>
        readRecordMembers(
          more.length === 0 ? timed : { ...timed, msg: [timed.msg, ...more].join('\n') },
          text,
        );
    if (isMultiline && 0 < current.length) return 'more';
    return line.trim() === '' ? 'none' : 'misfit';
  };
}

/** Reports if a line is a log of the deployment, in JSON or as a `<Msg>`, amid the text of other programs. */
function isLogOfDeployment(line: string): boolean {
  if (/^<msg\s/i.test(line)) return true;
  const members = line.startsWith('{') ? parseJsonObject(line) : undefined;
  return members !== undefined && isWholeLog(members);
}

const readJsonLine: ReadLines = ([line = ''], text) => ({
  ...readJsonRecord({ ...text, raw: line }),
  raw: text.raw,
});

/** Adds to a log without a time the remark that it has one which names no year. */
function withoutYear(record: ReadRecord, clock: string | undefined): ReadRecord {
  if (clock === undefined || record.kind !== 'log' || record.log.time !== undefined) return record;
  return { ...record, remarks: [...(record.remarks ?? []), { code: 'WRONG_TYPE', field: 'time' }] };
}

/** A prefix without a time stands before JSON or a known format only: other text may just look like it. */
const isJson = (rest: string) => rest.startsWith('{') && parseJsonObject(rest) !== undefined;

function isAnyText(rest: string, { time }: Readonly<Record<string, string>>): boolean {
  if (rest.trim() === '') return false;
  return time !== undefined || isJson(rest) || textFormats.some(({ pattern }) => pattern.test(rest));
}

/** Lines that go on with a text: those of a stack trace, and whatever is indented. */
const continuation = /^(\s+\S|Caused by: |Suppressed: |\.\.\. \d+ (more|common))/;

/**
 * Roles of lines with prefixes. A line that a container runtime cut, because it is long, goes on in the next one of its
 * stream; those of the other stream may stand between.
 */
function prefixedRoles(): RoleOf {
  /** The prefixes of the lines of the current record, and the streams whose last line goes on. */
  let prefixes: LinePrefix[] = [];
  let open = new Set<string>();
  const add = (found: LinePrefix) => {
    prefixes.push(found);
    if (isPartial(found)) open.add(streamOf(found));
    else open.delete(streamOf(found));
  };
  return (line, current) => {
    const found = findPrefix(line, isAnyText);
    if (!found) return line.trim() === '' || findPrefix(line, (rest) => rest === '') ? 'none' : 'misfit';
    if (0 < current.length && (0 < open.size || continuation.test(line.slice(found.length)))) {
      add(found);
      return 'more';
    }
    const own: LinePrefix[] = [];
    [prefixes, open] = [own, new Set()];
    add(found);
    return (lines, text) => readByStream(lines, own, text);
  };
}

/** Reports if a container runtime cut the line of a prefix (CRI). */
function isPartial(prefix: LinePrefix | undefined): boolean {
  return prefix?.parts.tag === 'P';
}

function streamOf({ parts }: LinePrefix): string {
  return parts.stream ?? '';
}

/** A line with its prefix. */
interface PrefixedLine {
  readonly line: string;
  readonly prefix: LinePrefix;
}

/** Reads lines that container runtimes cut, whose streams came by turns. */
function readByStream(
  lines: readonly string[],
  prefixes: readonly LinePrefix[],
  text: RecordText,
): readonly ReadRecord[] {
  const groups: PrefixedLine[][] = [];
  const open = new Map<string, PrefixedLine[]>();
  for (const [at, line] of lines.entries()) {
    const prefix = prefixes[at];
    if (!prefix) continue;
    const stream = streamOf(prefix);
    const goesOn = continuation.test(line.slice(prefix.length)) ? groups.at(-1) : undefined;
    const known = open.get(stream) ?? goesOn;
    const group = known ?? [];
    if (!known) groups.push(group);
    group.push({ line, prefix });
    if (isPartial(prefix)) open.set(stream, group);
    else open.delete(stream);
  }
  return groups.map((group) => readPrefixed(group, text));
}

function readPrefixed(lines: readonly PrefixedLine[], text: RecordText): ReadRecord {
  const { parts = {} } = lines[0]?.prefix ?? {};
  let message = '';
  for (const [at, { line, prefix }] of lines.entries()) {
    const isNew = at === 0 || isPartial(lines[at - 1]?.prefix);
    message += `${isNew ? '' : '\n'}${line.slice(prefix.length)}`;
  }
  if (message.startsWith('{')) {
    const read = readJsonRecord({ ...text, raw: message });
    if (read.kind === 'log' || read.code !== 'BAD_JSON') return withPrefix(read, { message, parts, text });
  }
  const { time, program: _, host: _host, pid: _pid, tag: _tag, ...others } = parts;
  const prefix: Record<string, string> = others;
  const around = aroundOf(parts);
  const own = readKnownText(message);
  if (time !== undefined && (own || around.time === undefined)) prefix.time = time;
  const members = Object.assign(around, own ?? { msg: message });
  const read = readRecordMembers(0 < Object.keys(prefix).length ? { ...members, prefix } : members, text);
  return withoutYear(read, own?.clock ?? time);
}

/** Severities of syslog in the order of their numbers (RFC 5424, section 6.2.1). */
const severities = ['EMERG', 'ALERT', 'CRIT', 'ERR', 'WARNING', 'NOTICE', 'INFO', 'DEBUG'] as const;

/** Members of a log that a prefix has. A time without a year is none. */
function aroundOf({ time, program, host, pid, priority }: LinePrefix['parts']): Record<string, unknown> {
  const around: Record<string, unknown> = {};
  if (time !== undefined && time !== '-' && !/^[A-Z]/.test(time)) around.time = time;
  if (host !== undefined) around.machine = host;
  if (program !== undefined) around.source = program;
  if (pid !== undefined) around.process = pid;
  if (priority !== undefined) around.level = severities[Number(priority) % severities.length];
  return around;
}

/** A text behind a prefix, with the text of the whole record. */
interface Prefixed {
  readonly message: string;
  readonly parts: LinePrefix['parts'];
  readonly text: RecordText;
}

/** Adds a prefix to a record of JSON; its time counts if the record has none. */
function withPrefix(record: ReadRecord, { message, parts, text }: Prefixed): ReadRecord {
  const { raw, position } = text;
  const { time, level } = aroundOf(parts);
  const own = record.kind === 'log' && record.log.logLevel !== undefined ? undefined : readLevel(level);
  if (time !== undefined && (record.kind !== 'log' || record.log.time === undefined)) {
    const members = { ...(own && { level: own }), time, ...parseJsonObject(message), prefix: parts };
    return readRecordMembers(members, text);
  }
  if (record.kind !== 'log') return { ...record, raw, position };
  const { extra, remarks } = record;
  const log = own ? { ...record.log, logLevel: own } : record.log;
  const whole = { kind: 'log', log, extra: { ...extra, prefix: parts }, raw, position } as const;
  return withoutYear(remarks ? { ...whole, remarks } : whole, parts.time);
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
  const row: Record<string, string> = {};
  for (let at = 0; at < columns.length; at++) {
    const [column = '', value = '-'] = [columns[at], values[at]];
    if (value !== '-') row[column] = value;
  }
  const { date: day = date, time, ...members } = row;
  const query = row['cs-uri-query'];
  const target = `${row['cs-uri-stem'] ?? ''}${query === undefined ? '' : `?${query}`}`;
  const request = [row['cs-method'], target, row['sc-status']];
  const taken = Number(row['time-taken'] ?? Number.NaN);
  members.source = source;
  if (day !== undefined && time !== undefined) members.time = `${day}T${time}Z`;
  members.msg = request.filter((part) => part !== undefined && part !== '').join(' ');
  if (row['cs-username'] !== undefined) members.username = row['cs-username'];
  if (row['s-computername'] !== undefined) members.machine = row['s-computername'];
  if (Number.isFinite(taken)) members.elapsed = String(source === 'IIS' ? taken / 1_000 : taken);
  return members;
}

/** Text of a record, its position, and the zone of times that name none. */
interface RecordText {
  readonly raw: string;
  readonly position: Position;
  readonly zone: Zone;
}
