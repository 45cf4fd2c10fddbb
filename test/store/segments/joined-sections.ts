import type { NewField, SectionName } from '../../../src/word-index/segment-maker.ts';

/** A field with each of its sections in one piece. */
export type JoinedField = Pick<NewField, 'tokens' | 'documents'> &
  Readonly<Record<SectionName | 'top', Buffer>>;

/** Joins the pieces of the sections of fields. */
export function joinSections(fields: Iterable<NewField>): readonly JoinedField[] {
  return Array.from(fields, ({ tokens, documents, ...sections }) => {
    const { pages, blocks, top, postings, positions, lengths } = sections;
    return {
      tokens,
      documents,
      pages: Buffer.concat(pages),
      blocks: Buffer.concat(blocks),
      top: Buffer.concat(top),
      postings: Buffer.concat(postings),
      positions: Buffer.concat(positions),
      lengths: Buffer.concat(lengths),
    };
  });
}
