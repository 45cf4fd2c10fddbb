import * as v from 'valibot';
import { chunksOf, readNumberList } from '../../database/index.ts';
import type { Filter } from '../../language/index.ts';
import type { LogField } from '../../records/index.ts';
import type { Case } from '../file/case.ts';
import { fieldText } from './group-blocks.ts';
import { streamStatements } from './stream-statements.ts';

/** The numbers of some logs with the same values. */
export interface NumberLists {
  /** The values of the keys as text, as in `streamGroupBlocks`; empty where a log has none. */
  readonly keys: readonly string[];
  /** For each number of the options its values, those of a log at the same index. A missing value is not a number. */
  readonly numbers: readonly Float64Array[];
}

/** Fields to group by, and those to read. Times are milliseconds since the epoch. */
export interface NumberListOptions {
  readonly keys: readonly LogField[];
  readonly numbers: readonly ('time' | 'elapsed')[];
  /** Ends the stream: it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Ids of the logs that one statement reads. */
const idsOfStatement = 262_144;

const texts = v.nullable(v.string(), '');

/**
 * Streams numbers of the selected logs by the values of some fields. The same values may come several times, and logs
 * are in no particular order. Reading numbers as lists takes a tenth of the time of reading them row by row.
 */
export async function* streamNumberLists(
  from: Case,
  filter: Filter,
  { keys, numbers, signal }: NumberListOptions,
): AsyncGenerator<NumberLists, void, undefined> {
  const values = keys.map((key) => `(${fieldText(key)})::VARCHAR`);
  const lists = numbers.map((name) => `list(coalesce(${numberSql[name]}, 'NaN'::DOUBLE))`);
  const statement = (condition: string) =>
    `SELECT ${[...values, ...lists].join(', ')} FROM stored.logs WHERE ${condition} GROUP BY ALL`;
  for await (const result of streamStatements(from, filter, { statement, ids: idsOfStatement, signal }))
    for (const chunk of chunksOf(result))
      for (let row = 0; row < chunk.rowCount; row++)
        yield {
          keys: keys.map((_, key) => v.parse(texts, chunk.getColumnVector(key).getItem(row))),
          numbers: numbers.map((_, number) => readNumberList(chunk, keys.length + number, row)),
        };
}

const numberSql = {
  time: 'epoch_ms("time")::DOUBLE',
  elapsed: 'CASE WHEN isfinite(elapsed) THEN elapsed END',
} as const;
