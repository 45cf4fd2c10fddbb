import type { Clause, Part, Word } from '../parse/tree.ts';

/** A clause of one plain word: without a field, a modifier, a conjunction or a suffix. */
export type PlainWord = Clause & { readonly item: Word };

/** Returns whether a part is one plain word, with a conjunction only if that is allowed. */
export function isPlainWord(
  part: Part | undefined,
  allowed: { readonly conjunction?: boolean } = {},
): part is PlainWord {
  if (part?.kind !== 'Clause' || part.field || part.modifier || (part.conjunction && !allowed.conjunction))
    return false;
  return part.item.kind === 'Word' && part.item.term.kind === 'Term' && part.item.suffixes.length === 0;
}

const lookAlikes: ReadonlyMap<string, 'AND' | 'OR' | 'NOT'> = new Map([
  ['and', 'AND'],
  ['or', 'OR'],
  ['not', 'NOT'],
  ['&', 'AND'],
  ['|', 'OR'],
]);

/** The operator that a word looks like. */
export function operatorMeantBy(text: string): 'AND' | 'OR' | 'NOT' | undefined {
  return lookAlikes.get(text.toLowerCase());
}

/** Returns whether a part is a lone sign, which is a word only because a blank follows it. */
export function isLoneSign(part: Part | undefined): boolean {
  return part?.kind === 'Clause' && part.item.kind === 'Word' && part.item.term.kind === 'Bare';
}
