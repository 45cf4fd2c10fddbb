import type { TimeSpan, ValueCount } from '../../case/index.ts';
import type { Filter } from '../../language/index.ts';
import { matchAllFilter, nearestWords } from '../../language/index.ts';
import { type LogField, logFields } from '../../records/index.ts';
import { facets } from '../facets.ts';
import { type Asked, isCase, timeSpan } from '../log-source.ts';
import { countIn, findNearWords, searchedWords, type WordCount } from './near-words.ts';

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
  cases: readonly Asked[],
  parts: readonly QueryPart[],
  { limit = cases.every(isCase) ? 1000 : 10_000, signal }: PoorResultOptions = {},
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
  cases: readonly Asked[],
  { filter }: QueryPart,
  { count, isLate }: { readonly count: number; readonly isLate: () => boolean },
): Promise<readonly WordCount[]> {
  const near: WordCount[] = [...(await nearValues(cases, filter))];
  for (const searched of searchedWords(filter).slice(0, mostWords)) {
    if (isLate()) break;
    near.push(...(await findNearWords(cases, searched, isLate)));
  }
  return near.filter((each) => count < each.count);
}

/** Number of values of a field that are compared with a searched one, the most frequent ones. */
const comparedValues = 1000;

/** Returns the values near to one that is compared as a whole: in other case, or misspelt. */
async function nearValues(cases: readonly Asked[], filter: Filter): Promise<readonly WordCount[]> {
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
    const isOne = filter.must.length === 0 && others.every((each) => each === first);
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
  cases: readonly Asked[],
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
  cases: readonly Asked[],
  signal: AbortSignal | undefined,
): Promise<Pick<TimeSpan, 'first' | 'last'>> {
  const spans = await Promise.all(cases.map((each) => timeSpan(each, matchAllFilter, { signal })));
  const times = spans.flatMap(({ first, last }) =>
    first === undefined || last === undefined ? [] : [first, last],
  );
  return times.length === 0 ? {} : { first: Math.min(...times), last: Math.max(...times) };
}
