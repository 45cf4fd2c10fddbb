import { type Case, streamNumberLists } from '../../case/index.ts';
import { boolFilter, documentedSchema, type Filter } from '../../language/index.ts';
import { joinNumbers } from '../join-numbers.ts';

/** Logs whose elapsed times measure the same: of one source, method and code. */
export interface MeasuredKind {
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
export interface CollectElapsedOptions {
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
      ...{ source, method, code, times: joinNumbers(times) },
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
