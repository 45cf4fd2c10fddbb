import type { Fix } from '../parse/finding.ts';
import type { Clause, Part } from '../parse/tree.ts';
import { startOf } from './level.ts';
import { isLoneSign } from './plain.ts';

/**
 * A fix that removes neighbours from a list of clauses, with their operators.
 * None if nothing would be left, or if words on both sides would become one run.
 */
export function removeClauses(parts: readonly Part[], clauses: readonly Clause[]): Fix[] {
  const [first, last] = [clauses[0], clauses.at(-1)];
  if (!first || !last) return [];
  const before = parts[parts.indexOf(first) - 1];
  const after = parts[parts.indexOf(last) + 1];
  if (joins(before, after) && !clauses.every(isPlainClause)) return [];
  if (before) {
    // A blank keeps the parts on both sides apart, and a lone sign a word.
    const needsBlank = after ? after.from === last.to : isLoneSign(before);
    return [removal(before.to, last.to, needsBlank ? ' ' : '')];
  }
  return after?.kind === 'Clause' ? [removal(first.from, startOf(after), '')] : [];
}

function removal(from: number, to: number, insert: string): Fix {
  return { title: 'Remove it', edits: [{ from, to, insert }] };
}

function joins(before: Part | undefined, after: Part | undefined): boolean {
  return (
    before?.kind === 'Clause' && after?.kind === 'Clause' && isPlainClause(before) && isPlainClause(after)
  );
}

function isPlainClause({ conjunction, modifier, field, item }: Clause): boolean {
  return !conjunction && !modifier && !field && item.kind === 'Word';
}
