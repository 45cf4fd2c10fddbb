import * as v from 'valibot';
import { documentedSchema, type FieldType } from '../language/index.ts';
import type { Log } from '../records/index.ts';

/** A search server that holds the logs of a deployment and answers its searches. */
export interface SearchEngine extends AsyncDisposable {
  /** Adds logs by their ids. Every later search finds them. */
  readonly add: (logs: readonly { readonly id: number; readonly log: Log }[]) => Promise<void>;
  /** The ids of the logs that a query selects, each with its score. Rejects with a `SearchRefused`. */
  readonly search: (text: string) => Promise<ReadonlyMap<number, number>>;
}

/** A server's refusal of a query, with its reason. */
export class SearchRefused extends Error {
  override readonly name = 'SearchRefused';
}

/** A search server that cannot be used, with what to do. */
export class SearchEngineError extends Error {
  override readonly name = 'SearchEngineError';
}

const indexedAs: { readonly [T in FieldType]: string } = {
  text: 'text',
  keyword: 'keyword',
  integer: 'long',
  decimal: 'double',
  date: 'date',
};

const bulkReply = v.object({ errors: v.literal(false) });

const page = v.object({
  hits: v.optional(
    v.object({
      hits: v.optional(
        v.array(v.object({ _id: v.string(), _score: v.number(), sort: v.tuple([v.number(), v.number()]) })),
        [],
      ),
    }),
    {},
  ),
});

const refusal = v.object({
  error: v.object({ root_cause: v.optional(v.array(v.object({ reason: v.string() })), []) }),
});

/** Logs of one request, and hits of one page: a server has at most 10,000 of a search at once. */
const batch = 10_000;

/**
 * Makes an index of its own at an OpenSearch or Elasticsearch, `opensearch://HOST:PORT`, and deletes it in the end. Rejects
 * with a `SearchEngineError` if no such server is there.
 */
export async function openSearchEngine(address: string): Promise<SearchEngine> {
  const { host, protocol, username, password, pathname } = URL.canParse(address)
    ? new URL(address)
    : ({} as Partial<URL>);
  if (protocol !== 'opensearch:' || !host || username || password || (pathname && pathname !== '/'))
    throw new SearchEngineError(
      'The address of a search server is opensearch://HOST:PORT, without a user and without a path',
    );
  const index = `logquarry-${crypto.randomUUID()}`;
  const properties = Object.fromEntries(
    [...documentedSchema.fields.values()].map(({ name, type }) => [name, { type: indexedAs[type] }]),
  );
  const settings = { number_of_shards: 1, number_of_replicas: 0 };
  await ask('PUT', '', {
    settings,
    mappings: { dynamic: false, properties: { ...properties, id: { type: 'long' } } },
  });
  return {
    add,
    search,
    [Symbol.asyncDispose]: async () => void (await ask('DELETE', '').catch(() => undefined)),
  };

  async function add(logs: readonly { readonly id: number; readonly log: Log }[]): Promise<void> {
    for (let at = 0; at < logs.length; at += batch) {
      const lines = logs.slice(at, at + batch).flatMap(({ id, log }) => {
        // Numbers as texts: those beyond 2^53 are whole then, and milliseconds before the epoch are dates.
        const values = Object.entries(log).flatMap(([name, value]) => {
          if (name !== 'time') return [[name, String(value)]];
          const date = new Date(Number(value));
          return Number.isNaN(date.getTime()) ? [] : [[name, date.toISOString()]];
        });
        return [
          JSON.stringify({ index: { _id: String(id) } }),
          JSON.stringify({ ...Object.fromEntries(values), id: String(id) }),
        ];
      });
      v.parse(
        bulkReply,
        await ask('POST', '/_bulk?refresh=true&filter_path=errors', `${lines.join('\n')}\n`),
      );
    }
  }

  async function search(text: string): Promise<ReadonlyMap<number, number>> {
    const scores = new Map<number, number>();
    const fields = documentedSchema.defaults.map(({ name }) => name);
    const query = { query_string: { query: text, fields, default_operator: 'or', lenient: true } };
    const paths = ['hits.hits._id', 'hits.hits._score', 'hits.hits.sort'];
    for (let after: readonly number[] | undefined; ; ) {
      const body = {
        ...{ size: batch, _source: false, query, sort: [{ _score: 'desc' }, { id: 'asc' }] },
        ...(after && { search_after: after }),
      };
      const { hits } = v.parse(page, await ask('POST', `/_search?filter_path=${paths}`, body));
      for (const { _id, _score } of hits.hits) scores.set(Number(_id), _score);
      after = hits.hits.at(-1)?.sort;
      if (hits.hits.length < batch) return scores;
    }
  }

  async function ask(method: 'PUT' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<unknown> {
    const isText = typeof body === 'string';
    const response = await fetch(`http://${host}/${index}${path}`, {
      method,
      ...(body !== undefined && {
        body: isText ? body : JSON.stringify(body),
        headers: { 'content-type': isText ? 'application/x-ndjson' : 'application/json' },
      }),
    }).catch((cause: unknown) => {
      throw new SearchEngineError(`No search server answers at ${address}`, { cause });
    });
    const text = await response.text();
    const reply = parsed(text);
    if (response.ok && reply !== undefined) return reply;
    const read = v.safeParse(refusal, reply);
    const reason = read.success ? read.output.error.root_cause[0]?.reason : undefined;
    if (response.status === 400 && reason !== undefined) throw new SearchRefused(reason);
    throw new SearchEngineError(
      `The search server at ${address} answered ${response.status}: ${(reason ?? text).slice(0, 300)}`,
    );
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
