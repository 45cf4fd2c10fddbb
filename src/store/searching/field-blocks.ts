import * as v from 'valibot';
import type { Filter } from '../../meaning/filter.ts';
import type { LogField } from '../../records/log.ts';
import { type Case, toStoreError } from '../case/case.ts';
import { startSearch } from './search.ts';

/** Ids of the logs that one statement reads, and of those that one block holds: their texts are in memory together. */
const [idsOfStatement, idsOfBlock] = [65_536, 8_192];

/** The bytes between two fields of a row, and behind a row: control characters that no value has here. */
export const fieldSeparators = { field: 0x1f, row: 0x1e } as const;

/** The fields to read. Times are milliseconds since the epoch in decimal. */
export interface FieldBlockOptions {
  readonly fields: readonly LogField[];
  /** Characters of a text that are read at most. */
  readonly longest?: number;
  /** Ends the stream: it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

const ends = v.tuple([v.nullable(v.number()), v.nullable(v.number())]);

const blob = v.tuple([v.instance(Uint8Array)]);

/**
 * Streams fields of the selected logs as blocks of bytes, in no particular
 * order. Each log has its fields in UTF-8, separated and ended by the bytes of
 * `fieldSeparators`. A missing value is empty. Reading a million logs takes a
 * fraction of a second in this form, as values of the driver several.
 */
export async function* streamFieldBlocks(
  from: Case,
  filter: Filter,
  { fields, longest = 4096, signal }: FieldBlockOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { connection, condition, end } = await startSearch(from, filter, signal);
  // The statement under way: the connection must not be closed while it runs.
  let reading: ReturnType<typeof connection.runAndReadAll> | undefined;
  try {
    const { sql, parameters } = condition();
    const columns = fields
      .map((field) => fieldText(field, longest))
      .join(`, chr(${fieldSeparators.field}), `);
    const [first, last] = v.parse(
      ends,
      (
        await connection.runAndReadAll('SELECT min(id)::DOUBLE, max(id)::DOUBLE FROM stored.logs')
      ).getRowsJS()[0],
    );
    const read = (id: number) =>
      connection.runAndReadAll(
        `SELECT encode(string_agg(concat(${columns}, chr(${fieldSeparators.row})), '')) FROM stored.logs
         WHERE id BETWEEN ${id} AND ${id + idsOfStatement - 1} AND (${sql}) GROUP BY id // ${idsOfBlock}`,
        [...parameters],
      );
    reading = first === null || last === null ? undefined : read(first);
    for (let id = first ?? 0; reading !== undefined; id += idsOfStatement) {
      const found = await reading;
      signal?.throwIfAborted();
      // The database reads the next logs while the caller works on these.
      reading = id + idsOfStatement <= (last ?? 0) ? read(id + idsOfStatement) : undefined;
      reading?.catch(() => undefined);
      for (const row of found.getRowsJS()) yield v.parse(blob, row)[0];
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw toStoreError(error, from);
  } finally {
    await reading?.catch(() => undefined);
    end();
  }
}

/** A field as text without the separators. */
function fieldText(field: LogField, longest: number): string {
  if (field === 'time') return 'epoch_ms("time")';
  if (field === 'logCode' || field === 'elapsed') return `"${field}"`;
  return `translate(left("${field}", ${longest}), chr(${fieldSeparators.field}) || chr(${fieldSeparators.row}), '  ')`;
}
