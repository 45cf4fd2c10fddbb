import { isEnvelopePath } from './envelopes.ts';
import { distinctNames, readRecordMembers } from './json.ts';
import { lineCutter, type TextLine } from './lines.ts';
import {
  aliasOf,
  newMembers,
  type Position,
  type ReaderOptions,
  type ReadRecord,
  type RecordReader,
  tooLongRecord,
  unreadableRecord,
} from './log.ts';
import { areOwnColumns } from './own-forms.ts';

/** Header row of a CSV entry: its columns and their delimiter. */
interface CsvHeader {
  readonly columns: readonly string[];
  readonly delimiter: string;
  /** This program wrote the table, so that its rows are whole. */
  readonly isOwn: boolean;
  /** A text that a spreadsheet would take for a formula has an apostrophe in front. */
  readonly isDisarmed: boolean;
  /** Index of a column with the date alone, if another one has the time of day. */
  readonly dateAt: number;
  /** Index of the column with the time of day, or with the time under a name that is one in tables alone; -1: none. */
  readonly timeAt: number;
}

/** Names of columns with a date, which other records use for other dates; in English, French, German and Spanish. */
const dateNames = /^(date|datum|fecha)$/i;

/** Names of columns with a time, of the day alone if there is a date. */
const clockNames = /^(time|heure|zeit|uhrzeit|hora)$/i;

/** A line of Excel before the heading, which names the separator. */
const separatorLine = /^"?sep=.?"?\r?$/i;

/** The last columns of the tables of logs that this program writes. */
const ownColumns = 'id,part,entry,position,extra';

/** A text with an apostrophe that keeps spreadsheets from taking it for a formula. */
const disarmed = /^'+(?:[\t\r\n]|\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/;

/** Maximum lines of a row; a longer one has an unclosed quote. */
const maxRowLines = 1_000;

/**
 * Parses a header line; undefined unless it has two or more columns and one is the time or the
 * message of a log.
 */
export function readHeader(line: string): CsvHeader | undefined {
  // With the ends of lines of old systems the table is one line: its rows would be lost.
  if (/\r./.test(line)) return undefined;
  for (const delimiter of [',', ';', '\t']) {
    const row = rowParser(delimiter);
    const state = row.add(line);
    const columns = row.fields.map((field) => field.trim());
    if (state !== 'whole' || columns.length < 2 || !columns.some(isTelling)) continue;
    const isOwn = line.includes(ownColumns);
    // The heading of the form without apostrophes begins with a quotation mark.
    const isDisarmed = (isOwn || areOwnColumns(columns)) && !line.startsWith('"');
    return { columns: distinctNames(columns), delimiter, isOwn, isDisarmed, ...timeColumns(columns) };
  }
  return undefined;
}

/** Finds the columns that give the time together, and one that gives it under a name that only tables have. */
function timeColumns(columns: readonly string[]): Pick<CsvHeader, 'dateAt' | 'timeAt'> {
  const dateAt = columns.findIndex((column) => dateNames.test(column));
  const clockAt = columns.findIndex((column) => clockNames.test(column));
  if (0 <= dateAt && 0 <= clockAt) return { dateAt, timeAt: clockAt };
  const isGiven = columns.some((column) => aliasOf(column)?.field === 'time');
  return { dateAt: -1, timeAt: isGiven ? -1 : dateAt };
}

const noHeader: CsvHeader = {
  columns: [],
  delimiter: ',',
  isOwn: false,
  isDisarmed: false,
  dateAt: -1,
  timeAt: -1,
};

/** Returns the line with the heading of a table: the first one, or the one behind that of Excel. */
export function headingOf(text: string): string {
  const [first = '', second = ''] = text.split('\n', 2);
  return separatorLine.test(first) ? second : first;
}

/** Reports if a row repeats the heading, as in files that were joined. */
function isHeading(fields: readonly string[], columns: readonly string[]): boolean {
  if (fields.length !== columns.length || fields[0]?.replace(/^\ufeff/, '').trim() !== columns[0])
    return false;
  return fields.every(
    (field, at) => at === 0 || field.trim() === columns[at] || /_\d+$/.test(columns[at] ?? ''),
  );
}

function isTelling(column: string): boolean {
  const field = aliasOf(column)?.field;
  return field === 'time' || field === 'msg' || isEnvelopePath(column);
}

/**
 * Creates a reader of CSV (RFC 4180) with a header. A row that does not fit the header is
 * unreadable. An unclosed quote makes only its own line unreadable.
 */
export function csvReader({ maxLength, zone, asMembers }: ReaderOptions): RecordReader {
  const cutter = lineCutter(maxLength);
  let header: CsvHeader | undefined;
  let count = 0;
  /** Headings since the last log, which remarks on them. */
  let headings = 0;
  /** The current row and its lines while a quote is open. */
  let row: RowParser | undefined;
  let pending: TextLine[] = [];

  return { push: (chunk) => read(cutter.push(chunk)), end };

  function end(): ReadRecord[] {
    const records = read(cutter.end());
    while (0 < pending.length) {
      const [first, ...rest] = takeRow();
      if (first) records.push(damaged([first], 'a quote is not closed'), ...read(rest));
    }
    return records;
  }

  function read(lines: readonly TextLine[]): ReadRecord[] {
    const records: ReadRecord[] = [];
    const queue = [...lines].reverse();
    for (let line = queue.pop(); line; line = queue.pop()) {
      const problem = take(records, line);
      if (!problem) continue;
      // Only the first line of the row is certainly damaged; the others are read again.
      const [first = line, ...rest] = takeRow();
      records.push(damaged([first], problem));
      queue.push(...rest.reverse());
    }
    return records;
  }

  /** Reads a line; returns the problem if the current row cannot be read. */
  function take(records: ReadRecord[], line: TextLine): string | undefined {
    if (!row && line.text.trim() === '') return undefined;
    if (!header && separatorLine.test(line.text)) return undefined;
    if (!header) {
      header = readHeader(line.text) ?? noHeader;
      return undefined;
    }
    pending.push(line);
    if (line.isCut) {
      records.push(tooLongRecord(rawOf(pending), nextPosition(pending), maxLength));
      takeRow();
      return undefined;
    }
    row ??= rowParser(header.delimiter);
    const state = row.add(line.text);
    if (state === 'whole' && isHeading(row.fields, header.columns)) {
      takeRow();
      headings++;
      return undefined;
    }
    if (state === 'broken') return 'text follows a closing quote';
    if (state === 'open') return mayGoOn() ? undefined : 'a quote is not closed';
    records.push(remarked(toRecord(header, row.fields, takeRow())));
    return undefined;
  }

  /** Reports if the current row, whose quote is open, is short enough to hold another line. */
  function mayGoOn(): boolean {
    const [first, last] = [pending[0], pending.at(-1)];
    const length = first && last ? last.offset + last.length - first.offset : 0;
    return (header?.isOwn || pending.length < maxRowLines) && length <= maxLength;
  }

  /** Ends the current row and returns its lines. */
  function takeRow(): readonly TextLine[] {
    const lines = pending;
    pending = [];
    row = undefined;
    return lines;
  }

  function toRecord(
    { columns, isDisarmed, dateAt, timeAt }: CsvHeader,
    fields: readonly string[],
    lines: readonly TextLine[],
  ): ReadRecord {
    if (fields.length !== columns.length)
      return damaged(lines, `it has ${fields.length} fields, the header ${columns.length}`);
    const members: Record<string, unknown> = newMembers();
    const [date = '', time = ''] = [fields[dateAt], fields[timeAt]];
    const isApart = date !== '' && !date.includes(':') && /^\d\d?:\d\d/.test(time);
    for (const [at, column] of columns.entries()) {
      const field = fields[at];
      if (!field || (isApart && at === dateAt)) continue;
      if (at === timeAt && !asMembers) members.time = isApart ? `${date} ${time}` : time;
      else members[column] = isDisarmed && disarmed.test(field) ? field.slice(1) : field;
    }
    return readRecordMembers(members, { raw: rawOf(lines), position: nextPosition(lines), zone, asMembers });
  }

  /** Adds the headings before a log to its remarks. */
  function remarked(record: ReadRecord): ReadRecord {
    if (headings === 0 || record.kind !== 'log') return record;
    const added = Array.from({ length: headings }, () => ({ code: 'HEADING', field: 'heading' }) as const);
    headings = 0;
    return { ...record, remarks: [...(record.remarks ?? []), ...added] };
  }

  function damaged(lines: readonly TextLine[], problem: string): ReadRecord {
    const origin = { raw: rawOf(lines), position: nextPosition(lines) };
    return unreadableRecord('BAD_ROW', `The row cannot be read: ${problem}`, origin);
  }

  function nextPosition(lines: readonly TextLine[]): Position {
    const { offset = 0 } = lines[0] ?? {};
    const last = lines.at(-1);
    return { number: ++count, offset, length: last ? last.offset + last.length - offset : 0 };
  }
}

function rawOf(lines: readonly TextLine[]): string {
  const [first] = lines;
  return lines.length === 1 && first ? first.text : lines.map(({ text }) => text).join('\n');
}

/** State of a row: a quote is open, the row is complete, or it breaks the rules. */
type RowState = 'open' | 'whole' | 'broken';

/** Splits one row (RFC 4180), which may span several lines, into fields. */
interface RowParser {
  /** Adds the next line of the row, without its line feed. */
  readonly add: (line: string) => RowState;
  /** Fields parsed so far. */
  readonly fields: readonly string[];
}

/** Creates a parser for one row. A quote inside an unquoted field is an ordinary character. */
function rowParser(delimiter: string): RowParser {
  const fields: string[] = [];
  /** Text of the quoted field being read. */
  let quoted: string | undefined;
  return { add, fields };

  function add(line: string): RowState {
    if (quoted === undefined) return fromField(line, 0);
    quoted += '\n';
    return fromQuoted(line, 0);
  }

  function fromField(text: string, from: number): RowState {
    for (let at = from; ; ) {
      if (text.startsWith('"', at)) {
        quoted = '';
        return fromQuoted(text, at + 1);
      }
      const end = text.indexOf(delimiter, at);
      if (end < 0) {
        fields.push(text.slice(at, text.endsWith('\r') ? -1 : undefined));
        return 'whole';
      }
      fields.push(text.slice(at, end));
      at = end + 1;
    }
  }

  function fromQuoted(text: string, from: number): RowState {
    for (let at = from; ; ) {
      const quote = text.indexOf('"', at);
      quoted += text.slice(at, quote < 0 ? undefined : quote);
      if (quote < 0) return 'open';
      if (text[quote + 1] !== '"') return afterQuoted(text, quote + 1);
      quoted += '"';
      at = quote + 2;
    }
  }

  function afterQuoted(text: string, at: number): RowState {
    fields.push(quoted ?? '');
    quoted = undefined;
    if (at === text.length || text.slice(at) === '\r') return 'whole';
    return text[at] === delimiter ? fromField(text, at + 1) : 'broken';
  }
}
