import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { validate } from '../../src/language/lint/validate.ts';
import { matchDocument, toDocument } from '../../src/language/meaning/match.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { documentedSchema } from '../../src/language/meaning/schema.ts';
import { expandOver } from '../../src/language/meaning/scored.ts';
import { engines } from '../../src/language/parse/engine.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { toElasticsearch } from '../../src/language/translate/elasticsearch.ts';
import { keywordSchema } from '../../src/testing/filters.ts';
import { type Difference, differencesBetween, shorter } from '../live/differences.ts';
import { randomLog } from '../live/random-logs.ts';
import { randomQueries } from '../live/random-queries.ts';
import type { Corpus } from '../live/search-lucene.ts';
import { numRuns, seed } from '../live/settings.ts';
import { agreementByKind, mayHaveLongBound } from './kinds.ts';
import { type IndexedCorpus, indexCorpus } from './search-node.ts';
import { type SearchNode, startNode } from './start-node.ts';

let node: SearchNode;
beforeAll(async () => {
  node = await startNode();
});
afterAll(async () => node[Symbol.asyncDispose]());

async function compare(corpus: IndexedCorpus, queries: readonly string[]) {
  // A blank query is an error here, and no log there.
  const asked = queries.filter((query) => query.trim() !== '');
  const answers = await corpus.search(asked);
  const found = differencesBetween(corpus.corpus, asked, answers);
  // In a lenient server a clause that a strict one refuses selects nothing.
  const strict = await corpus.searchStrictly(found.map(({ query }) => query));
  const refusals = new Set(
    found.flatMap(({ query, ours }, index) =>
      ours.startsWith('refused') && 'refusal' in (strict[index] ?? {}) ? [query] : [],
    ),
  );
  const differences = found.filter(({ query }) => !refusals.has(query) && !mayHaveLongBound(query));
  const others = new Set(found.map(({ query }) => query).filter((query) => !refusals.has(query)));
  const compared = asked.map((query, index) => ({
    query,
    isSame: !others.has(query),
    isRefused: refusals.has(query) || 'refusal' in (answers[index] ?? {}),
  }));
  return { differences, compared };
}

/** The first few differences, each with as much as possible left out. */
async function shrunk(corpus: IndexedCorpus, differences: readonly Difference[]) {
  let current = differences.slice(0, 8);
  for (let round = 0; round < 12; round += 1) {
    const candidates = [...new Set(current.flatMap(({ query }) => shorter(query)))];
    const { differences: next } = await compare(corpus, candidates);
    current = current.map((each) => {
      const better = shorter(each.query);
      return next.find(({ query }) => better.includes(query)) ?? each;
    });
  }
  return current;
}

const all: Awaited<ReturnType<typeof compare>>['compared'] = [];
afterAll(() => process.stdout.write(`${agreementByKind(all)}\n`));

const corpora = [
  ['the documented fields', documentedSchema, 'or', 0.5],
  ['the documented fields, joined by AND', documentedSchema, 'and', 0.15],
  ['fields that are keywords', keywordSchema, 'or', 0.35],
] as const;

describe(`${numRuns} queries with the seed ${seed}, as OpenSearch answers them`, () => {
  test.each(corpora)('over %s', async (name, schema, defaultOperator, share) => {
    const logs = fc.sample(randomLog(schema), { numRuns: 1000, seed });
    const corpus: Corpus = { schema, logs, defaultOperator, engineName: 'opensearch' };
    const indexed = await indexCorpus(node, name.toLowerCase().replace(/\W+/g, '-'), corpus);
    const { differences, compared } = await compare(indexed, randomQueries(corpus, numRuns * share, seed));
    all.push(...compared);
    expect(differences.length === 0 ? [] : [differences.length, await shrunk(indexed, differences)]).toEqual(
      [],
    );
  });
});

describe(`${numRuns / 2} translated queries with the seed ${seed}`, () => {
  test.each(corpora.filter(([, , operator]) => operator === 'or'))('over %s', async (name, schema) => {
    const logs = fc.sample(randomLog(schema), { numRuns: 1000, seed: seed + 1 });
    const corpus: Corpus = {
      schema,
      logs,
      defaultOperator: 'or',
      engineName: 'opensearch',
    };
    const indexed = await indexCorpus(node, `translated-${name.replace(/\W+/g, '-')}`, corpus);
    const documents = logs.map(toDocument);
    const engine = engines.opensearch;
    const sound = randomQueries(corpus, numRuns / 2, seed).flatMap((text) => {
      const { query, findings } = parse(text);
      const all = [...findings, ...validate(query, { schema, engine, dialect: 'lucene' })];
      if (all.some(({ severity }) => severity === 'error')) return [];
      const filter = expandOver(resolve(query, { schema, engine }), documents);
      return [{ text, filter, translation: toElasticsearch(filter) }];
    });
    const answers = await indexed.select(sound.map(({ translation }) => translation.query));
    const differences = sound.flatMap(({ text, filter, translation }, index) => {
      const answer = answers[index];
      const ours = documents.flatMap((document, id) => (matchDocument(filter, document) ? [id] : []));
      const found = answer && 'hits' in answer ? answer.hits : answer;
      if (JSON.stringify(found) === JSON.stringify(ours) || mayHaveLongBound(text)) return [];
      return [{ text, losses: translation.losses, ours: ours.length, found }];
    });
    expect(sound.length).toBeGreaterThan(numRuns / 8);
    expect(differences.filter(({ losses }) => losses.length === 0)).toEqual([]);
  });
});
