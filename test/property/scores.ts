import fc from 'fast-check';
import type { Filter } from '../../src/language/meaning/filter.ts';
import { type FieldValues, toDocument } from '../../src/language/meaning/match.ts';
import { documentedSchema } from '../../src/language/meaning/schema.ts';
import { needsOf, scoreDocument, statisticsOf, toScorer } from '../../src/language/meaning/score.ts';
import type { Scored } from '../../src/language/meaning/scored.ts';
import { filter, words } from '../../src/testing/filters.ts';

/** A filter without boosts. */
export const scoredOf = (filter: Filter): Scored => ({ filter, boosts: new Map() });

/** The scores of logs, undefined of those that do not match. */
export function scoresOf(filter: Filter, logs: readonly FieldValues[]): readonly (number | undefined)[] {
  const documents = logs.map(toDocument);
  const scorer = toScorer(scoredOf(filter), statisticsOf(documents, needsOf(filter)));
  return documents.map((document) => scoreDocument(scorer, document));
}

/** Phrases whose words repeat, which are the hard ones to count. */
const phrase = fc
  .record({
    terms: fc.array(fc.constantFrom('a', 'b', ...words), { minLength: 2, maxLength: 4 }),
    slop: fc.constantFrom(0, 0, 1, 3),
  })
  .map(({ terms, slop }): Filter => {
    const field = documentedSchema.fields.get('msg');
    if (!field) throw new Error('There is no field "msg"');
    return { kind: 'phrase', field, terms, slop };
  });

/** Any filter, a phrase more often than otherwise. */
export const scoredFilter = fc.oneof({ arbitrary: filter, weight: 4 }, { arbitrary: phrase, weight: 1 });
