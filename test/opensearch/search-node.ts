import * as v from 'valibot';
import type { FieldType } from '../../src/language/meaning/schema.ts';
import type { Answer, Corpus, Ranked } from '../live/search-lucene.ts';
import type { SearchNode } from './start-node.ts';

const mappedAs: { readonly [T in FieldType]: string } = {
  text: 'text',
  keyword: 'keyword',
  integer: 'long',
  decimal: 'double',
  date: 'date',
};

/** A server with the logs of a corpus in an index of one shard. */
export interface IndexedCorpus {
  readonly corpus: Corpus;
  /** The logs that queries in the language select, or why each is refused. */
  readonly search: (queries: readonly string[]) => Promise<readonly Answer[]>;
  /** The same without leniency in the first default field. */
  readonly searchStrictly: (queries: readonly string[]) => Promise<readonly Answer[]>;
  /** The logs that queries in the DSL of the server select. */
  readonly select: (queries: readonly object[]) => Promise<readonly Answer[]>;
  /** The logs that queries in the language select with their scores, best first; undefined of a query that is refused. */
  readonly rank: (queries: readonly string[]) => Promise<readonly (readonly Ranked[] | undefined)[]>;
  /** The same of queries in the DSL. */
  readonly rankSelected: (queries: readonly object[]) => Promise<readonly (readonly Ranked[] | undefined)[]>;
}

const indexed = v.object({ errors: v.literal(false) });

const replies = v.object({
  responses: v.array(
    v.union([
      v.object({ error: v.looseObject({ type: v.string() }) }),
      v.object({
        hits: v.optional(
          v.object({
            hits: v.optional(v.array(v.object({ _id: v.string(), _score: v.number() })), []),
          }),
          {},
        ),
      }),
    ]),
  ),
});

/** Searches of one request. */
const batch = 200;

/** Puts the logs of a corpus into a server. */
export async function indexCorpus(node: SearchNode, name: string, corpus: Corpus): Promise<IndexedCorpus> {
  const { schema, logs, defaultOperator } = corpus;
  const properties = Object.fromEntries(
    [...schema.fields.values()].map((field) => [field.name, { type: mappedAs[field.type] }]),
  );
  const settings = { number_of_shards: 1, number_of_replicas: 0, max_result_window: 1_000_000 };
  await node.ask('PUT', `/${name}`, { settings, mappings: { dynamic: false, properties } });
  // Numbers as texts: those beyond 2^53 are whole then. Milliseconds before the epoch are no date for the server.
  const textOf = (name: string, value: unknown) =>
    schema.fields.get(name)?.type === 'date' ? new Date(Number(value)).toISOString() : String(value);
  const lines = logs.flatMap((log, id) => {
    const values = Object.entries(log).filter(([, value]) => value !== undefined);
    const document = Object.fromEntries(values.map(([field, value]) => [field, textOf(field, value)]));
    return [JSON.stringify({ index: { _id: String(id) } }), JSON.stringify(document)];
  });
  v.parse(
    indexed,
    await node.ask('POST', `/${name}/_bulk?refresh=true&filter_path=errors`, `${lines.join('\n')}\n`),
  );
  await node.ask('POST', `/${name}/_forcemerge?max_num_segments=1`);

  const ask = async (queries: readonly object[]) => {
    const answers: ({ readonly refusal: string } | { readonly found: readonly Ranked[] })[] = [];
    for (let at = 0; at < queries.length; at += batch) {
      const searches = queries
        .slice(at, at + batch)
        .flatMap((query) => ['{}', JSON.stringify({ size: logs.length, _source: false, query })]);
      const paths = [
        'responses.error',
        'responses.status',
        'responses.hits.hits._id',
        'responses.hits.hits._score',
      ];
      const path = `/${name}/_msearch?filter_path=${paths}`;
      const { responses } = v.parse(replies, await node.ask('POST', path, `${searches.join('\n')}\n`));
      for (const response of responses)
        answers.push(
          'error' in response
            ? { refusal: JSON.stringify(response.error).slice(0, 500) }
            : { found: response.hits.hits.map(({ _id, _score }) => ({ log: Number(_id), score: _score })) },
        );
    }
    return answers;
  };
  const select = async (queries: readonly object[]): Promise<readonly Answer[]> =>
    (await ask(queries)).map((answer) =>
      'found' in answer ? { hits: answer.found.map(({ log }) => log).sort((a, b) => a - b) } : answer,
    );
  const rankSelected = async (queries: readonly object[]) =>
    (await ask(queries)).map((answer) => ('found' in answer ? answer.found : undefined));
  const fields = schema.defaults.map((field) => field.name);
  const asQueryString = (queries: readonly string[], searched: readonly string[], lenient: boolean) =>
    queries.map((query) => ({
      query_string: { query, fields: searched, default_operator: defaultOperator, lenient },
    }));
  return {
    corpus,
    search: (queries) => select(asQueryString(queries, fields, true)),
    searchStrictly: (queries) => select(asQueryString(queries, fields.slice(0, 1), false)),
    select,
    rank: (queries) => rankSelected(asQueryString(queries, fields, true)),
    rankSelected,
  };
}
