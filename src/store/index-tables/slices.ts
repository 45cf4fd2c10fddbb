import { indexedFields } from './indexed-fields.ts';

/** The logs of some ids that follow on: as many as the database can sort the tokens of at a time. */
export interface Slice {
  readonly firstId: number;
  readonly lastId: number;
}

/** A slice has at most so many ids, so that a place in it fits a number: 20 bits for the log, 32 for the position. */
export const mostIds = 2 ** 20;

/**
 * In so many logs of a slice, or more, a term is frequent: they are kept as a
 * set of bits, which is read faster than their ids are, and its positions are
 * left out: phrases with it are looked for in the texts of those logs.
 */
export function leastFrequent({ firstId, lastId }: Slice): number {
  return Math.max(1024, Math.ceil((lastId + 1 - firstId) / 16));
}

/** The id of the first bit in the sets of a slice, a multiple of 8. */
export function firstBit(firstId: number): number {
  return 8 * Math.floor(firstId / 8);
}

/** The ids of the first and the last bit in the sets of a slice, whose bits fill whole bytes. */
export function setBounds({ firstId, lastId }: Slice): string {
  return `${firstBit(firstId)}, ${firstBit(lastId) + 7}`;
}

/**
 * The tokens of the logs of a slice: field, id, term and position, the first of which is 2. Numbers made by
 * `generate_subscripts` would take longer than all the rest of it.
 */
export function tokensOf({ firstId, lastId }: Slice): string {
  return indexedFields
    .map(
      (name, number) => `SELECT ${number}::UTINYINT AS field, id, unnest(terms) AS term,
        unnest(list_transform(terms, lambda term, place: (place + 1)::UINTEGER)) AS position
      FROM (SELECT id::UINTEGER AS id, string_split(trim("${name}_tokens", ' '), ' ') AS terms
        FROM stored.logs WHERE id BETWEEN ${firstId} AND ${lastId} AND "${name}_tokens" <> '')`,
    )
    .join(' UNION ALL ');
}
