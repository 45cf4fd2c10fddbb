import type { Fix } from '../../language/finding.ts';
import type { Clause, Part } from '../../language/tree.ts';
import { startOf } from '../views/level.ts';
import { isBare } from '../views/plain-word.ts';

/**
 * A fix that takes neighbours out of a list of clauses, with the operators that
 * join them. None where nothing would be left, or where words on both sides
 * would become one run.
 */
export function removeClauses(parts: readonly Part[], clauses: readonly Clause[]): Fix[] {
  const [first, last] = [clauses[0], clauses.at(-1)];
  if (!first || !last) return [];
  const before = parts[parts.indexOf(first) - 1];
  const after = parts[parts.indexOf(last) + 1];
  if (joins(before, after) && !clauses.every(isPlain)) return [];
  if (before) {
    // What touched the clause must not touch what stands before it now; and a lone sign needs its blank.
    const needsBlank = after ? after.from === last.to : isBare(before);
    return [removal(before.to, last.to, needsBlank ? ' ' : '')];
  }
  return after?.kind === 'Clause' ? [removal(first.from, startOf(after), '')] : [];
}

function removal(from: number, to: number, insert: string): Fix {
  return { title: 'Remove it', edits: [{ from, to, insert }] };
}

function joins(before: Part | undefined, after: Part | undefined): boolean {
  return before?.kind === 'Clause' && after?.kind === 'Clause' && isPlain(before) && isPlain(after);
}

function isPlain({ conjunction, modifier, field, item }: Clause): boolean {
  return !conjunction && !modifier && !field && item.kind === 'Word';
}
