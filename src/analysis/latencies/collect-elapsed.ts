import { documentedSchema } from '../../meaning/fields.ts';
import { boolFilter, type Filter } from '../../meaning/filter.ts';
import { type Case, fieldSeparators, streamFieldBlocks } from '../../store/index.ts';
import { type InternedBytes, internBytes } from '../message-patterns/interned-bytes.ts';
import { type NumberList, numberList } from '../number-list.ts';

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
  const collected: Collected = { kinds: internBytes(), columns: [] };
  const fields = ['time', 'elapsed', 'logLevel', 'source', 'methodName', 'logCode'] as const;
  for (const from of cases)
    for await (const block of streamFieldBlocks(from, measured(filter), { fields, longest: 256, signal }))
      collectBlock(block, collected);
  return collected.columns.map(({ times, seconds }, kind) => {
    const [level = '', source = '', method = '', code = ''] = collected.kinds.text(kind).split(separator);
    const unit = code === millisecondCode && level === 'INFO' ? 1000 : 1;
    return {
      ...{ source, method, code, times: times.values() },
      seconds: seconds.values().map((value) => value / unit),
    };
  });
}

/** The kinds of logs, and the values of each by its number. */
interface Collected {
  readonly kinds: InternedBytes;
  readonly columns: { readonly times: NumberList; readonly seconds: NumberList }[];
}

const separator = String.fromCharCode(fieldSeparators.field);

function measured(filter: Filter): Filter {
  const field = documentedSchema.fields.get('elapsed');
  if (!field) throw new Error('The documented fields have no "elapsed"');
  return boolFilter({ must: [filter, { kind: 'range', field, lower: { value: 0, inclusive: false } }] });
}

function collectBlock(block: Uint8Array, { kinds, columns }: Collected): void {
  for (let start = 0; start < block.length; ) {
    const afterTime = block.indexOf(fieldSeparators.field, start);
    const afterElapsed = block.indexOf(fieldSeparators.field, afterTime + 1);
    const end = block.indexOf(fieldSeparators.row, afterElapsed + 1);
    if (afterTime === -1 || afterElapsed === -1 || end === -1) return;
    const kind = kinds.intern(block, afterElapsed + 1, end);
    const column = columns[kind] ?? { times: numberList(), seconds: numberList() };
    columns[kind] = column;
    column.times.add(start === afterTime ? Number.NaN : decimalAt(block, start, afterTime));
    column.seconds.add(decimalAt(block, afterTime + 1, afterElapsed));
    start = end + 1;
  }
}

const text = new TextDecoder('latin1');

/** Digits whose value a number of this type holds exactly. */
const exactDigits = 15;

/** A decimal number: few digits and a point by their bytes, since most are such, others as JavaScript reads them. */
function decimalAt(bytes: Uint8Array, start: number, end: number): number {
  let [value, scale] = [0, 1];
  let hasPoint = false;
  if (exactDigits < end - start) return Number(text.decode(bytes.subarray(start, end)));
  for (let position = start; position < end; position++) {
    const byte = bytes[position] ?? 0;
    if (byte === 0x2e && !hasPoint) hasPoint = true;
    else if (0x30 <= byte && byte <= 0x39) {
      value = value * 10 + byte - 0x30;
      if (hasPoint) scale *= 10;
    } else return Number(text.decode(bytes.subarray(start, end)));
  }
  return value / scale;
}
