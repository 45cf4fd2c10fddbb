import { sourceOf, type TimeSpan, type ValueCount } from '../case/index.ts';
import {
  type Clause,
  type EngineName,
  engines,
  type Field,
  type Filter,
  type FuzzyFilter,
  matchAllFilter,
  nearestWords,
  parse,
  resolve,
  type Span,
} from '../language/index.ts';
import { type LogField, logFields } from '../records/index.ts';
import { facets } from './facets.ts';
import { type AnyLogSource, expandFuzzy } from './log-source.ts';

/** A clause of a query: its text, and the filter that it has alone. */
export interface QueryPart {
  readonly text: string;
  readonly filter: Filter;
}

/** A clause with the number of logs that it selects alone, and what the cases have instead. */
export interface PartResult {
  readonly text: string;
  readonly count: number;
  /** Words of the field near to those of the clause, the most frequent first. */
  readonly near: readonly WordCount[];
  /** Most frequent values of the field, if the clause selects no log. */
  readonly values?: { readonly field: LogField; readonly values: readonly ValueCount[] };
  /** First and last time of all logs, if the clause is a time without logs. */
  readonly span?: Pick<TimeSpan, 'first' | 'last'>;
}

/** Explanation of a poor result. */
export interface PoorResult {
  readonly parts: readonly PartResult[];
  /** False if the time limit was reached before everything was examined. */
  readonly isComplete: boolean;
}

/** Below this number of logs, a result is poor and gets an explanation. */
export const fewLogs = 3;

/** Below this number of logs, a clause gets suggestions. */
const few = 10;

/** Number of values shown for a field. */
const shownValues = 5;

/** Fields with too many or too long values to list. */
const unlisted: ReadonlySet<LogField> = new Set(['time', 'msg', 'stackTraces', 'elapsed', 'requestID']);

/** Options of explaining a poor result. */
interface PoorResultOptions {
  /** Time after which no further statement starts, in milliseconds. Default 1000, or 10,000 elsewhere than in cases. */
  readonly limit?: number;
  /** Ends the work: it rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Explains why a query selects few logs: counts each clause alone, then looks for what the cases have
 * instead. Starts no further statement after `limit` milliseconds; elsewhere than in cases each takes its way too.
 *
 * ```ts
 * const { parts } = await explainPoorResult([incident], queryParts('msg:tiemout AND logLevel:SEVERE'));
 * for (const { text, count, near } of parts) console.log(text, count, near.map(({ words }) => words.join(' ')));
 * ```
 */
export async function explainPoorResult(
  cases: readonly AnyLogSource[],
  parts: readonly QueryPart[],
  { limit = cases.every((source) => sourceOf(source).case) ? 1000 : 10_000, signal }: PoorResultOptions = {},
): Promise<PoorResult> {
  const end = Date.now() + limit;
  const isLate = () => {
    signal?.throwIfAborted();
    return end <= Date.now();
  };
  const counts = new Map<QueryPart, number>();
  for (const part of parts) if (!isLate()) counts.set(part, await countIn(cases, part.filter, signal));
  const results: PartResult[] = [];
  for (const [part, count] of counts) {
    const near = isLate() || few <= count ? [] : await nearOf(cases, part, { count, isLate });
    const instead = isLate() || 0 < count ? {} : await insteadOf(cases, part.filter, signal);
    results.push({ text: part.text, count, near, ...instead });
  }
  return { parts: results, isComplete: !isLate() };
}

/** Most words of a clause that get near words. */
const mostWords = 4;

async function nearOf(
  cases: readonly AnyLogSource[],
  { filter }: QueryPart,
  { count, isLate }: { readonly count: number; readonly isLate: () => boolean },
): Promise<readonly WordCount[]> {
  const near: WordCount[] = [...(await nearValues(cases, filter))];
  for (const searched of searchedWords(filter).slice(0, mostWords)) {
    if (isLate()) break;
    near.push(...(await findNearWords(cases, searched, isLate)));
  }
  return near.filter((word) => count < word.count);
}

/** Number of values of a field that are compared with a searched one, the most frequent ones. */
const comparedValues = 1000;

/** Returns the values near to one that is compared as a whole: in other case, or misspelt. */
async function nearValues(cases: readonly AnyLogSource[], filter: Filter): Promise<readonly WordCount[]> {
  const field = listedField(filter);
  if (field === undefined || filter.kind !== 'term' || filter.field.type !== 'keyword') return [];
  const { values } = await facets(cases, field, { filter: matchAllFilter, limit: comparedValues });
  const counts = new Map(values.map(({ value, count }) => [String(value ?? ''), count]));
  return nearestWords(filter.term, [...counts.keys()])
    .filter((value) => value !== filter.term)
    .map((value) => ({ words: [value], count: counts.get(value) ?? 0 }));
}

/** The field of a filter, or of all its alternatives. */
function fieldOf(filter: Filter): LogField | undefined {
  if (filter.kind === 'bool') {
    const [first, ...others] = filter.should.map(fieldOf);
    const isOne = filter.must.length === 0 && others.every((other) => other === first);
    return isOne ? first : undefined;
  }
  return 'field' in filter ? logFields.find((name) => name === filter.field.name) : undefined;
}

/** The field of a filter if its values can be listed. */
function listedField(filter: Filter): LogField | undefined {
  const field = fieldOf(filter);
  return field === undefined || unlisted.has(field) ? undefined : field;
}

async function insteadOf(
  cases: readonly AnyLogSource[],
  filter: Filter,
  signal: AbortSignal | undefined,
): Promise<Pick<PartResult, 'values' | 'span'>> {
  if (fieldOf(filter) === 'time') return { span: await spanOf(cases, signal) };
  const field = listedField(filter);
  if (field === undefined) return {};
  const { values } = await facets(cases, field, { filter: matchAllFilter, limit: shownValues, signal });
  return { values: { field, values: values.filter(({ value }) => value !== undefined) } };
}

async function spanOf(
  cases: readonly AnyLogSource[],
  signal: AbortSignal | undefined,
): Promise<Pick<TimeSpan, 'first' | 'last'>> {
  const spans = await Promise.all(
    cases.map((source) => sourceOf(source).timeSpan(matchAllFilter, { signal })),
  );
  const times = spans.flatMap(({ first, last }) =>
    first === undefined || last === undefined ? [] : [first, last],
  );
  return times.length === 0 ? {} : { first: Math.min(...times), last: Math.max(...times) };
}

/** A word, or several next to each other, and the number of logs that have it in a field. */
interface WordCount {
  readonly words: readonly string[];
  readonly count: number;
}

/** Words searched in a field: one, or a phrase. */
interface SearchedWords {
  readonly field: Field;
  readonly words: readonly string[];
}

/** Number of words that replace one, at most. */
const mostNear = 3;

/** Returns the words or phrases that a filter searches in text fields, each with its first field. */
function searchedWords(filter: Filter): readonly SearchedWords[] {
  switch (filter.kind) {
    case 'term':
      return filter.field.type === 'text' ? [{ field: filter.field, words: [filter.term] }] : [];
    case 'phrase':
      return [{ field: filter.field, words: filter.terms }];
    case 'disMax':
      return filter.filters.slice(0, 1).flatMap(searchedWords);
    case 'bool':
      return [...filter.must, ...filter.should].flatMap(searchedWords);
    default:
      return [];
  }
}

/** Counts the logs of all cases that a filter selects. */
async function countIn(
  cases: readonly AnyLogSource[],
  filter: Filter,
  signal?: AbortSignal,
): Promise<number> {
  let sum = 0;
  for (const source of cases) sum += await sourceOf(source).countLogs(filter, { signal });
  return sum;
}

/**
 * Finds words of a field that are near to searched ones and have logs, the most frequent first: by edit
 * distance, split in two, and joined. Stops early when `isLate` returns true.
 */
async function findNearWords(
  cases: readonly AnyLogSource[],
  { field, words }: SearchedWords,
  isLate: () => boolean,
): Promise<readonly WordCount[]> {
  const candidates = candidatesOf(cases, { field, words });
  const found = new Map<string, WordCount>();
  for await (const candidate of candidates) {
    const key = candidate.join(' ');
    if (key !== words.join(' ') && !found.has(key))
      found.set(key, { words: candidate, count: await countIn(cases, wordsFilter(field, candidate)) });
    if (isLate()) break;
  }
  return [...found.values()]
    .filter(({ count }) => 0 < count)
    .sort((first, second) => second.count - first.count)
    .slice(0, mostNear);
}

async function* candidatesOf(
  cases: readonly AnyLogSource[],
  { field, words }: SearchedWords,
): AsyncGenerator<readonly string[]> {
  const joined = words.join('');
  if (1 < words.length) yield [joined];
  for (const near of await nearTerms(cases, field, joined)) yield [near];
  for (const [first, second] of words.length === 1 ? splitsOf(joined) : []) {
    // An empty list still lets the caller stop between two splits.
    yield words;
    if ((await countIn(cases, { kind: 'term', field, term: second })) === 0) continue;
    yield [first, second];
    for (const near of await nearTerms(cases, field, first)) yield [near, second];
  }
}

/** Shortest part of a split word. */
const shortest = 2;

/** Longest word that is split or compared: longer ones are ids. */
const longest = 24;

/** Returns the ways to split a word in two. */
function splitsOf(word: string): readonly (readonly [string, string])[] {
  const letters = [...word];
  if (longest < letters.length) return [];
  return letters
    .slice(shortest, 1 - shortest)
    .map((_, at) => [letters.slice(0, at + shortest).join(''), letters.slice(at + shortest).join('')]);
}

/** Returns the terms of a field nearest to a word, without the word itself. */
async function nearTerms(
  cases: readonly AnyLogSource[],
  field: Field,
  term: string,
): Promise<readonly string[]> {
  const { length } = [...term];
  if (length < 3 || longest < length) return [];
  const fuzzy: FuzzyFilter = {
    kind: 'fuzzy',
    field,
    term,
    edits: length < 6 ? 1 : 2,
    maxExpansions: mostNear + 1,
  };
  const { filter } = await expandFuzzy(cases, { filter: fuzzy, boosts: new Map() });
  return filter.kind === 'fuzzy' ? (filter.expansion ?? []).filter((near) => near !== term) : [];
}

function wordsFilter(field: Field, words: readonly string[]): Filter {
  const [term = '', second] = words;
  return second === undefined
    ? { kind: 'term', field, term }
    : { kind: 'phrase', field, terms: words, slop: 0 };
}

/** A clause of a query with its span; `item` is that of its words if they stand in one item. */
export interface PlacedPart extends QueryPart, Span {
  readonly item?: Clause['item'];
}

/**
 * Returns the clauses of a query that are no groups, in order; words that are one clause together are one.
 *
 * ```ts
 * for (const { text, filter } of queryParts('msg:timeout AND logLevel:SEVERE')) {
 *   console.log(text, await countLogs(incident, filter));
 * }
 * ```
 */
export function queryParts(text: string, engine?: EngineName): readonly PlacedPart[] {
  const clauses = new Map<Filter, Clause[]>();
  const onClause = (clause: Clause, filter: Filter | undefined) => {
    if (clause.item.kind === 'Group' || filter === undefined) return;
    clauses.set(filter, [...(clauses.get(filter) ?? []), clause]);
  };
  resolve(parse(text).query, {
    now: Date.now(),
    ...(engine !== undefined && { engine: engines[engine] }),
    onClause,
  });
  return [...clauses].map(([filter, own]) => placedPart(text, filter, own));
}

function placedPart(text: string, filter: Filter, clauses: readonly Clause[]): PlacedPart {
  const spans = clauses.map(({ field, item, to }) => ({ from: field?.from ?? item.from, to }));
  const texts = spans.map(({ from, to }) => text.slice(from, to).trim());
  const [first, second] = clauses;
  return {
    text: texts.join(' '),
    filter,
    from: Math.min(...spans.map(({ from }) => from)),
    to: Math.max(...spans.map(({ to }) => to)),
    ...(first && !second && { item: first.item }),
  };
}

/** A clause of a query, and the logs that a search for it alone reads. */
export interface PartCost {
  readonly text: string;
  readonly logs: number;
}

/**
 * Returns the clause of a query that costs most where logs are not in a case: by the logs that its search reads, and
 * by the work for each. Undefined if the query has no clauses.
 */
export async function costliestPart(
  sources: readonly AnyLogSource[],
  parts: readonly QueryPart[],
): Promise<PartCost | undefined> {
  let worst: (PartCost & { readonly cost: number }) | undefined;
  for (const { text, filter } of parts) {
    let logs = 0;
    for (const source of sources) logs += await sourceOf(source).logsToRead(filter);
    const cost = logs * workOf(filter);
    if (!worst || worst.cost < cost) worst = { text, logs, cost };
  }
  return worst && { text: worst.text, logs: worst.logs };
}

/** Work for each log, as a multiple of that for a word. */
const work: { readonly [K in Filter['kind']]?: number } = {
  phrase: 4,
  prefix: 4,
  wildcard: 16,
  regexp: 16,
  fuzzy: 16,
  termRange: 4,
};

function workOf(filter: Filter): number {
  const sum = (filters: readonly Filter[]) => filters.reduce((total, filter) => total + workOf(filter), 0);
  if (filter.kind === 'disMax') return sum(filter.filters);
  if (filter.kind === 'bool') return sum([...filter.must, ...filter.should, ...filter.mustNot]);
  return work[filter.kind] ?? 1;
}
