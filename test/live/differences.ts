import { tooMuchWork } from '../../src/language/automata/automaton.ts';
import { validate } from '../../src/language/lint/validate.ts';
import { matchDocument, toDocument } from '../../src/language/meaning/match.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { expandOver } from '../../src/language/meaning/scored.ts';
import { engines } from '../../src/language/parse/engine.ts';
import { lex } from '../../src/language/parse/lex.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { type Answer, type Corpus, luceneClauses, searchLucene } from './search-lucene.ts';

/** A query that is answered in one way here and in another by the engine. */
export interface Difference {
  readonly query: string;
  readonly ours: string;
  readonly engine: string;
  /** The query as the engine's parser reads it. */
  readonly clauses?: string;
}

/** The queries that the engine answers otherwise, the shortest first. */
export function differencesIn(corpus: Corpus, queries: readonly string[]): readonly Difference[] {
  return differencesBetween(corpus, queries, searchLucene(corpus, queries));
}

/** The queries that an engine answers otherwise, the shortest first. Answers of the engine are in the order of the queries. */
export function differencesBetween(
  corpus: Corpus,
  queries: readonly string[],
  answers: readonly Answer[],
): readonly Difference[] {
  const search = searcher(corpus);
  return answers
    .map((answer, index) => {
      const query = queries[index] ?? '';
      return differenceOf(query, search(query), answer);
    })
    .filter((difference) => difference !== undefined)
    .sort((a, b) => a.query.length - b.query.length);
}

/** The first few differences, each with as much as possible left out, and with the engine's clauses. */
export function shrunk(
  corpus: Corpus,
  differences: readonly Difference[],
  rounds = 12,
): readonly Difference[] {
  let current = differences.slice(0, 8);
  for (let round = 0; round < rounds; round += 1) {
    const candidates = [...new Set(current.flatMap(({ query }) => shorter(query)))];
    const next = differencesIn(corpus, candidates);
    current = current.map((each) => {
      const better = shorter(each.query);
      return next.find(({ query }) => better.includes(query)) ?? each;
    });
  }
  const clauses = luceneClauses(
    corpus,
    current.map(({ query }) => query),
  );
  return current.map((each, index) => ({ ...each, clauses: clauses[index] ?? '' }));
}

function searcher({
  schema,
  logs,
  defaultOperator,
  engineName = 'deployment',
}: Corpus): (query: string) => Answer | undefined {
  const documents = logs.map(toDocument);
  const engine = engines[engineName];
  return (text) => {
    const { query, findings } = parse(text);
    const errors = [...findings, ...validate(query, { schema, engine, dialect: 'lucene' })];
    const refusal = errors.find(({ severity }) => severity === 'error');
    // Lucene of this version counts the clauses of each level alone, and that of the deployment all of them.
    if (refusal?.code === 'too-many-clauses') return undefined;
    // The time for a pattern is bounded here; the engine bounds its states alone.
    if (refusal?.message.startsWith(tooMuchWork)) return undefined;
    // So is that for a phrase with a distance, by its words that stand in it more than once.
    if (refusal?.message.startsWith('The phrase is too complex')) return undefined;
    if (refusal) return { refusal: refusal.message };
    const filter = expandOver(resolve(query, { schema, defaultOperator, engine }), documents);
    const found = documents.flatMap((document, place) => (matchDocument(filter, document) ? [place] : []));
    return { hits: found };
  };
}

function differenceOf(query: string, ours: Answer | undefined, engine: Answer): Difference | undefined {
  if (!ours) return undefined;
  if ('refusal' in ours || 'refusal' in engine) {
    if ('refusal' in ours && 'refusal' in engine) return undefined;
    return { query, ours: shown(ours), engine: shown(engine) };
  }
  const [us, it] = [new Set(ours.hits), new Set(engine.hits)];
  const more = ours.hits.filter((hit) => !it.has(hit));
  const less = engine.hits.filter((hit) => !us.has(hit));
  if (more.length + less.length === 0) return undefined;
  return {
    query,
    ours: `${us.size} logs, with ${more.slice(0, 5)}`,
    engine: `${it.size} logs, with ${less.slice(0, 5)}`,
  };
}

function shown(answer: Answer): string {
  return 'refusal' in answer ? `refused: ${answer.refusal}` : `${answer.hits.length} logs`;
}

/** The query without one of its tokens, a run of them, or a character. */
export function shorter(query: string): readonly string[] {
  const tokens = lex(query);
  const without = tokens.flatMap((first, index) =>
    tokens.slice(index, index + 6).map((last) => query.slice(0, first.from) + query.slice(last.to)),
  );
  const characters =
    query.length < 60 ? [...query].map((_, at) => query.slice(0, at) + query.slice(at + 1)) : [];
  return [...without, ...characters].filter((each) => each.length < query.length);
}
