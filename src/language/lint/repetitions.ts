import { parseNumber } from '../meaning/bounds.ts';
import type { Occur } from '../meaning/clauses.ts';
import type { Clause } from '../parse/tree.ts';
import { clauseSignature, type SignatureReader } from './clause-signature.ts';
import type { QueryLevel } from './level.ts';
import { memoize } from './memo.ts';
import type { SearchTargets } from './target-lookup.ts';
import { askedText } from './terms.ts';

/** A clause that repeats another one, and how the server takes it. */
export interface RepeatedClause {
  readonly clause: Clause;
  readonly occur: Occur;
}

/** Clauses of one level that ask for the same, in the order of the text: two or more. */
export type RepeatedClauses = readonly RepeatedClause[];

/** A lookup of the clauses of a level that ask for the same, as far as their signatures show it. */
export function repetitionLookup(reader: SignatureReader): (level: QueryLevel) => readonly RepeatedClauses[] {
  return memoize(({ members }) => {
    const bySignature = new Map<string, RepeatedClause[]>();
    for (const { clauses, occur, searchTargets } of members) {
      if (!occur) continue;
      for (const clause of clauses) {
        const isPart = 1 < clauses.length && !standsAlone(clause, searchTargets);
        const signature = isPart ? '' : clauseSignature(clause, searchTargets, reader);
        if (signature === '') continue;
        const key = `${searchTargets.named ?? ''}:${signature}`;
        const alike = bySignature.get(key);
        if (alike) alike.push({ clause, occur });
        else bySignature.set(key, [{ clause, occur }]);
      }
    }
    return [...bySignature.values()].filter((alike) => 1 < alike.length);
  });
}

/**
 * Returns whether a word asks for the same in a run as alone. As text it does, but as a value it is only a part of
 * one.
 */
function standsAlone({ item }: Clause, { hasKeyword, hasNumbers }: SearchTargets): boolean {
  return !hasKeyword && (!hasNumbers || parseNumber(askedText(item) ?? '') === undefined);
}
