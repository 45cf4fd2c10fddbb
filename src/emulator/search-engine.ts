import { setTimeout as wait } from 'node:timers/promises';
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

const bulkReply = v.object({
  errors: v.boolean(),
  items: v.optional(
    v.array(v.object({ index: v.looseObject({ error: v.optional(v.looseObject({ reason: v.string() })) }) })),
    [],
  ),
});

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
  error: v.object({ root_cause: v.optional(v.array(v.looseObject({ reason: v.string() })), []) }),
});

/** Hits of one page: a server has at most 10,000 of a search at once. */
const pageSize = 10_000;

/** The UTF-16 units of logs in one request: a server of 512 MB takes a few of them at once. */
const batchLength = 2_000_000;

/** Milliseconds to a reply. */
const patience = 60_000;

/** Name of the field by which pages are ordered. It is not indexed, so that no query finds it. */
const idField = '__id';

/** Options of a search engine. */
export interface SearchEngineOptions {
  /** Ends every call, but not the deletion of the index. */
  readonly signal?: AbortSignal;
  /** Called with the number of logs that the server has. */
  readonly onProgress?: (logs: number) => void;
  /** Called with the reason if the index cannot be deleted in the end. */
  readonly onLeft?: (message: string) => void;
}

/**
 * Makes an index of its own at an OpenSearch or Elasticsearch, `opensearch://HOST:PORT`, and deletes it in the end. Rejects
 * with a `SearchEngineError` if no such server is there.
 */
export async function openSearchEngine(
  address: string,
  { signal, onProgress, onLeft }: SearchEngineOptions = {},
): Promise<SearchEngine> {
  const host = /^opensearch:\/\/([^/@?#\s]+:\d{1,5})\/?$/.exec(address)?.[1];
  if (host === undefined || !URL.canParse(address))
    throw new SearchEngineError(
      'The address of a search server is opensearch://HOST:PORT, without a user, a path or more',
    );
  const index = `logquarry-${crypto.randomUUID()}`;
  // Logs go by the alias alone: if the index is lost, none is made of its own accord, with other fields.
  const alias = `${index}-logs`;
  const properties = Object.fromEntries(
    [...documentedSchema.fields.values()].map(({ name, type }) => [name, { type: indexedAs[type] }]),
  );
  await ask('PUT', index, {
    settings: { number_of_shards: 1, number_of_replicas: 0 },
    mappings: { dynamic: false, properties: { ...properties, [idField]: { type: 'long', index: false } } },
    aliases: { [alias]: {} },
  });
  let sent = 0;
  return { add, search, [Symbol.asyncDispose]: remove };

  async function remove(): Promise<void> {
    await ask('DELETE', index, undefined, AbortSignal.timeout(10_000)).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      onLeft?.(`The index ${index} is left behind: ${reason}. Delete it there: DELETE /${index}`);
    });
  }

  async function add(logs: readonly { readonly id: number; readonly log: Log }[]): Promise<void> {
    let [lines, length, count]: [string[], number, number] = [[], 0, 0];
    for (const { id, log } of logs) {
      const line = JSON.stringify({ ...Object.fromEntries(valuesOf(log)), [idField]: String(id) });
      lines.push(JSON.stringify({ index: { _id: String(id) } }), line);
      length += line.length;
      count += 1;
      if (length < batchLength) continue;
      await send(lines, count);
      [lines, length, count] = [[], 0, 0];
    }
    await send(lines, count);
  }

  async function send(lines: readonly string[], count: number): Promise<void> {
    if (count === 0) return;
    const path = `${alias}/_bulk?refresh=true&require_alias=true&filter_path=errors,items.index.error.reason`;
    const { errors, items } = parsed(bulkReply, await ask('POST', path, `${lines.join('\n')}\n`));
    const reason = items.find(({ index: item }) => item.error)?.index.error?.reason;
    if (errors) throw problem(`did not take all logs: ${reason ?? 'it gave no reason'}`);
    sent += count;
    onProgress?.(sent);
  }

  async function search(text: string): Promise<ReadonlyMap<number, number>> {
    const scores = new Map<number, number>();
    const fields = documentedSchema.defaults.map(({ name }) => name);
    const query = { query_string: { query: text, fields, default_operator: 'or', lenient: true } };
    const paths = ['hits.hits._id', 'hits.hits._score', 'hits.hits.sort', 'took'];
    for (let after: readonly number[] | undefined; ; ) {
      const body = {
        ...{ size: pageSize, _source: false, query, sort: [{ _score: 'desc' }, { [idField]: 'asc' }] },
        ...(after && { search_after: after }),
      };
      const { hits } = parsed(page, await ask('POST', `${alias}/_search?filter_path=${paths}`, body));
      for (const { _id, _score } of hits.hits) scores.set(Number(_id), _score);
      after = hits.hits.at(-1)?.sort;
      if (hits.hits.length < pageSize) return scores;
    }
  }

  /** Asks again after a while if the server has too much to do. */
  async function ask(
    method: 'PUT' | 'POST' | 'DELETE',
    path: string,
    body?: unknown,
    limit?: AbortSignal,
  ): Promise<unknown> {
    for (let tries = 1; ; tries += 1) {
      const { status, text } = await call(method, path, body, limit);
      const reply = toJson(text);
      if (status < 300 && reply !== undefined) return reply;
      if (status === 429 && tries < 6) {
        await wait(500 * tries, undefined, { signal });
        continue;
      }
      const read = v.safeParse(refusal, reply);
      const reason = read.success ? read.output.error.root_cause[0]?.reason : undefined;
      if (status === 400 && reason !== undefined) throw new SearchRefused(reason);
      throw problem(`answered ${status}: ${(reason ?? text).slice(0, 300)}`);
    }
  }

  async function call(method: string, path: string, body: unknown, limit: AbortSignal | undefined) {
    const isText = typeof body === 'string';
    const ending = limit ?? AbortSignal.any([AbortSignal.timeout(patience), ...(signal ? [signal] : [])]);
    try {
      const response = await fetch(`http://${host}/${path}`, {
        method,
        signal: ending,
        ...(body !== undefined && {
          body: isText ? body : JSON.stringify(body),
          headers: { 'content-type': isText ? 'application/x-ndjson' : 'application/json' },
        }),
      });
      return { status: response.status, text: await response.text() };
    } catch (cause) {
      if (!limit) signal?.throwIfAborted();
      throw new SearchEngineError(`No search server answers at ${address} (${reasonOf(cause)})`, { cause });
    }
  }

  function problem(what: string): SearchEngineError {
    return new SearchEngineError(`The search server at ${address} ${what}`);
  }

  function parsed<S extends v.GenericSchema>(schema: S, reply: unknown): v.InferOutput<S> {
    const read = v.safeParse(schema, reply);
    if (read.success) return read.output;
    throw problem('answers in another way than OpenSearch and Elasticsearch do');
  }
}

/** Numbers as texts: those beyond 2^53 are whole then, and milliseconds before the epoch are dates. */
function valuesOf(log: Log): (readonly [string, string])[] {
  return Object.entries(log).flatMap(([name, value]) => {
    if (name !== 'time') return [[name, String(value)] as const];
    const date = new Date(Number(value));
    return Number.isNaN(date.getTime()) ? [] : [[name, date.toISOString()] as const];
  });
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
