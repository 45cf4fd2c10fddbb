import { documentedSchema } from '../../meaning/fields.ts';
import { boolFilter, type Filter } from '../../meaning/filter.ts';
import { type Case, fieldSeparators, streamFieldBlocks } from '../../store/index.ts';
import { internBytes } from '../message-patterns/interned-bytes.ts';

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
  const kinds = internBytes();
  const columns: { readonly times: number[]; readonly seconds: number[] }[] = [];
  const fields = ['time', 'elapsed', 'logLevel', 'source', 'methodName', 'logCode'] as const;
  for (const from of cases)
    for await (const block of streamFieldBlocks(from, measured(filter), { fields, longest: 256, signal }))
      for (const { time, elapsed, start, end } of rowsOf(block)) {
        const kind = kinds.intern(block, start, end);
        const column = columns[kind] ?? { times: [], seconds: [] };
        columns[kind] = column;
        column.times.push(time);
        column.seconds.push(elapsed);
      }
  return columns.map(({ times, seconds }, kind) => {
    const [level = '', source = '', method = '', code = ''] = kinds.text(kind).split(separator);
    const unit = code === millisecondCode && level === 'INFO' ? 1000 : 1;
    return {
      ...{ source, method, code, times: Float64Array.from(times) },
      seconds: Float64Array.from(seconds, (value) => value / unit),
    };
  });
}

const separator = String.fromCharCode(fieldSeparators.field);

function measured(filter: Filter): Filter {
  const field = documentedSchema.fields.get('elapsed');
  if (!field) throw new Error('The documented fields have no "elapsed"');
  return boolFilter({ must: [filter, { kind: 'range', field, lower: { value: 0, inclusive: false } }] });
}

interface ElapsedRow {
  readonly time: number;
  readonly elapsed: number;
  /** The bytes of the level, the source, the method and the code. */
  readonly start: number;
  readonly end: number;
}

function* rowsOf(block: Uint8Array): Generator<ElapsedRow, void, undefined> {
  const text = new TextDecoder('latin1');
  for (let start = 0; start < block.length; ) {
    const afterTime = block.indexOf(fieldSeparators.field, start);
    const afterElapsed = block.indexOf(fieldSeparators.field, afterTime + 1);
    const end = block.indexOf(fieldSeparators.row, afterElapsed + 1);
    if (afterTime === -1 || afterElapsed === -1 || end === -1) return;
    const [time, elapsed] = [
      start === afterTime ? Number.NaN : Number(text.decode(block.subarray(start, afterTime))),
      Number(text.decode(block.subarray(afterTime + 1, afterElapsed))),
    ];
    yield { time, elapsed, start: afterElapsed + 1, end };
    start = end + 1;
  }
}
