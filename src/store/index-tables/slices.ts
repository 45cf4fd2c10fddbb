import { indexedFields } from './indexed-fields.ts';

/** A range of log ids whose tokens the database can group at once. */
export interface IndexSlice {
  readonly firstId: number;
  readonly lastId: number;
}

/**
 * Maximum number of ids in a slice. A word position in it fits one number: 20 bits for the log, 32 for the
 * position.
 */
export const maxSliceIds = 2 ** 20;

/**
 * Number of occurrences in a slice from which a term is frequent. Its logs are stored as a set of bits, which
 * is read faster than ids. Its positions are left out: phrases with it are searched in the texts of those logs.
 */
export function minFrequentCount({ firstId, lastId }: IndexSlice): number {
  return Math.max(1024, Math.ceil((lastId + 1 - firstId) / 16));
}

/** Returns the id of the first bit in the sets of a slice, a multiple of 8. */
export function firstBit(firstId: number): number {
  return 8 * Math.floor(firstId / 8);
}

/** Returns the ids of the first and the last bit in the sets of a slice, as SQL. The bits fill whole bytes. */
export function setBounds({ firstId, lastId }: IndexSlice): string {
  return `${firstBit(firstId)}, ${firstBit(lastId) + 7}`;
}

/**
 * SELECT of the tokens of a slice: field, id, term and position, which starts at 2. Numbering by
 * `generate_subscripts` would take longer than all the rest.
 */
export function tokensSql({ firstId, lastId }: IndexSlice): string {
  return indexedFields
    .map(
      (name, number) => `SELECT ${number}::UTINYINT AS field, id, unnest(terms) AS term,
        unnest(list_transform(terms, lambda term, ordinal: (ordinal + 1)::UINTEGER)) AS position
      FROM (SELECT id::UINTEGER AS id, string_split(trim("${name}_tokens", ' '), ' ') AS terms
        FROM stored.logs WHERE id BETWEEN ${firstId} AND ${lastId} AND "${name}_tokens" <> '')`,
    )
    .join(' UNION ALL ');
}
