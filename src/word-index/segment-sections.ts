/** Sections of a field in the pages of a segment, in their order. */
export const sectionNames = ['pages', 'blocks', 'postings', 'positions', 'lengths'] as const;

export type SectionName = (typeof sectionNames)[number];

/** The terms of a field as `assembly/postings.ts` writes them, with the lengths of the field: sections in pieces. */
export interface NewField extends Readonly<Record<SectionName | 'top', readonly Uint8Array[]>> {
  readonly tokens: number;
  /** Logs with a token. */
  readonly documents: number;
}

/** Facts of a field in the head of a segment: with the lengths of its sections in bytes. */
export interface FieldFacts extends Readonly<Record<SectionName, number>> {
  readonly tokens: number;
  readonly documents: number;
  readonly top: Uint8Array;
}

/** Returns what the head of a segment says of a field. */
export function factsOf({ tokens, documents, top, ...sections }: NewField): FieldFacts {
  const { pages, blocks, postings, positions, lengths } = sections;
  return {
    ...{ tokens, documents, top: Buffer.concat(top) },
    ...{ pages: bytesOf(pages), blocks: bytesOf(blocks), postings: bytesOf(postings) },
    ...{ positions: bytesOf(positions), lengths: bytesOf(lengths) },
  };
}

function bytesOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** Yields the sections of fields in their order, and names each field before. */
export function* piecesOf(
  fields: Iterable<NewField>,
  onField: (field: NewField) => void,
): Generator<Uint8Array, void, undefined> {
  for (const field of fields) {
    onField(field);
    for (const name of sectionNames) yield* field[name];
  }
}
