import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type ClickHouseClient, ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { type ClickhouseParameter, lambdaSettings } from '../language/index.ts';
import { type ClusterAddress, ClusterError, type ClusterErrorCode } from './address.ts';

/** Limits on each query. */
export interface ClusterLimits {
  /** Milliseconds. Default: 60,000. */
  readonly time?: number;
  /** Bytes of memory at each server. Default: 4 GB. */
  readonly memory?: number;
  /** Milliseconds that an answer may take beyond the time, which the server keeps itself. Default: 10,000. */
  readonly grace?: number;
}

/** Settings of a connection. */
export interface ClusterOptions {
  /** The user, unless the address names one. Default: `default`. */
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly limits?: ClusterLimits;
  /** Answers without the shards that do not answer. Default: they are an error. */
  readonly skipsShards?: boolean;
}

/** An open connection to a cluster. Close it by `await using`. */
export interface Cluster extends AsyncDisposable {
  readonly address: ClusterAddress;
  /** Reads the rows of a SELECT, each a list of JSON values; integers of 64 bits are texts. */
  readonly query: (sql: string, options?: QueryOptions) => Promise<readonly ClusterRow[]>;
  /** Streams the rows of a SELECT. Ending the stream early ends the query at the server. */
  readonly stream: (
    sql: string,
    options?: QueryOptions,
  ) => AsyncGenerator<readonly ClusterRow[], void, undefined>;
  /** Reads the result of SQL of a user as a Parquet file, once the server has all of it. */
  readonly download: (sql: string, options?: QueryOptions) => Promise<Download>;
  /** Runs a statement without a result. */
  readonly command: (sql: string, options?: QueryOptions) => Promise<void>;
  /** Runs an INSERT whose format is followed by its data. */
  readonly insert: (sql: string, data: Readable, options?: QueryOptions) => Promise<void>;
}

/** A whole result of a statement. */
interface Download {
  readonly rows: number;
  readonly bytes: AsyncGenerator<Uint8Array, void, undefined>;
}

/** Options of a statement. */
export interface QueryOptions {
  readonly parameters?: readonly ClickhouseParameter[];
  readonly signal?: AbortSignal | undefined;
  readonly settings?: Readonly<Record<string, string | number>>;
  /** SQL of a user: names of tables are of the database, and the first two rows are the names and types of the columns. */
  readonly isUserSql?: boolean;
}

/** Settings against those of a user's profile that make an answer smaller without an error. */
const wholeAnswers = {
  limit: '0',
  offset: '0',
  distinct_overflow_mode: 'throw',
  group_by_overflow_mode: 'throw',
  join_overflow_mode: 'throw',
  read_overflow_mode: 'throw',
  read_overflow_mode_leaf: 'throw',
  result_overflow_mode: 'throw',
  set_overflow_mode: 'throw',
  sort_overflow_mode: 'throw',
  timeout_overflow_mode: 'throw',
  timeout_overflow_mode_leaf: 'throw',
  transfer_overflow_mode: 'throw',
} as const;

/**
 * Settings for which a shard that hangs is lost after seconds: it accepts connections and says nothing. One that works reports its
 * progress all the time.
 */
const hungShards = {
  connect_timeout_with_failover_ms: 3000,
  connections_with_failover_max_tries: '2',
  handshake_timeout_ms: 3000,
  receive_timeout: 30,
} as const;

/**
 * Opens a connection to a cluster; the first query connects. Every function rejects with a `ClusterError`, or
 * with the reason of its signal.
 */
export function openCluster(
  address: ClusterAddress,
  {
    user,
    password = '',
    skipsShards = false,
    limits: { time = 60_000, memory = 4_000_000_000, grace = 10_000 } = {},
  }: ClusterOptions = {},
): Cluster {
  const client = createClient({
    url: address.origin,
    username: address.user ?? user ?? 'default',
    password,
    application: 'logquarry',
    request_timeout: time + grace,
    compression: { request: false, response: true },
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: {
      max_execution_time: Math.ceil(time / 1000),
      max_memory_usage: String(memory),
      ...hungShards,
      // A closed connection ends the query.
      cancel_http_readonly_queries_on_client_close: 1,
      ...wholeAnswers,
      skip_unavailable_shards: skipsShards ? 1 : 0,
      // An INSERT through a Distributed table ends when the shards have the rows.
      distributed_foreground_insert: 1,
      output_format_json_quote_64bit_integers: 1,
      // The cache remembers blocks without a match, and does not see that more loads or deployments count now.
      use_query_condition_cache: 0,
      // A query of some thousand clauses is longer than usual.
      max_query_size: '20000000',
      max_ast_elements: '500000',
    },
  });
  const run = runOn(client, { password, address });
  return {
    address,
    command: (sql, options) =>
      run(optionsFor(sql, options), (request) => client.command({ ...request, query: sql })).then(
        () => undefined,
      ),
    query: async (sql, options) => {
      const rows: ClusterRow[] = [];
      for await (const some of stream(sql, options)) rows.push(...some);
      return rows;
    },
    stream,
    download,
    insert: (sql, data, options) =>
      run(optionsFor(sql, options), async (request) => {
        const { stream: answer } = await client.exec({ ...request, query: sql, values: data });
        // The answer has no content; reading it frees the connection.
        for await (const _ of answer);
      }),
    [Symbol.asyncDispose]: () => client.close(),
  };

  async function* stream(sql: string, options?: QueryOptions) {
    const { stream: content } = options?.isUserSql
      ? await runUserSql(sql, 'JSONCompactEachRowWithNamesAndTypes', options)
      : await run(optionsFor(sql, options), (request) =>
          client.exec({
            ...request,
            query: `${sql}\nFORMAT JSONCompactEachRow`,
            decompress_response_stream: true,
          }),
        );
    yield* until(content, readServerRows(content), options);
  }

  async function download(sql: string, options?: QueryOptions): Promise<Download> {
    // An error after the first bytes would be part of them: the server sends none before the last.
    const settings = { ...options?.settings, wait_end_of_query: 1 };
    const { stream: content, summary } = await runUserSql(sql, 'Parquet', { ...options, settings });
    return { rows: Number(summary?.result_rows ?? 0), bytes: until(content, bytesOf(content), options) };
  }

  /** Runs SQL of a user. The format is in a header: errors would blame a clause that the user did not write. */
  async function runUserSql(sql: string, format: string, options: QueryOptions) {
    const headers = { 'X-ClickHouse-Database': address.database, 'X-ClickHouse-Format': format };
    const result = await run(optionsFor(sql, options), (request) =>
      client.exec({ ...request, query: sql, decompress_response_stream: true, http_headers: headers }),
    );
    const sent = result.response_headers['x-clickhouse-format'] ?? format;
    if (sent === format) return result;
    result.stream.destroy();
    throw new ClusterError('CLUSTER_SQL', `The SQL names the format ${sent}: leave out FORMAT`);
  }

  async function* until<T>(content: Readable, items: AsyncIterable<T>, options: QueryOptions | undefined) {
    try {
      yield* items;
    } catch (error) {
      options?.signal?.throwIfAborted();
      throw toClusterError(error, { password, address, isUserSql: options?.isUserSql });
    } finally {
      // Before the end of the rows this closes the connection, which ends the query.
      content.destroy();
    }
  }
}

/** The options of a statement, with the settings that its text needs. */
function optionsFor(sql: string, options: QueryOptions = {}): QueryOptions {
  return { ...options, settings: { ...lambdaSettings(sql), ...options.settings } };
}

async function* bytesOf(content: Readable): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of content) yield chunk as Uint8Array;
}

/** Options of the client for each statement. */
interface Request {
  readonly query_id: string;
  readonly query_params: Record<string, unknown>;
  readonly clickhouse_settings: Record<string, string | number>;
  readonly abort_signal?: AbortSignal;
}

function runOn(
  client: ClickHouseClient,
  known: { readonly password: string; readonly address: ClusterAddress },
) {
  return async <T>(
    { parameters = [], signal, settings = {}, isUserSql }: QueryOptions = {},
    work: (request: Request) => Promise<T>,
  ): Promise<T> => {
    signal?.throwIfAborted();
    const query_id = randomUUID();
    const kill = () =>
      void client
        .command({ query: `KILL QUERY WHERE query_id = '${query_id}' ASYNC` })
        .catch(() => undefined);
    signal?.addEventListener('abort', kill, { once: true });
    try {
      return await work({
        query_id,
        query_params: Object.fromEntries(parameters.map(({ name, value }) => [name, value])),
        clickhouse_settings: { ...settings },
        ...(signal && { abort_signal: signal }),
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw toClusterError(error, { ...known, isUserSql });
    } finally {
      signal?.removeEventListener('abort', kill);
    }
  };
}

/** Codes of ClickHouse with a code of their own here. */
const codes: ReadonlyMap<string, ClusterErrorCode> = new Map<string, ClusterErrorCode>([
  ...[
    'AUTHENTICATION_FAILED',
    'REQUIRED_PASSWORD',
    'WRONG_PASSWORD',
    'UNKNOWN_USER',
    'ACCESS_DENIED',
    'READONLY',
  ].map((type) => [type, 'CLUSTER_REFUSED'] as const),
  ...['UNKNOWN_TABLE', 'UNKNOWN_DATABASE', 'UNKNOWN_IDENTIFIER', 'NO_SUCH_COLUMN_IN_TABLE'].map(
    (type) => [type, 'CLUSTER_SCHEMA'] as const,
  ),
  ...[
    'MEMORY_LIMIT_EXCEEDED',
    'TOO_MANY_ROWS',
    'TOO_MANY_BYTES',
    'TOO_MANY_ROWS_OR_BYTES',
    'QUOTA_EXCEEDED',
  ].map((type) => [type, 'CLUSTER_LIMIT'] as const),
  ...['TIMEOUT_EXCEEDED', 'TOO_SLOW'].map((type) => [type, 'CLUSTER_TIMEOUT'] as const),
  ...[
    'ALL_CONNECTION_TRIES_FAILED',
    'NETWORK_ERROR',
    'SOCKET_TIMEOUT',
    'ALL_REPLICAS_LOST',
    'ALL_REPLICAS_ARE_STALE',
  ].map((type) => [type, 'CLUSTER_UNREACHABLE'] as const),
]);

/** Errors that are those of the SQL if a user wrote it. */
const sqlErrors: ReadonlySet<ClusterErrorCode> = new Set(['CLUSTER_SCHEMA', 'CLUSTER_FAILED']);

/** Errors of a query with more or longer values than a server takes in a request. */
const beyondRequest =
  /HTML Form Exception|request URI invalid or too long|Max query size exceeded|\b(?:TOO_BIG_AST|TOO_DEEP_AST)\b/;

/** The maximum length of a message of the server: it repeats the query. */
const maxMessage = 500;

/** Converts an error of the client to a `ClusterError` without the password. */
function toClusterError(
  error: unknown,
  {
    password,
    address,
    isUserSql = false,
  }: {
    readonly password: string;
    readonly address: ClusterAddress;
    /** An error of the server is one of SQL that a user wrote. */
    readonly isUserSql?: boolean | undefined;
  },
): ClusterError {
  if (error instanceof ClusterError) return error;
  const text = error instanceof Error ? error.message || String(error.name) : String(error);
  const shown = (password === '' ? text : text.replaceAll(password, '***')).trim();
  const message = maxMessage < shown.length ? `${shown.slice(0, maxMessage)} …` : shown;
  if (beyondRequest.test(shown))
    return new ClusterError(
      'CLUSTER_LIMIT',
      `The query is too long for the server: name fewer or shorter values. ${message}`,
    );
  if (error instanceof ClickHouseError) {
    const known = codes.get(error.type ?? '') ?? 'CLUSTER_FAILED';
    const code = isUserSql && sqlErrors.has(known) ? 'CLUSTER_SQL' : known;
    return new ClusterError(code, `${adviceOf(code, error.type)}${message} (${error.type ?? error.code})`);
  }
  if (isConnectionFailure(error))
    return new ClusterError('CLUSTER_UNREACHABLE', `No answer from ${address.origin}: ${message}`);
  return new ClusterError('CLUSTER_FAILED', `${address.origin} answered with an error: ${message}`);
}

function adviceOf(code: ClusterErrorCode, type: string | undefined): string {
  if (code === 'CLUSTER_SCHEMA') return 'The database has no such tables: run "logquarry cluster init". ';
  if (code === 'CLUSTER_LIMIT' && type !== 'MEMORY_LIMIT_EXCEEDED')
    return 'The query exceeds a limit of the user at the server: select fewer logs, or have it raised there. ';
  if (code === 'CLUSTER_LIMIT')
    return 'The query exceeds a limit: select fewer logs, or raise LOGQUARRY_CLUSTER_MEMORY. ';
  if (code === 'CLUSTER_TIMEOUT')
    return 'The query takes longer than its time: select fewer logs, or raise LOGQUARRY_CLUSTER_TIME (of SQL: --timeout). ';
  return '';
}

/** Errors of the socket have a code such as ECONNREFUSED; a time limit of the client has only its text. */
function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return (
    /^(E[A-Z]+|UND_ERR\w*|ERR_\w+|CERT_\w+|DEPTH_ZERO\w*|SELF_SIGNED\w*|UNABLE_TO\w*)$/.test(code) ||
    /timeout|socket|aborted|hang up/i.test(error.message)
  );
}

/** A row as a list of JSON values. */
export type ClusterRow = readonly unknown[];

const lineFeed = 0x0a;

/**
 * Reads rows in the format JSONCompactEachRow, as many at a time as arrive. Throws if the last row is cut off, and
 * at an error that the server reports after it has sent rows with the status 200.
 */
async function* readServerRows(
  content: AsyncIterable<Buffer>,
): AsyncGenerator<readonly ClusterRow[], void, undefined> {
  let pieces: Buffer[] = [];
  for await (const chunk of content) {
    const end = chunk.lastIndexOf(lineFeed);
    if (end < 0) {
      pieces.push(chunk);
      continue;
    }
    const lines = Buffer.concat([...pieces, chunk.subarray(0, end)]).toString('utf8');
    pieces = [chunk.subarray(end + 1)];
    const rows = lines.split('\n');
    const failed = rows.findIndex((row) => !row.startsWith('['));
    if (failed < 0) yield rows.map(toRow);
    else throw failureIn(`${rows.slice(failed).join('\n')}\n${await restOf(pieces, content)}`);
  }
  const rest = Buffer.concat(pieces).toString('utf8');
  if (rest !== '') throw failureIn(rest);
}

function toRow(line: string): ClusterRow {
  const row: unknown = JSON.parse(line);
  if (!Array.isArray(row)) throw new Error(`A row must be a list, got "${line.slice(0, 100)}"`);
  return row;
}

async function restOf(pieces: readonly Buffer[], content: AsyncIterable<Buffer>): Promise<string> {
  const rest = [...pieces];
  for await (const chunk of content) rest.push(chunk);
  return Buffer.concat(rest).toString('utf8');
}

/** The message of an exception, its code, and its name. */
const exception = /Code: (?<code>\d+)\. DB::Exception: (?<message>.*?) \((?<type>[A-Z][A-Z0-9_]+)\)/s;

function failureIn(text: string): Error {
  const { code, message, type } = exception.exec(text)?.groups ?? {};
  if (code !== undefined && message !== undefined && type !== undefined)
    return new ClickHouseError({ code, message, type });
  return new Error(`The rows end with "${text.trim().slice(0, 100)}"`);
}
