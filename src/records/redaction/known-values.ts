import type { FoundIdentifier, IdentifierKind } from './find-identifiers.ts';

/** Values that are searched in texts, in any spelling of their letters. */
export interface KnownValues {
  readonly add: (kind: IdentifierKind, value: string) => void;
  /** Finds all values in a text, in any order; within words they are not found. */
  readonly find: (text: string) => readonly FoundIdentifier[];
}

interface Known {
  readonly kind: IdentifierKind;
  /** In small letters. */
  readonly value: string;
  /** Offset of its first word. */
  readonly offset: number;
}

const word = /[\p{L}\p{N}]+/gu;
const letter = /[\p{L}\p{N}]/u;

/** Makes an index of values by their first words, so that the time of a search hardly depends on their number. */
export function makeKnownValues(): KnownValues {
  const byWord = new Map<string, Known[]>();
  const values = new Set<string>();
  return { add, find };

  function add(kind: IdentifierKind, text: string): void {
    const value = text.toLowerCase();
    const first = /[\p{L}\p{N}]+/u.exec(value);
    // Signs alone, such as "-", identify nobody.
    if (!first || values.has(value)) return;
    values.add(value);
    const others = byWord.get(first[0]) ?? [];
    byWord.set(first[0], [...others, { kind, value, offset: first.index }]);
  }

  function find(text: string): readonly FoundIdentifier[] {
    const found: FoundIdentifier[] = [];
    for (const { 0: token, index } of text.matchAll(word))
      for (const { kind, value, offset } of byWord.get(token.toLowerCase()) ?? []) {
        const from = index - offset;
        const to = from + value.length;
        if (0 <= from && text.slice(from, to).toLowerCase() === value && isWhole(text, from, to))
          found.push({ kind, from, to });
      }
    return found;
  }
}

/** Reports if no letter or digit continues the range at either end. */
function isWhole(text: string, from: number, to: number): boolean {
  const [before = '', first = ''] = [text[from - 1], text[from]];
  const [last = '', after = ''] = [text[to - 1], text[to]];
  return !(letter.test(before) && letter.test(first)) && !(letter.test(last) && letter.test(after));
}
