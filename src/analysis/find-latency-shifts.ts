import { type Case, streamNumberLists } from '../case/index.ts';
import { boolFilter, documentedSchema, type Filter, quote } from '../language/index.ts';
import { adjustPValues, compareSamples, type LogSelection } from './find-differences.ts';
import { compareTexts, joinNumbers } from './group-blocks.ts';

/** Requests of one source, method and code that take longer or shorter. Times are seconds. */
export interface LatencyShift extends MeasuredKind {
  readonly kind: 'slower' | 'faster';
  /** Measured logs in the two selections. */
  readonly before: number;
  readonly after: number;
  readonly medianBefore: number;
  readonly medianAfter: number;
  /** The typical difference: the median over all pairs of a log after and one before (Hodges and Lehmann). */
  readonly shift: number;
  /** The probability that a log after takes longer than one before, ties counted half. */
  readonly larger: number;
  /** The p-value of the Mann-Whitney test, adjusted for the number of comparisons. */
  readonly p: number;
  /** Selects the measured logs. */
  readonly query: string;
}

/** Latencies that differ, and the number that were compared. */
export interface FoundLatencyShifts {
  /** The largest effect first. */
  readonly shifts: readonly LatencyShift[];
  readonly compared: number;
}

/** Fewer logs than these on one side are not compared: the approximation of the test does not hold. */
const fewestLogs = 8;

/** The least effect: a log after takes longer in this share of the pairs beyond one half. */
const leastEffect = 0.1;

/**
 * Compares the elapsed times of two selections of logs. Rejects with a `StoreError`, or the reason of the signal.
 *
 * ```ts
 * const selection = (query: string) => ({ cases: [incident], filter: filterOf(query) });
 * const { shifts } = await findLatencyShifts({ before: selection('machine:a'), after: selection('machine:b') });
 * for (const { source, shift } of shifts) console.log(source, shift);
 * ```
 */
export async function findLatencyShifts({
  before,
  after,
  limit = 0.01,
  signal,
}: {
  readonly before: LogSelection;
  readonly after: LogSelection;
  /** The limit for adjusted p-values. Default 0.01. */
  readonly limit?: number;
  readonly signal?: AbortSignal | undefined;
}): Promise<FoundLatencyShifts> {
  const collect = ({ cases, filter }: LogSelection) => collectElapsed(cases, { filter, signal });
  const [first, second] = await Promise.all([collect(before), collect(after)]);
  const pairs = pairsOf(first, second);
  const compared = pairs.map(([a, b]) => compareSamples(a.seconds, b.seconds));
  const ps = adjustPValues(compared.map(({ p }) => p));
  const shifts = pairs.flatMap(([a, b], index): LatencyShift[] => {
    const { medianBefore, medianAfter, larger } = compared[index] ?? {
      medianBefore: 0,
      medianAfter: 0,
      larger: 0.5,
    };
    const p = ps[index] ?? 1;
    if (limit <= p || Math.abs(larger - 0.5) < leastEffect) return [];
    const { source, method, code } = a;
    return [
      {
        kind: 0.5 < larger ? 'slower' : 'faster',
        source,
        method,
        code,
        before: a.seconds.length,
        after: b.seconds.length,
        medianBefore,
        medianAfter,
        larger,
        p,
        shift: locationShift(a.seconds, b.seconds),
        query: queryOf(a),
      },
    ];
  });
  return {
    shifts: shifts.sort(
      (a, b) => Math.abs(b.larger - 0.5) - Math.abs(a.larger - 0.5) || compareTexts(a.query, b.query),
    ),
    compared: pairs.length,
  };
}

/** The kinds of logs that both selections have enough of. */
function pairsOf(
  first: readonly ElapsedTimes[],
  second: readonly ElapsedTimes[],
): readonly (readonly [ElapsedTimes, ElapsedTimes])[] {
  const keyOf = ({ source, method, code }: MeasuredKind) => JSON.stringify([source, method, code]);
  const isEnough = ({ seconds }: ElapsedTimes) => fewestLogs <= seconds.length;
  const others = new Map(second.filter(isEnough).map((times) => [keyOf(times), times]));
  return first.filter(isEnough).flatMap((times) => {
    const other = others.get(keyOf(times));
    return other ? [[times, other] as const] : [];
  });
}

function queryOf({ source, method, code }: MeasuredKind): string {
  return [
    ...(source === '' ? [] : [`source:${quote(source)}`]),
    ...(method === '' ? [] : [`methodName:${quote(method)}`]),
    ...(code === '' ? [] : [`logCode:${code}`]),
    'elapsed:{0 TO *}',
  ].join(' AND ');
}

/** Steps of the bisection: enough for all digits of a double. */
const steps = 64;

/**
 * The Hodges-Lehmann estimate of a shift: the median of all differences between a value of `after` and one of
 * `before`, both sorted. Not a number if one of them is empty. Takes time in proportion to their lengths.
 */
export function locationShift(before: Float64Array, after: Float64Array): number {
  const pairs = before.length * after.length;
  if (pairs === 0) return Number.NaN;
  const lower = differenceOfRank(before, after, Math.ceil(pairs / 2));
  return pairs % 2 === 1 ? lower : (lower + differenceOfRank(before, after, pairs / 2 + 1)) / 2;
}

/** The difference of a rank, from 1, among all pairs: by bisection of its value. */
function differenceOfRank(before: Float64Array, after: Float64Array, rank: number): number {
  let low = (after[0] ?? 0) - (before.at(-1) ?? 0);
  let high = (after.at(-1) ?? 0) - (before[0] ?? 0);
  for (let step = 0; step < steps && low < high; step++) {
    const middle = low + (high - low) / 2;
    if (rank <= countUpTo(before, after, middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** Counts the pairs whose difference is at most a limit. */
function countUpTo(before: Float64Array, after: Float64Array, limit: number): number {
  let [count, index] = [0, 0];
  for (const value of before) {
    while (index < after.length && (after[index] ?? 0) - value <= limit) index++;
    count += index;
  }
  return count;
}

/** Logs whose elapsed times measure the same: of one source, method and code. */
interface MeasuredKind {
  readonly source: string;
  /** Empty where a log has none. */
  readonly method: string;
  readonly code: string;
}

/** Elapsed times of logs of one kind. */
export interface ElapsedTimes extends MeasuredKind {
  /** Milliseconds since the epoch, not a number for a log without a time; in no particular order. */
  readonly times: Float64Array;
  /** Seconds, in the order of `times`. */
  readonly seconds: Float64Array;
}

/** Options of `collectElapsed`. */
interface CollectElapsedOptions {
  readonly filter: Filter;
  readonly signal?: AbortSignal | undefined;
}

/** The code that carries milliseconds at level INFO; all other elapsed times are seconds. */
const millisecondCode = '9999';

/**
 * Collects the elapsed times of all selected logs by source, method and code. A time of 0 was not measured and is
 * left out. Rejects with a `StoreError`, or the reason of the signal.
 */
export async function collectElapsed(
  cases: readonly Case[],
  { filter, signal }: CollectElapsedOptions,
): Promise<readonly ElapsedTimes[]> {
  const found = new Map<string, CollectedTimes>();
  const options = {
    keys: ['logLevel', 'source', 'methodName', 'logCode'],
    numbers: ['time', 'elapsed'],
    signal,
  } as const;
  for (const from of cases)
    for await (const { keys, numbers } of streamNumberLists(from, measured(filter), options)) {
      const [level = '', source = '', method = '', code = ''] = keys;
      const key = JSON.stringify(keys);
      const known = found.get(key) ?? { level, source, method, code, times: [], seconds: [] };
      found.set(key, known);
      const [times, seconds] = numbers;
      if (times && seconds) {
        known.times.push(times);
        known.seconds.push(seconds);
      }
    }
  return [...found.values()].map(({ level, source, method, code, times, seconds }) => {
    const unit = code === millisecondCode && level === 'INFO' ? 1000 : 1;
    return {
      source,
      method,
      code,
      times: joinNumbers(times),
      seconds: joinNumbers(seconds).map((value) => value / unit),
    };
  });
}

/** Times of the logs of one kind and level, as they come. */
interface CollectedTimes extends MeasuredKind {
  readonly level: string;
  readonly times: Float64Array[];
  readonly seconds: Float64Array[];
}

function measured(filter: Filter): Filter {
  const field = documentedSchema.fields.get('elapsed');
  if (!field) throw new Error('The documented fields have no "elapsed"');
  return boolFilter({ must: [filter, { kind: 'range', field, lower: { value: 0, inclusive: false } }] });
}
