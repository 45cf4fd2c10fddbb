import type { StoredLog } from '../../case/index.ts';
import type { Highlight } from '../../language/index.ts';
import {
  type Extra,
  type Log,
  type OutgoingLog,
  type TimeZone,
  textFields,
  toEcs,
  toOtlp,
  utcZone,
  writeExactJson,
} from '../../records/index.ts';
import type { ColumnField } from '../command-line/log-options.ts';
import type { OutputStyle } from '../terminal/terminal.ts';
import { type Style, toJson } from '../terminal/text.ts';
import { formatTime, timeHeading } from '../terminal/time-format.ts';
import {
  type Cell,
  formatRows,
  type OutputFormat,
  type OutputFormatOptions,
  type PrintedFormat,
  type PrintedOptions,
  type Rows,
  readOutputFormat,
  readPrintedFormat,
} from './output-format.ts';
import type { Column, TableCell } from './table.ts';

/** A log to print, with its origin if there are several sources. */
export type PrintedLog = StoredLog & {
  readonly case?: string;
  readonly isHit?: boolean;
  /** Relevance score, if sorted by it. */
  readonly score?: number;
};

const fields = ['time', 'logLevel', 'logCode', 'source', 'msg'] as const;

/** The columns of CSV: all fields. */
const allNames = [
  ...fields,
  ...textFields.filter((field) => !fields.some((first) => first === field)),
  ...(['elapsed', 'id', 'part', 'entry', 'position', 'extra'] as const),
];

/** Additional columns of logs. */
interface LogRowsOptions {
  readonly hasCases: boolean;
  readonly marksHits?: boolean;
  readonly hasScores?: boolean;
  /** Chosen fields. Default: the usual ones of tables, all of CSV and JSON. */
  readonly chosen?: readonly ColumnField[] | undefined;
  /** Zone of the times of tables; CSV has UTC. Default: UTC. */
  readonly zone?: TimeZone;
  /** Returns the spans of a log to mark in tables. Default: none. */
  readonly highlight?: ((log: Log) => readonly Highlight[]) | undefined;
}

/** Rows of logs for every output format. */
export function logRows<L extends PrintedLog>(
  items: AsyncIterable<L>,
  { hasCases, marksHits = false, hasScores = false, chosen, zone, highlight }: LogRowsOptions,
): Rows<L> {
  const table = logTable(chosen, { zone });
  const names = chosen ?? allNames;
  const before = (log: L) => [
    ...(marksHits ? [log.isHit ? '>' : ''] : []),
    ...(hasScores ? [(log.score ?? 0).toFixed(3)] : []),
    ...(hasCases ? [log.case ?? ''] : []),
  ];
  return {
    items,
    value: chosen && ((log: L) => withFields(log, chosen)),
    columns: [
      ...(marksHits ? [{ name: '' }] : []),
      ...(hasScores ? [{ name: 'score', align: 'right' } as const] : []),
      ...(hasCases ? [{ name: 'case', canShrink: true }] : []),
      ...table.columns,
    ],
    shown: (log) => [...before(log), ...table.cells(highlight ? { ...log, hits: highlight(log.log) } : log)],
    names: [
      ...(marksHits ? ['hit'] : []),
      ...(hasScores ? ['score'] : []),
      ...(hasCases ? ['case'] : []),
      ...names,
    ],
    cells: (log) => [
      ...(marksHits ? [log.isHit === true] : []),
      ...(hasScores ? [log.score] : []),
      ...(hasCases ? [log.case] : []),
      ...names.map((name) => cellOf(log, name)),
    ],
  };
}

/** A log with the chosen fields only, each where it is without a choice, besides what is no field. */
function withFields<L extends PrintedLog>(
  { id, log, part, entry, position, extra, ...rest }: L,
  chosen: readonly ColumnField[],
): object {
  const fieldsOf = chosen.flatMap((name) =>
    name === 'id' || log[name] === undefined ? [] : [[name, log[name]]],
  );
  return { ...(chosen.includes('id') && { id }), log: Object.fromEntries(fieldsOf), ...rest };
}

function cellOf(stored: StoredLog, name: (typeof allNames)[number]): Cell {
  switch (name) {
    case 'time':
      return stored.log.time === undefined ? undefined : new Date(stored.log.time).toISOString();
    case 'id':
    case 'part':
    case 'entry':
    case 'position':
      return stored[name];
    case 'extra':
      return stored.extra && toJson(stored.extra);
    default:
      return stored.log[name];
  }
}

/** The default columns of logs in tables, the message last. */
const defaultFields = ['id', 'time', 'logLevel', 'logCode', 'source', 'username', 'msg'] as const;

/** The message is never narrower where the terminal allows it: others are left out first. */
const leastMessage = 60;

/** Columns whose presentation differs from a plain text of that name. */
const special: { readonly [F in ColumnField]?: Column } = {
  id: { name: 'id', align: 'right' },
  logLevel: { name: 'level' },
  logCode: { name: 'code', align: 'right', dropRank: 2 },
  source: { name: 'source', canShrink: true, dropRank: 1 },
  username: { name: 'user', canShrink: true, dropRank: 3 },
  elapsed: { name: 'elapsed', align: 'right' },
  requestID: { name: 'request', prefix: 8 },
  msg: { name: 'message', canShrink: true, min: leastMessage },
};

/** A log, with its id if it has one, and the spans that a query matches. */
interface ShownLog {
  readonly id?: number;
  readonly log: Log;
  readonly hits?: readonly Highlight[];
}

/** Columns of logs in tables, and the cells of a log; missing fields are empty. */
interface LogColumns {
  readonly columns: readonly Column[];
  readonly cells: (shown: ShownLog) => readonly TableCell[];
}

/** Options of the columns of logs. */
interface LogTableOptions {
  readonly usual?: readonly ColumnField[];
  /** Zone of shown times. Default: UTC. */
  readonly zone?: TimeZone | undefined;
}

/**
 * The columns of chosen fields, default all usual ones. Chosen columns stay on a narrow terminal, unlike
 * the default ones.
 */
function logTable(
  chosen: readonly ColumnField[] | undefined,
  { usual = defaultFields, zone = utcZone }: LogTableOptions = {},
): LogColumns {
  const fields = chosen ?? usual;
  const columns = fields.map((field): Column => {
    const { dropRank, ...column } = (field === 'time'
      ? { name: timeHeading('time', zone) }
      : special[field]) ?? { name: field, canShrink: true };
    return chosen === undefined && dropRank !== undefined ? { ...column, dropRank } : column;
  });
  return {
    columns,
    cells: (shown) => {
      const elsewhere = (shown.hits ?? []).map((hit) => hit.field).filter((field) => !isShown(field));
      return fields.map((field, index) => ({
        ...cellOfLog(shown, field, zone),
        ...(index === fields.length - 1 && { elsewhere: elsewhere.map(headingOf) }),
      }));
    },
  };

  function isShown(name: string): boolean {
    return fields.some((field) => field === name);
  }
}

/** The columns of logs listed by a deployment, which have no ids. */
export function listedLogTable(zone: TimeZone): LogColumns {
  return logTable(undefined, { usual: defaultFields.filter((field) => field !== 'id'), zone });
}

/** The heading of a field in tables. */
function headingOf(name: string): string {
  return Object.entries(special).find(([field]) => field === name)?.[1].name ?? name;
}

function cellOfLog(shown: ShownLog, field: ColumnField, zone: TimeZone): TableCell & object {
  const spans = shown.hits?.find((hit) => hit.field === field)?.spans;
  const text = textOf(shown, field, zone);
  const style = field === 'logLevel' ? levelStyle(text) : undefined;
  return { text, ...(spans && { spans }), ...(style && { style }) };
}

function textOf({ id, log }: ShownLog, field: ColumnField, zone: TimeZone): string {
  const value = field === 'id' ? id : log[field];
  if (value === undefined) return '';
  return field === 'time' ? formatTime(Number(value), zone) : String(value);
}

const styles: ReadonlyMap<string, keyof Style> = new Map([
  ['SEVERE', 'red'],
  ['WARNING', 'yellow'],
  ['FINE', 'dim'],
  ['VERBOSE', 'dim'],
  ['DEBUG', 'dim'],
]);

/** The style of a level; undefined for INFO and unknown levels. */
export function levelStyle(level: string): keyof Style | undefined {
  return styles.get(level.toUpperCase());
}

/** Formats in which other systems take logs, each an option. */
type OutgoingFormat = 'ecs' | 'otlp';

/** Format of printed logs. */
export type PrintedLogFormat = PrintedFormat | OutgoingFormat;

interface OutgoingOptions {
  readonly ecs: boolean;
  readonly otlp: boolean;
}

/** Like `readOutputFormat`, for logs. */
export async function readLogFormat(
  options: OutputFormatOptions & OutgoingOptions,
): Promise<OutputFormat | { readonly kind: OutgoingFormat }> {
  const kind = outgoingFormat(options);
  return kind ? { kind } : readOutputFormat(options);
}

/** Like `readPrintedFormat`, for logs. */
export function readPrintedLogFormat(options: PrintedOptions & OutgoingOptions): PrintedLogFormat {
  return outgoingFormat(options) ?? readPrintedFormat(options);
}

function outgoingFormat({ ecs, otlp }: OutgoingOptions): OutgoingFormat | undefined {
  if (ecs) return 'ecs';
  return otlp ? 'otlp' : undefined;
}

/** A log as a row: its other members are facts about its origin. */
interface LogRow {
  readonly log: Log;
  readonly extra?: Extra;
}

/** Formats logs as a stream of text; like `formatRows`, and in the formats of other systems. */
export function formatLogs<L extends LogRow>(
  rows: Rows<L>,
  kind: PrintedLogFormat,
  face: OutputStyle,
): AsyncIterable<string> {
  switch (kind) {
    case 'ecs':
      return ecsEvents(rows.items);
    case 'otlp':
      return otlpRequests(rows.items);
    default:
      return formatRows(rows, kind, face);
  }
}

async function* ecsEvents(logs: Rows<LogRow>['items']): AsyncGenerator<string, void, undefined> {
  for await (const log of logs) yield `${toJson(toEcs(toOutgoing(log)), undefined, writeExactJson)}\n`;
}

/** Limits of a request, below the 4 MiB that collectors take by default; one long log may exceed the second. */
const mostRecords = 500;
const mostCharacters = 1_000_000;

async function* otlpRequests(logs: Rows<LogRow>['items']): AsyncGenerator<string, void, undefined> {
  let batch: OutgoingLog[] = [];
  let characters = 0;
  for await (const log of logs) {
    const length = lengthOf(log);
    if (batch.length === mostRecords || (0 < batch.length && mostCharacters < characters + length)) {
      yield `${toJson(toOtlp(batch))}\n`;
      batch = [];
      characters = 0;
    }
    batch.push(toOutgoing(log));
    characters += length;
  }
  if (0 < batch.length) yield `${toJson(toOtlp(batch))}\n`;
}

function lengthOf({ log, extra }: LogRow): number {
  const texts = Object.values(log).map((value) => (typeof value === 'string' ? value.length : 0));
  return texts.reduce((sum, length) => sum + length, extra ? JSON.stringify(extra).length : 0);
}

function toOutgoing({ log, extra, ...rest }: LogRow): OutgoingLog {
  const facts = Object.entries(rest).filter(isFact);
  return {
    log,
    ...(extra && { extra }),
    ...(0 < facts.length && { origin: Object.fromEntries(facts) }),
  };
}

function isFact(entry: [string, unknown]): entry is [string, string | number | boolean] {
  return ['string', 'number', 'boolean'].includes(typeof entry[1]);
}
