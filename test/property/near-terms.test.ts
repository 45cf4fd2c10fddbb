import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Case, openCase } from '../../src/case/file/case.ts';
import { buildIndex } from '../../src/case/index/build.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { findBest } from '../../src/case/searching/best-logs.ts';
import { countLogs, findLogs } from '../../src/case/searching/find-logs.ts';
import { expandFuzzy } from '../../src/case/searching/search.ts';
import type { Filter, FuzzyFilter } from '../../src/language/meaning/filter.ts';
import { match, matchDocument, toDocument } from '../../src/language/meaning/match.ts';
import { documentedSchema } from '../../src/language/meaning/schema.ts';
import { needsOf, scoreDocument, statisticsOf, toScorer } from '../../src/language/meaning/score.ts';
import { expandOver } from '../../src/language/meaning/scored.ts';
import { rounds } from '../effort.ts';
import { requireSoundIndex } from '../store/sound-index.ts';

requireSoundIndex();

/** Terms that are one or two edits from each other, in texts and in a field without an index. */
const letter = fc.constantFrom('a', 'b', 'c');
const term = fc.array(letter, { minLength: 1, maxLength: 4 }).map((letters) => letters.join(''));
const text = fc.array(term, { minLength: 1, maxLength: 4 }).map((terms) => terms.join(' '));
const log = fc.record({ msg: text, methodName: text }, { requiredKeys: [] });

function fuzzyOn(name: string): fc.Arbitrary<Filter> {
  const field = documentedSchema.fields.get(name);
  if (!field) throw new Error(`There is no field "${name}"`);
  return fc
    .record({
      term,
      edits: fc.constantFrom<0 | 1 | 2>(0, 1, 2, 2),
      maxExpansions: fc.constantFrom(1, 2, 3, 50),
    })
    .map((rest): FuzzyFilter => ({ kind: 'fuzzy', field, ...rest }));
}

const fuzzy = fc.oneof(fuzzyOn('msg'), fuzzyOn('methodName'));
const filter = fc.oneof(
  fuzzy,
  fc.tuple(fuzzy, fuzzy).map(([a, b]): Filter => ({ kind: 'bool', must: [a], should: [], mustNot: [b] })),
  fc.array(fuzzy, { minLength: 1, maxLength: 3 }).map((filters): Filter => ({ kind: 'disMax', filters })),
);

const searched = fc.record({
  first: fc.array(log, { minLength: 1, maxLength: 15 }),
  second: fc.array(log, { minLength: 1, maxLength: 5 }),
  filters: fc.array(filter, { minLength: 4, maxLength: 8 }),
});

test('a case selects the logs that have one of its nearest terms, with and without an index', async () => {
  await fc.assert(
    fc.asyncProperty(searched, fc.constantFrom('none', 'some', 'all'), async (given, indexed) => {
      const { first, second, filters } = given;
      await using stored = await openCase(':memory:', { access: 'write' });
      await addLogs(stored, first, { part: 'first' });
      if (indexed !== 'none') await buildIndex(stored);
      await addLogs(stored, second, { part: 'second' });
      if (indexed === 'all') await buildIndex(stored);
      const documents = [...first, ...second].map(toDocument);
      for (const each of filters) {
        const expanded = expandOver(each, documents);
        const expected = documents.filter((document) => matchDocument(expanded, document)).length;
        expect(await countLogs(stored, each)).toBe(expected);
        expect(await findLogs(stored, each, { limit: 100 })).toHaveLength(expected);
        const best = await findBest(stored, { filter: each, boosts: new Map() }, { limit: 100 });
        expect(best).toHaveLength(expected);
        const scorer = toScorer(
          { filter: expanded, boosts: new Map() },
          statisticsOf(documents, needsOf(expanded)),
        );
        const scores = documents.flatMap((document) => scoreDocument(scorer, document) ?? []);
        const rounded = (values: readonly number[]) => values.map((score) => score.toFixed(3)).sort();
        expect(rounded(best.map(({ score }) => score))).toEqual(rounded(scores));
      }
    }),
    { numRuns: rounds(10, 3) },
  );
});

test('several cases are searched as if they were one', async () => {
  await fc.assert(
    fc.asyncProperty(searched, async ({ first, second, filters }) => {
      await using one = await caseOf(first);
      await using other = await caseOf(second);
      const documents = [...first, ...second].map(toDocument);
      for (const each of filters) {
        const expanded = expandOver(each, documents);
        const { filter: found } = await expandFuzzy([one, other], { filter: each, boosts: new Map() });
        for (const every of [...first, ...second]) expect(match(found, every)).toBe(match(expanded, every));
        const count = (await countLogs(one, found)) + (await countLogs(other, found));
        expect(count).toBe(documents.filter((document) => matchDocument(expanded, document)).length);
      }
    }),
    { numRuns: rounds(5, 2) },
  );
});

async function caseOf(logs: Parameters<typeof addLogs>[1]): Promise<Case> {
  const made = await openCase(':memory:', { access: 'write' });
  await addLogs(made, logs, { part: 'logs' });
  return made;
}
