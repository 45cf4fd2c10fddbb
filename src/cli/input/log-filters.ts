import {
  boolFilter,
  describe,
  documentedSchema,
  type EngineName,
  explain,
  explainLines,
  type Field,
  type Filter,
  matchAllFilter,
  parse,
  parseInteger,
  type RangeFilter,
  type Scored,
} from '../../language/index.ts';
import { type TimeZone, utcZone } from '../../records/index.ts';
import { type OptionValues, readTimeRange, type TimeRange } from '../command-line/option.ts';
import type { logFilterOptions } from '../specs/options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { formatTime } from '../terminal/time-format.ts';
import { engineContext, readScoredFilter } from './read-query.ts';

/** A query with the options that select logs beside it. */
export interface FilteredQuery {
  /** Absent: every log. */
  readonly query: string | undefined;
  readonly engine: EngineName | undefined;
  readonly options: LogFilterValues;
  /** The time of "now", milliseconds since the epoch. */
  readonly now: number;
}

/** A query joined with the options, and the filter of the query alone. */
export interface FilteredScored extends Scored {
  readonly query: Filter;
}

/**
 * Reads a query and joins the options that select logs. Reports its findings; undefined if it has
 * errors. Throws a `UsageError` for options that contradict each other.
 */
export function readFilteredQuery(
  { query, engine, options, now }: FilteredQuery,
  terminal: Terminal,
): FilteredScored | undefined {
  const filters = readLogFilters(options, now);
  const scored =
    query === undefined
      ? { filter: matchAllFilter, boosts: new Map() }
      : readScoredFilter(query, engine, terminal, now);
  return scored && { ...joinLogFilters(scored, filters), query: scored.filter };
}

/** Explains a query and the options beside it, a line for each part. */
export function explainFilteredQuery({ query = '*:*', engine, options, now }: FilteredQuery): string[] {
  return [
    ...explainLines(explain(parse(query).query, { now, ...engineContext(engine) })),
    ...logFilterLines(readLogFilters(options, now), options.zone),
  ];
}

/** Describes the options that select logs beside a query, a line for each. */
export function logFilterLines(filters: LogFilters | undefined, zone?: TimeZone): string[] {
  return logFilterParts(filters, zone).map(({ text, filter }) => `must match  ${text}  ${describe(filter)}`);
}

/** The query and the options that select logs beside it, in one line; undefined if they select all. */
export function selectionText({ query, options, now }: FilteredQuery): string | undefined {
  const parts = logFilterParts(readLogFilters(options, now), options.zone).map(({ text }) => text);
  const texts = [...(query === undefined ? [] : [`the query ${query}`]), ...parts];
  return texts.length === 0 ? undefined : texts.join(', ');
}

/** The values of the options that select logs beside a query. */
export type LogFilterValues = OptionValues<typeof logFilterOptions> & {
  /** Zone of times that name none. Default: UTC. */
  readonly zone?: TimeZone;
};

/** Filter of the options, independent of the current time. An empty list selects everything. */
export interface LogFilters extends TimeRange {
  readonly levels: readonly string[];
  readonly users: readonly string[];
  /** Whole numbers as they are written. */
  readonly codes: readonly string[];
  readonly sources: readonly string[];
}

/**
 * Reads the options at a time "now", in milliseconds since the epoch; undefined if none is given.
 * Throws a `UsageError` if --from is later than --to.
 */
export function readLogFilters(options: LogFilterValues, now: number): LogFilters | undefined {
  const { from, to } = readTimeRange(options, now);
  const { level: levels, user: users, code: codes, source: sources } = options;
  const lists = { levels, users, codes, sources };
  const hasTimes = from !== undefined || to !== undefined;
  if (!hasTimes && Object.values(lists).every((list) => list.length === 0)) return undefined;
  return { from, to, ...lists };
}

/** A part of the options: their text, and the filter that they join to the query. */
interface LogFilterPart {
  readonly text: string;
  readonly filter: Filter;
}

/** The parts of the options, with times as in a zone; a log must match all of them. */
export function logFilterParts(
  filters: LogFilters | undefined,
  zone: TimeZone = utcZone,
): readonly LogFilterPart[] {
  if (!filters) return [];
  const { levels, users, codes, sources } = filters;
  return [
    ...timePart(filters, zone),
    ...listPart('--level', levels, levelFilter),
    ...listPart('--user', users, (user) => exactFilter('username', user)),
    ...listPart('--code', codes, codeFilter),
    ...listPart('--source', sources, (source) => exactFilter('source', source)),
  ];
}

/** Joins the options to a query; both must match. The options do not change the relevance. */
export function joinLogFilters(scored: Scored, filters: LogFilters | undefined): Scored {
  const parts = logFilterParts(filters).map((part) => part.filter);
  if (parts.length === 0) return scored;
  return {
    ...scored,
    filter: boolFilter({ must: [scored.filter, ...parts] }),
    boosts: new Map([...scored.boosts, ...parts.map((part) => [part, 0] as const)]),
  };
}

function timePart({ from, to }: LogFilters, zone: TimeZone): readonly LogFilterPart[] {
  if (from === undefined && to === undefined) return [];
  const args = [
    ...(from === undefined ? [] : ['--from', shownTime(from, zone)]),
    ...(to === undefined ? [] : ['--to', shownTime(to, zone)]),
  ];
  const filter: RangeFilter = {
    kind: 'range',
    field: fieldNamed('time'),
    ...(from !== undefined && { lower: { value: from, inclusive: true } }),
    ...(to !== undefined && { upper: { value: to, inclusive: true } }),
  };
  return [{ text: args.join(' '), filter }];
}

/** A time as an option takes it: in UTC in ISO 8601, else in quotes with the offset of the zone. */
function shownTime(time: number, zone: TimeZone): string {
  return zone.name === utcZone.name ? new Date(time).toISOString() : `"${formatTime(time, zone)}"`;
}

function listPart(
  flag: string,
  values: readonly string[],
  toFilter: (value: string) => Filter,
): readonly LogFilterPart[] {
  const [first, second] = values;
  if (first === undefined) return [];
  const text = values.map((value) => `${flag} ${value}`).join(' ');
  const filter = second === undefined ? toFilter(first) : boolFilter({ should: values.map(toFilter) });
  return [{ text, filter }];
}

/** A level is one word, in small letters as in the index. */
function levelFilter(level: string): Filter {
  return { kind: 'term', field: fieldNamed('logLevel'), term: level.toLowerCase() };
}

function codeFilter(code: string): Filter {
  const value = parseInteger(code);
  if (value === undefined) return { kind: 'none' };
  const bound = { value, inclusive: true };
  return { kind: 'range', field: fieldNamed('logCode'), lower: bound, upper: bound };
}

/** Compares the whole value, not its words. */
function exactFilter(name: string, value: string): Filter {
  return { kind: 'term', field: { ...fieldNamed(name), type: 'keyword' }, term: value };
}

function fieldNamed(name: string): Field {
  const field = documentedSchema.fields.get(name);
  if (field) return field;
  throw new Error(`The documented fields have no "${name}"`);
}
