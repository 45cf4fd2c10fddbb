import { isObject, type JsonObject, parseJson } from './exact-json.ts';
import { readLevel } from './levels.ts';
import { withoutColours } from './line-prefix.ts';
import { concatBytes, linesOf, type Region, regionCutter, type TextLine } from './lines.ts';
import {
  aliasOf,
  type LogField,
  type LogRecord,
  maxRawLength,
  type Position,
  type ReaderOptions,
  type ReadRecord,
  type RecordReader,
  replacementCharacter,
  textFields,
  tooLongRecord,
  type UnreadableCode,
  unreadableRecord,
} from './log.ts';
import { isRowStart, readOwnLog } from './own-forms.ts';
import { toTime, utcClocks } from './time.ts';
import { besideTime, toLog } from './to-log.ts';

/** Creates a reader of NDJSON: one JSON object per line. Blank lines are ignored. */
export function ndjsonReader(options: ReaderOptions): RecordReader {
  const cutter = regionCutter(options.maxLength);
  let count = 0;
  return { push: (chunk) => [...read(cutter.push(chunk))], end: () => [...read(cutter.end())] };

  function* read(regions: readonly Region[]): Generator<ReadRecord> {
    for (const region of regions) {
      for (const record of readRegion(region, { ...options, before: count })) {
        count++;
        yield record;
      }
    }
  }
}

/** Yields the records of an NDJSON region; `before` is the number of records preceding it. */
export function* readRegion(
  region: Region,
  { maxLength, zone, asMembers, before }: ReaderOptions & { readonly before: number },
): Generator<ReadRecord, void, undefined> {
  let number = before;
  for (const line of linesOf(region, maxLength)) {
    if (!isFilled(line)) continue;
    const position: Position = { number: ++number, offset: line.offset, length: line.length };
    yield line.isCut
      ? tooLongRecord(line.text, position, maxLength)
      : readJsonRecord({ raw: line.text, position, zone, asMembers });
  }
}

function isFilled(line: TextLine): boolean {
  return /\S/.test(line.text);
}

/** Maximum nesting depth of a record. */
const maxDepth = 1_000;

/** Maximum length of a name of a list that is looked at. Bytes. */
const longestName = 20;

/** Maximum broken records, each beginning inside the one before, until reading continues behind them. */
const maxRestarts = 32;

const noOffset = -1;

/**
 * Creates a reader of JSON other than one value per line. It reads a list of records, an object
 * with lists of them at any depth, and consecutive records over several lines.
 *
 * It follows the structure and extracts records: objects in a list or alone, outside any other
 * record. A record with invalid JSON ends where the next one appears to begin, so that one damaged
 * record does not consume the rest.
 */
export function jsonReader({ maxLength, zone, asMembers }: ReaderOptions): RecordReader {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let buffer: Uint8Array = new Uint8Array(0);
  /** Bytes of the entry before the buffer. */
  let base = 0;
  /** Read offset in the buffer, and if it is inside a string. */
  let at = 0;
  let inString = false;
  /** Open lists and objects around the records, and those inside the current record. */
  let outer: number[] = [];
  let inner: number[] = [];
  /** The current top-level object holds a list of objects but is itself a log, or a table. */
  let isLogWithList = false;
  /** Columns of the table whose rows are read, and the number of lists and objects around them. */
  let table: { readonly columns: readonly string[]; readonly depth: number } | undefined;
  /** The current record was looked at for rows, and has none. */
  let isNoTable = false;
  /** The current top-level object is a reply with tables: other objects of it, as its error, are no records. */
  let hasTables = false;
  let isBeside = false;
  /** Last text outside of records: the name of a list that begins. */
  let name = '';
  /** Members of a reply that describe its fields and its search, beside its records. */
  const described = {
    list: '',
    columns: [] as string[],
    isRead: false,
    first: undefined as ReadRecord | undefined,
  };
  /** Last character of the current record, white space excluded. */
  let previous: number = jsonByte.openObject;
  /** Offset in the entry of the current record or damaged block. */
  let start = noOffset;
  /** Beginning of a block that exceeds the buffer limit. */
  let head: Uint8Array | undefined;
  let damage: { readonly code: UnreadableCode; readonly reason: string } | undefined;
  let isDamaged = false;
  let restarts = 0;
  let count = 0;
  let found: ReadRecord[] = [];

  return { push, end };

  function push(chunk: Uint8Array): ReadRecord[] {
    takeIn(chunk);
    run();
    return takeFound();
  }

  function end(): ReadRecord[] {
    run();
    while (0 < inner.length) {
      breakOff('TRUNCATED', 'The entry ends inside the record');
      run();
    }
    if (0 < outer.length && !isDamaged) {
      start = base + buffer.length;
      breakOff('TRUNCATED', 'The entry ends before its list does: records may be missing');
    }
    emitDamage(base + buffer.length);
    if (described.first && !described.isRead && count === 0) found.push(described.first);
    return takeFound();
  }

  function run(): void {
    while (at < buffer.length && step());
  }

  function takeFound(): ReadRecord[] {
    const records = found;
    found = [];
    return records;
  }

  /** Adds bytes to the buffer and drops those that no record needs. */
  function takeIn(chunk: Uint8Array): void {
    const limit = damage ? maxRawLength * 3 : maxLength;
    if (start !== noOffset && !head && limit < base + buffer.length - start)
      head = buffer.slice(start - base, start - base + maxRawLength * 3);
    const keepFrom = start === noOffset || head ? at : start - base;
    buffer = concatBytes(buffer.subarray(keepFrom), chunk);
    base += keepFrom;
    at -= keepFrom;
  }

  /** Reads one character; false if more bytes are required. */
  function step(): boolean {
    if (damage) return seekNext();
    if (inString) return passString();
    const code = buffer[at];
    if (code === undefined) return false;
    if (isJsonWhiteSpace(code)) at++;
    else if (inner.length === 0) return outside(code);
    else return inside(code);
    return true;
  }

  function outside(code: number): boolean {
    const parent = outer.at(-1);
    if (code === jsonByte.openObject && parent !== jsonByte.openObject) begin(code);
    else if (code === jsonByte.openList && table?.depth === outer.length) begin(code);
    else if (code === jsonByte.openObject && hasTables && outer.length === 1) beginBeside();
    else if (code === jsonByte.openObject || code === jsonByte.openList) {
      if (outer.length < maxDepth) outer.push(code);
      if (outer.length === 2 && parent === jsonByte.openObject) beginList(name);
    } else if (code === jsonByte.closeObject || code === jsonByte.closeList) {
      if (parent === openingBracketOf(code)) outer.pop();
      if (table && outer.length < table.depth) table = undefined;
      if (outer.length === 0) hasTables = false;
    } else if (outer.length < 2 && parent !== jsonByte.openObject && code !== jsonByte.comma) {
      start = base + at;
      breakOff('NOT_A_RECORD', 'The value is not a record');
      return true;
    } else if (code === jsonByte.quote) {
      inString = true;
      name = '';
    }
    at++;
    return true;
  }

  /** Looks at the name of a list of a top-level object. The rows of Splunk are lists if it was asked for them so. */
  function beginList(list: string): void {
    described.list = list;
    described.isRead ||= list === 'results' || list === 'rows';
    if (list === 'rows' && 0 < described.columns.length)
      table = { columns: distinctNames(described.columns), depth: outer.length };
  }

  function begin(code: number): void {
    start = base + at;
    inner.push(code);
    previous = code;
    isLogWithList = false;
    isNoTable = code === jsonByte.openList;
    isBeside = false;
  }

  function beginBeside(): void {
    begin(jsonByte.openObject);
    isNoTable = true;
    isBeside = true;
  }

  function inside(code: number): boolean {
    if (!mayFollow(code, previous, inner.at(-1)))
      return breakOff('BAD_JSON', `The record is not JSON: ${where()}`);
    previous = isStructural(code) ? code : jsonByte.literal;
    at++;
    if (code === jsonByte.quote) inString = true;
    else if (code === jsonByte.openObject || code === jsonByte.openList) open(code);
    else if (code === jsonByte.closeObject || code === jsonByte.closeList) close();
    return true;
  }

  function open(code: number): void {
    const isInList = code === jsonByte.openObject && inner.at(-1) === jsonByte.openList && outer.length === 0;
    if (isInList && !isLogWithList) isLogWithList = isLogSoFar();
    const isRow = code === jsonByte.openList && inner.at(-1) === jsonByte.openList && inner.length === 2;
    if (isInList && !isLogWithList) beginInList(code);
    else if (isRow && !isNoTable && beginsTable()) beginInList(code);
    else inner.push(code);
    if (maxDepth < inner.length) breakOff('TOO_DEEP', `The record is nested deeper than ${maxDepth} levels`);
  }

  /** Handles an object that proves to hold the records in a list: starts the first of them. */
  function beginInList(code: number): void {
    if (outer.length === 0 && inner.length === 2)
      described.list = Object.keys(membersSoFar() ?? {}).at(-1) ?? '';
    outer = [...outer, ...inner];
    inner = [];
    head = undefined;
    at--;
    begin(code);
    at++;
  }

  function isLogSoFar(): boolean {
    const members = membersSoFar();
    return (
      members !== undefined && (isWholeLog(members) || isRowStart(members) || isLast(members, /^columns$/i))
    );
  }

  /** Reports if the current record is a table whose first row begins. */
  function beginsTable(): boolean {
    isNoTable = true;
    const columns = columnsOf(membersSoFar());
    if (columns) table = { columns, depth: outer.length + inner.length };
    hasTables ||= columns !== undefined && outer.length === 2 && outer[0] === jsonByte.openObject;
    return columns !== undefined;
  }

  /** The members of the current record, with the lists and objects that are open empty. */
  function membersSoFar(): JsonObject | undefined {
    const closers = inner.map((code) => (code === jsonByte.openList ? ']' : '}')).reverse();
    // The value that begins may follow others of its list.
    const raw = head ? '' : rawUpTo(base + at - 1).replace(/,\s*$/, '');
    return parseJsonObject(raw + closers.join(''));
  }

  function close(): void {
    inner.pop();
    if (inner.length === 0) emitRecord();
  }

  /** Skips to the end of the current string; false if the end has not arrived. */
  function passString(): boolean {
    const close = findClosingQuote(buffer, at);
    const lineFeed = buffer.subarray(at, close < 0 ? undefined : close).indexOf(jsonByte.lineFeed);
    if (0 <= lineFeed) {
      at += lineFeed;
      inString = false;
      if (0 < inner.length)
        breakOff('BAD_JSON', `The record is not JSON: a string is not closed, ${where()}`);
      return true;
    }
    // A trailing backslash must be read again together with the character it escapes.
    const from = at;
    at = close < 0 ? endWithoutBackslashes() : close + 1;
    if (inner.length === 0 && name.length < longestName)
      name += decoder.decode(buffer.subarray(from, close < 0 ? at : close).subarray(0, longestName));
    inString = close < 0;
    return !inString;
  }

  function endWithoutBackslashes(): number {
    let end = buffer.length;
    while (at < end && buffer[end - 1] === jsonByte.backslash) end--;
    return end;
  }

  function where(): string {
    return `at its byte ${base + at - start + 1}`;
  }

  function emitRecord(): void {
    const raw = rawUpTo(base + at);
    const position = { number: count + 1, offset: start, length: base + at - start };
    const isTooLong = head !== undefined || maxLength < position.length;
    const record = isTooLong
      ? tooLongRecord(raw, position, maxLength)
      : readJsonRecord({ raw, position, zone, asMembers, columns: table?.columns });
    const mayBeEmpty = asMembers || record.kind !== 'log';
    const isEmpty = outer.length === 0 ? isEmptyReply(record) : mayBeEmpty && isEmptyTable(record);
    const isDescription = mayBeEmpty && outer.length === 2 && describes(record);
    if (!isBeside && !isEmpty && !isDescription) {
      found.push(record);
      count++;
    }
    restarts = 0;
    head = undefined;
    start = noOffset;
  }

  /** Reports if a record of a list describes a column of a reply of Splunk, or tells of its search. */
  function describes(record: ReadRecord): boolean {
    const { list, columns } = described;
    if (outer[0] !== jsonByte.openObject || (list !== 'fields' && list !== 'messages')) return false;
    const members = parseJsonObject(record.raw) ?? {};
    const { name: column, type, text } = members;
    const isColumn = list === 'fields' && typeof column === 'string' && !holdsLog(members);
    if (isColumn) columns.push(column);
    if (isColumn) described.first ??= record;
    return (
      isColumn || (list === 'messages' && typeof text === 'string' && (type === 'INFO' || type === 'DEBUG'))
    );
  }

  function rawUpTo(offset: number): string {
    return decoder.decode(head ?? buffer.subarray(start - base, offset - base));
  }

  /** Gives up the current record; data up to the next record is damaged. */
  function breakOff(code: UnreadableCode, reason: string): true {
    damage = { code, reason };
    isDamaged = true;
    inner = [];
    inString = false;
    // Searching inside the failed record for the next one is limited because it takes time.
    if (!head && restarts++ < maxRestarts) at = Math.max(0, start + 1 - base);
    return true;
  }

  /** Finds the record that ends a damaged block. */
  function seekNext(): boolean {
    const { found, undecided } = findNextRecord(buffer, at);
    if (found < 0) {
      at = undecided;
      return false;
    }
    at = found;
    emitDamage(base + at);
    return true;
  }

  function emitDamage(to: number): void {
    if (!damage) return;
    const position = { number: ++count, offset: start, length: to - start };
    found.push(unreadableRecord(damage.code, damage.reason, { raw: rawUpTo(to), position }));
    damage = undefined;
    head = undefined;
    start = noOffset;
  }
}

/**
 * Returns the columns of a table whose rows are lists: a result of the query API of Azure Monitor, whose columns are
 * objects with a name, and the last member is the rows. Undefined if members are none.
 * https://learn.microsoft.com/azure/azure-monitor/logs/api/response-format
 */
function columnsOf(members: JsonObject | undefined): readonly string[] | undefined {
  const columns = members?.columns ?? members?.Columns;
  if (!members || !isLast(members, /^rows$/i) || !Array.isArray(columns)) return undefined;
  const names = columns.map((column) => (isObject(column) ? (column.name ?? column.ColumnName) : undefined));
  return names.every((name) => typeof name === 'string') ? distinctNames(names) : undefined;
}

/** Reports if the last member has a name. */
function isLast(members: JsonObject, name: RegExp): boolean {
  return name.test(Object.keys(members).at(-1) ?? '');
}

/** Makes the names of columns unique: a repeated name gets a number, so that no value overwrites another. */
export function distinctNames(columns: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return columns.map((column) => {
    let name = column;
    for (let number = 2; taken.has(name); number++) name = `${column}_${number}`;
    taken.add(name);
    return name;
  });
}

/** Reports if members have a time or a message. */
function holdsLog(members: JsonObject): boolean {
  const { log } = toLog(members, utcClocks);
  return log.time !== undefined || log.msg !== undefined;
}

/** Reports if a top-level object is a reply with an empty list of logs. */
function isEmptyReply(record: ReadRecord): boolean {
  if (record.kind === 'log' || record.code !== 'NO_LOG') return false;
  const members = parseJsonObject(record.raw) ?? {};
  if ('error' in members || 'status' in members) return false;
  return Object.values(members).some((value) => Array.isArray(value) && value.length === 0);
}

/** Reports if an object in a list is a table without a row. */
function isEmptyTable(record: ReadRecord): boolean {
  if (!/"rows"\s*:\s*\[\s*\]\s*\}$/i.test(record.raw)) return false;
  return columnsOf(parseJsonObject(record.raw)) !== undefined;
}

/** Returns the opening bracket of a closing bracket. */
function openingBracketOf(code: number): number {
  return code === jsonByte.closeObject ? jsonByte.openObject : jsonByte.openList;
}

/** Reports if a byte is a structural character of JSON (RFC 8259, section 2) or a quote. */
function isStructural(code: number): boolean {
  switch (code) {
    case jsonByte.quote:
    case jsonByte.comma:
    case jsonByte.colon:
    case jsonByte.openList:
    case jsonByte.closeList:
    case jsonByte.openObject:
    case jsonByte.closeObject:
      return true;
    default:
      return false;
  }
}

/** Reports if a character may follow another in JSON. An approximation: the parser decides. */
function mayFollow(code: number, previous: number, parent: number | undefined): boolean {
  const afterValue =
    previous === jsonByte.quote ||
    previous === jsonByte.closeObject ||
    previous === jsonByte.closeList ||
    previous === jsonByte.literal;
  switch (code) {
    case jsonByte.comma:
      return afterValue;
    case jsonByte.colon:
      return previous === jsonByte.quote && parent === jsonByte.openObject;
    case jsonByte.closeObject:
    case jsonByte.closeList:
      return parent === openingBracketOf(code) && previous !== jsonByte.colon;
    case jsonByte.quote:
      return !afterValue;
    case jsonByte.openObject:
    case jsonByte.openList:
      return previous === jsonByte.colon || (parent === jsonByte.openList && !afterValue);
    default:
      return previous === jsonByte.literal || !afterValue;
  }
}

/** Structural and white space characters of JSON, as bytes. */
const jsonByte = {
  tab: 0x09,
  lineFeed: 0x0a,
  return: 0x0d,
  blank: 0x20,
  quote: 0x22,
  comma: 0x2c,
  point: 0x2e,
  zero: 0x30,
  nine: 0x39,
  colon: 0x3a,
  openList: 0x5b,
  backslash: 0x5c,
  closeList: 0x5d,
  /** Stands for any number, `true`, `false` or `null`. */
  literal: 0x76,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;

/** Reports if a byte is JSON white space. */
export function isJsonWhiteSpace(code: number | undefined): boolean {
  return (
    code === jsonByte.blank || code === jsonByte.lineFeed || code === jsonByte.return || code === jsonByte.tab
  );
}

/** Returns the offset of the closing quote of the string whose content begins at `from`, or -1. */
function findClosingQuote(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(jsonByte.quote, from); 0 <= at; at = bytes.indexOf(jsonByte.quote, at + 1)) {
    let before = at - 1;
    while (from <= before && bytes[before] === jsonByte.backslash) before--;
    if ((at - before) % 2 === 1) return at;
  }
  return -1;
}

/**
 * Finds the next object from an offset that looks like a record of a list: `{` followed by a key,
 * and preceded by a comma, a bracket or a line feed. `found` is -1 if there is none; `undecided` is
 * the offset to search again with more bytes.
 */
function findNextRecord(bytes: Uint8Array, from: number): { found: number; undecided: number } {
  for (
    let at = bytes.indexOf(jsonByte.openObject, from);
    0 <= at;
    at = bytes.indexOf(jsonByte.openObject, at + 1)
  ) {
    let after = at + 1;
    while (isJsonWhiteSpace(bytes[after])) after++;
    if (after === bytes.length) return { found: -1, undecided: at };
    if (
      (bytes[after] === jsonByte.quote || bytes[after] === jsonByte.closeObject) &&
      mayBeginAfter(bytes, at - 1)
    )
      return { found: at, undecided: at };
  }
  return { found: -1, undecided: bytes.length };
}

function mayBeginAfter(bytes: Uint8Array, before: number): boolean {
  for (let at = before; 0 <= at; at--) {
    const code = bytes[at];
    if (code === jsonByte.lineFeed || code === jsonByte.comma || code === jsonByte.openList) return true;
    if (!isJsonWhiteSpace(code)) return false;
  }
  return true;
}

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

/** Maximum nesting of values: no log is nested deeper, and writing one out would recurse. */
const maxValueDepth = 100;

/** Text of a record, its position, and the zone of times that name none. */
interface RecordText extends Pick<ReaderOptions, 'zone'> {
  readonly raw: string;
  readonly position: Position;
  readonly asMembers?: boolean | undefined;
  /** Names of the values of a record that is a list: the row of a table. */
  readonly columns?: readonly string[] | undefined;
  /** Members are a log even without a time and a message: they stand where a log does. */
  readonly isMessage?: boolean;
}

/**
 * Matches a first character that no JSON text has, after white space. The equivalent error of
 * `JSON.parse` takes longer than all other work on a short line.
 */
const noJson = /^[ \t\r\n]*([^ \t\r\n{["\-\dtfnu])/;

const texts: ReadonlySet<LogField> = new Set(textFields);

/** Reports if a key denotes a text field. */
function isTextKey(key: string): boolean {
  const alias = aliasOf(key);
  return alias !== undefined && texts.has(alias.field);
}

/** Reads the JSON text of one record. A number in a text field stays as written. */
export function readJsonRecord(text: RecordText): ReadRecord {
  const { raw, position } = text;
  const [, odd] = noJson.exec(raw) ?? [];
  // A file that was joined to others has a mark at its start, and a program that colours lines puts codes around them.
  if (odd === '\ufeff' || odd === '\x1b') {
    const plain = withoutColours(raw.trimStart().replace('\ufeff', ''));
    if (plain.trimStart().startsWith('{')) return { ...readJsonRecord({ ...text, raw: plain }), raw };
  }
  if (odd !== undefined)
    return unreadableRecord('BAD_JSON', `The record is not JSON: Unexpected token '${odd}'`, {
      raw,
      position,
    });
  let value: unknown;
  try {
    value = parseJson(raw, isTextKey);
  } catch (error) {
    return unreadableRecord('BAD_JSON', `The record is not JSON: ${whatIsWrong(error)}`, { raw, position });
  }
  if (isObject(value)) return readRecordMembers(value, text);
  if (Array.isArray(value) && text.columns) return readRow(value, text.columns, text);
  return unreadableRecord('NOT_A_RECORD', `The record is ${nameOf(value)}, not an object`, { raw, position });
}

/** Reads the row of a table: each value is a member by the name of its column. */
function readRow(values: readonly unknown[], columns: readonly string[], text: RecordText): ReadRecord {
  if (values.length === columns.length)
    return readRecordMembers(Object.fromEntries(columns.map((column, at) => [column, values[at]])), text);
  const reason = `The row cannot be read: it has ${values.length} values, the table ${columns.length} columns`;
  return unreadableRecord('BAD_ROW', reason, text);
}

/** Converts the members of one record, in any format, to a log or an unreadable record. */
export function readRecordMembers(
  members: Readonly<Record<string, unknown>>,
  { raw, position, zone, asMembers, isMessage }: RecordText,
): ReadRecord {
  if (asMembers) return { kind: 'log', log: {}, extra: members, raw, position };
  const reading = toLog(members, zone);
  if (!isMessage && reading.log.time === undefined && reading.log.msg === undefined)
    return unreadableRecord('NO_LOG', 'The record has neither a time nor a message', { raw, position });
  if (reading.extra && isDeep(reading.extra, maxValueDepth))
    return unreadableRecord('TOO_DEEP', `The record is nested deeper than ${maxValueDepth} levels`, {
      raw,
      position,
    });
  const isOdd = reading.remarks && reading.log.time !== undefined;
  const read = isOdd ? { ...reading, remarks: reading.remarks.map(besideTime) } : reading;
  if (raw.includes(replacementCharacter) && !read.remarks?.some(({ code }) => code === 'LOST_CHARACTERS')) {
    const remarks = [...(read.remarks ?? []), { code: 'LOST_CHARACTERS', field: 'extra' } as const];
    return { kind: 'log', ...read, remarks, raw, position };
  }
  return { kind: 'log', ...read, raw, position };
}

/** Parses a JSON object as records are; undefined if the text is not one. */
export function readJsonMembers(text: string): JsonObject | undefined {
  try {
    const value = parseJson(text, isTextKey);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Parses a JSON object; undefined if the text is not one. */
export function parseJsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Reports if members are certainly a log and not a reply that holds logs. */
export function isWholeLog(members: Readonly<Record<string, unknown>>): boolean {
  const { log } = toLog(members, utcClocks);
  const isLog = log.msg !== undefined && (log.time !== undefined || readLevel(log.logLevel) !== undefined);
  return isLog || readOwnLog(members) !== undefined;
}

/** Returns the parser message without the quoted text: the record is stored beside it. */
function whatIsWrong(error: unknown): string {
  return error instanceof Error ? error.message.replace(/, (\.\.\.)?".*$/s, '') : String(error);
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

function isDeep(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const key of Object.keys(value))
    if (isDeep((value as Readonly<Record<string, unknown>>)[key], levels - 1)) return true;
  return false;
}
