import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Case, openCase } from '../../src/case/file/case.ts';
import type { LogSource } from '../../src/case/log-source.ts';
import { openClusterLogs } from '../../src/cli/cluster/open-cluster.ts';
import { readRules } from '../../src/cli/input/read-rules.ts';
import { ClosedPipe, Interrupted } from '../../src/cli/terminal/terminal.ts';
import { toStyle } from '../../src/cli/terminal/text.ts';
import { type CallContext, makeReadWriteLock } from '../../src/server/call-context.ts';
import { operationOf } from '../../src/server/operations.ts';
import { questions, writeQuestionedLogs } from '../cli/questions.ts';
import { run } from '../cli/run-in-process.ts';
import { type Server, startServer } from './start-server.ts';

/** Responds to a call of the page on open cases. */
function respondOf(name: string, parameters: unknown, context: CallContext) {
  const operation = operationOf(name);
  if (operation?.on !== 'cases') throw new Error(`"${name}" is no operation on open cases`);
  return operation.respond(parameters, context);
}

let server: Server;
let folder: string;
let path: string;
let address: string;

/** A reader as the manual grants it. */
const users =
  '<reader><password>s3cret</password><networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota>' +
  '<grants><query>GRANT SELECT ON incident.*</query></grants></reader>';

beforeAll(async () => {
  server = await startServer({ users });
  folder = await mkdtemp(join(tmpdir(), 'cluster-commands-'));
  path = join(folder, 'incident.duckdb');
  address = server.address('incident');
  const file = join(folder, 'incident.ndjson');
  await writeQuestionedLogs(file);
  // A record of the file cannot be read.
  expect((await run(['import', file, '--into', path])).code).toBe(4);
  for (const words of [
    ['cluster', 'init', address],
    ['cluster', 'push', path, address],
  ])
    expect((await run(words)).code).toBe(0);
});

const quietTerminal = {
  environment: {},
  message: () => undefined,
  show: () => undefined,
  stderr: { width: undefined, style: toStyle(false) },
  interruption: () => new AbortController().signal,
};

/** Asks a source; its name is left out, as it differs. */
async function ask(words: readonly string[], source: string) {
  const { code, out, err } = await run(words.map((word) => (word === 'SOURCE' ? source : word)));
  const unnamed = (text: string) =>
    [`'${source}'`, source, 'incident.duckdb', 'incident'].reduce(
      (rest, name) => rest.replaceAll(name, 'SOURCE'),
      text,
    );
  return { code, out: unnamed(out), err: unnamed(err) };
}

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

describe('a cluster prints what a case prints', () => {
  test.each(questions)('%j', async (...words) => {
    const [ofCase, ofCluster] = [await ask(words, path), await ask(words, address)];
    expect(ofCluster).toEqual(ofCase);
    expect(ofCase.code).toBe(0);
  });
});

test('a cluster and a case are searched together', async () => {
  const { code, out } = await run(['search', 'msg:far', path, address, '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    total: 2,
    logs: [{ case: 'incident.duckdb' }, { case: 'incident' }],
  });
});

describe('SQL on a cluster', () => {
  test.each([
    ['SELECT source, count(*) AS logs FROM logs GROUP BY source ORDER BY logs DESC, source'],
    ["SELECT id, msg FROM logs WHERE matches('msg:\"timed out\"') ORDER BY id -- matches('x')"],
    ["SELECT count(*) AS n FROM logs AS l WHERE NOT matches('logLevel:SEVERE', l.id)"],
    [
      `SELECT id, 'matches(1)' AS "matches(" FROM logs WHERE matches('msg:far') OR matches('msg:red') ORDER BY id;`,
    ],
    ['SELECT part, entry, logs, unreadable FROM parts ORDER BY part'],
    ['SELECT count(*) AS logs, count(extra) AS extra FROM logs'],
    ['SELECT entry, position, raw FROM unreadable'],
    ['SELECT time, logCode, elapsed FROM logs ORDER BY id LIMIT 5'],
    ['SELECT requestID, logs, machines FROM requests ORDER BY logs DESC, requestID LIMIT 3'],
  ])('%s has the rows that it has on a case', async (sql) => {
    for (const format of ['--ndjson', '--csv']) {
      // The dialects differ in names of columns with quotation marks alone.
      const ofCluster = await run(['sql', sql, `${address}?deployment=default`, format]);
      expect(ofCluster).toEqual(await run(['sql', sql, path, format]));
      expect(ofCluster.code).toBe(0);
    }
  });

  test.each([
    ['SELECT nonsense FROM logs', 'nonsense', 'CLUSTER_SQL'],
    ['', 'no SQL to run', 'CLUSTER_SQL'],
    ['SELECT 1; SELECT 2', '', 'CLUSTER_SQL'],
    ['SELECT matches(1)', 'requires the text of a query', 'CLUSTER_SQL'],
    ["SELECT 1 FROM logs WHERE matches('a AND (')", '', ''],
    ["SELECT * FROM file('/etc/passwd', 'LineAsString')", '', 'CLUSTER_REFUSED'],
    ["SELECT * FROM url('http://127.0.0.1:9/', 'LineAsString')", '', 'CLUSTER_REFUSED'],
    ["SELECT * FROM remote('127.0.0.1', system.one)", '', 'CLUSTER_REFUSED'],
    ['INSERT INTO about (version) VALUES (9)', '', 'CLUSTER_'],
    ['DROP TABLE log_rows', '', 'CLUSTER_'],
    ['SELECT 1 SETTINGS max_execution_time = 0', '', 'CLUSTER_REFUSED'],
    ['SET readonly = 0', '', 'CLUSTER_'],
    ['SELECT 1 FORMAT Null', 'leave out FORMAT', 'CLUSTER_SQL'],
    ['SELECT 1e400', 'The number 1e400 is too large', 'CLUSTER_SQL'],
    ['SELECT 1 +', 'end of query', 'CLUSTER_SQL'],
    ["SELECT 1 INTO OUTFILE '/tmp/x'", '', 'CLUSTER_'],
    // The server permits all of these to a query that may only read.
    ["SELECT file('/etc/passwd')", 'reaches beyond the logs', 'CLUSTER_REFUSED'],
    ['KILL QUERY WHERE 1', 'begins with SELECT', 'CLUSTER_REFUSED'],
    [
      "SELECT * FROM (SELECT * FROM url('http://127.0.0.1:9/', 'LineAsString') SETTINGS readonly = 0)",
      'has no SETTINGS',
      'CLUSTER_REFUSED',
    ],
  ])('%s is refused, also for an administrator', async (sql, problem, code) => {
    const { code: exit, err } = await run(['sql', sql, address]);
    expect(exit).not.toBe(0);
    expect(err).toContain(problem);
    expect(err).toContain(code);
    expect(await server.ask('SELECT count() FROM incident.about')).toBe('1\n');
  });

  test('sees the deployment of the address alone', async () => {
    const count = async (deployment: string) =>
      (
        await run([
          'sql',
          'SELECT (SELECT count(*) FROM logs), (SELECT count(*) FROM parts), (SELECT count(*) FROM unreadable), (SELECT count(*) FROM requests) > 0',
          `${address}${deployment}`,
          '--csv',
        ])
      ).out.split('\n')[1];
    expect(await count('?deployment=default')).toBe('223,1,1,1');
    expect(await count("?deployment=it's%20{p1:String}\\")).toBe('0,0,0,0');
  });

  test('does not leave its deployment', async () => {
    for (const all of [
      'SELECT count() FROM logs SETTINGS additional_table_filters = {}',
      'SELECT * FROM (SELECT count() FROM logs SETTINGS additional_table_filters = {})',
      "SELECT * FROM mergeTreeTextIndex('incident', 'log_rows', 'msg_terms')",
    ])
      expect((await run(['sql', all, `${address}?deployment=none`])).err).toContain('CLUSTER_REFUSED');
  });

  test('ends after its time, and shows the first rows', async () => {
    const { code, err } = await run([
      'sql',
      'SELECT sum(number) FROM system.numbers',
      address,
      '--timeout',
      '1s',
    ]);
    expect(err).toContain('CLUSTER_TIMEOUT');
    expect(code).toBe(124);
    const first = await run(['sql', 'SELECT number FROM system.numbers', address, '--limit', '3', '--csv']);
    expect(first).toEqual({
      code: 0,
      out: 'number\n0\n1\n2\n',
      err: 'The first 3 rows; --limit N shows more.\n',
    });
  });
});

test('the page shows a cluster as it shows a case', async () => {
  await using ofCase = await openCase(path, { access: 'read' });
  await using ofCluster = await openClusterLogs(address, quietTerminal);
  const base = { query: 'NOT msg:nowhere', now: 0 };
  const calls: readonly [string, unknown][] = [
    ['logs', { ...base, order: 'newest', page: 0 }],
    ['logs', { ...base, order: 'oldest', page: 2 }],
    ['histogram', { ...base, by: 'logLevel', buckets: 20 }],
    ['log', { ofCase: 0, id: 5 }],
    ['context', { ofCase: 0, id: 222, around: 3 }],
    ['trace', { request: 'faec5611-5258-436f-a528-61b55112ddb7' }],
    ['patterns', base],
    ['services', base],
    ['investigate', base],
    ['poorResult', { ...base, query: 'source:Sharng' }],
    ['detections', base],
    ['about', {}],
    ['coverage', {}],
    ['changes', { ...base, before: { from: 0, to: 1.74e12 }, after: { from: 1.74e12 + 1, to: 1.8e12 } }],
  ];
  const answers = async (logs: Case | LogSource) => {
    const cases = 'path' in logs ? [logs] : [];
    const close = async () => undefined;
    const opened = { cases, logs: [logs], names: ['x'], paths: ['x'], [Symbol.asyncDispose]: close };
    const { signal } = new AbortController();
    const lock = makeReadWriteLock(1000);
    const context = { opened, signal, lock, rules: await readRules(), author: 'ada' };
    const found: unknown[] = [];
    for (const [name, parameters] of calls) {
      const answer = await respondOf(name, parameters, context);
      // The record is in the original.
      found.push(name === 'log' ? { ...(answer as object), raw: undefined } : answer);
    }
    return found;
  };
  expect(await answers(ofCluster.logs)).toEqual(await answers(ofCase));
});

test('a limit on logs names their number, and what to do', async () => {
  const { code, err } = await run(['patterns', address], { environment: { LOGQUARRY_CLUSTER_LOGS: '100' } });
  expect(code).toBe(3);
  expect(err).toContain('these are 223, more than 100. Select fewer, for instance by --from and --to');
});

describe('one log', () => {
  test('is shown and explained', async () => {
    for (const words of [
      ['show', '5', 'SOURCE', '--full'],
      ['explain', 'msg:red OR source:Sharing', '--case', 'SOURCE', '--id', '221', '--json'],
    ]) {
      const [ofCase, ofCluster] = [await ask(words, path), await ask(words, address)];
      // The record is in the original, which the cluster does not have.
      expect(ofCluster).toEqual({ ...ofCase, out: ofCase.out.replace(/\nRecord\n.*\n(?=\n)/, '') });
      expect(ofCase.code).toBe(0);
    }
  });

  test('that is not there is named', async () => {
    const { code, err } = await run(['show', '5', `${address}?deployment=none`]);
    expect([code, err]).toEqual([2, expect.stringContaining('has no log with the id 5')]);
  });
});

test('a request is traced', async () => {
  const words = ['trace', 'faec5611', 'SOURCE', '--json'];
  const ofCluster = await ask(words, address);
  expect(ofCluster).toEqual(await ask(words, path));
  expect(ofCluster.out).toContain('"isSlowest": true');
});

test('values and findings come from a cluster', async () => {
  for (const words of [
    ['complete', 'source:Shar', '--case', 'SOURCE', '--json'],
    ['check', 'msg:tiemd AND source:Sharing', '--case', 'SOURCE'],
  ])
    expect(await ask(words, address)).toEqual(await ask(words, path));
});

test('a Parquet file has the same rows', async () => {
  const rowsOf = async (source: string, name: string) => {
    const file = join(folder, name);
    const { code } = await run(['search', 'logLevel:SEVERE', source, '--limit', '5', '--parquet', file]);
    expect(code).toBe(0);
    return readFile(file);
  };
  expect(await rowsOf(address, 'cluster.parquet')).toEqual(await rowsOf(path, 'case.parquet'));
});

test('a query is suggested from logs of a cluster', async () => {
  const words = ['suggest', 'SOURCE', '--like', '3', '--like', '9', '--unlike', '221', '--json'];
  const [ofCase, ofCluster] = [await ask(words, path), await ask(words, address)];
  expect(ofCluster).toEqual(ofCase);
  expect(JSON.parse(ofCase.out).total).toBe(223);
});

/** A report without the time when it was made, and without the chain of hashes, which a cluster has not. */
function unchained(text: string, format: string): unknown {
  if (format !== 'json')
    return text
      .replace(/Made .*/g, '')
      .replace(
        /The chain of hashes has .* compares the case with it\.|A cluster keeps no record of actions; a case has one\./,
        '',
      );
  const { made: _, evidence, ...report } = JSON.parse(text);
  return { ...report, evidence: { ...evidence, head: undefined } };
}

test('a report says the same of a cluster', async () => {
  for (const format of ['json', 'md', 'timesketch']) {
    const words = ['report', 'SOURCE', '--to', format, '--search', 'logLevel:SEVERE OR msg:far'];
    const [ofCase, ofCluster] = [await ask(words, path), await ask(words, address)];
    expect(unchained(ofCluster.out, format)).toEqual(unchained(ofCase.out, format));
    expect([ofCase.code, ofCluster.code]).toEqual([0, 0]);
  }
  const page = join(folder, 'report.html');
  expect((await run(['report', address, '--out', page])).code).toBe(0);
  expect(await readFile(page, 'utf8')).toContain('incident');
});

test('logs of a cluster are handed over, with what proves them', async () => {
  const out = join(folder, 'handed-over');
  const words = ['hand-over', 'logLevel:SEVERE', address, '--out', out, '--json'];
  const { code, out: printed } = await run(words);
  expect(code).toBe(0);
  const manifest = JSON.parse(printed);
  expect(manifest.case).toEqual({
    name: 'incident',
    files: 1,
    parts: 1,
    logs: 223,
    unreadable: 1,
    newestPart: 1,
  });
  const { out: expected } = await run(['search', 'logLevel:SEVERE', path, '--oldest', '--ndjson', '--all']);
  expect(await readFile(join(out, 'logs.ndjson'), 'utf8')).toBe(expected);
  expect(manifest.parts).toMatchObject([{ sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
  expect((await run(['verify', out])).out).toContain('Identical to the manifest');
  const compared = await run(['verify', out, '--case', address]);
  expect([compared.code, compared.out]).toEqual([0, expect.stringContaining('Identical to the case')]);
  // A case is not where it came from, and another deployment has other logs.
  expect((await run(['verify', out, '--case', path])).out).toContain('HEAD_UNKNOWN');
  expect((await run(['verify', out, '--case', `${address}?deployment=none`])).out).toContain('LOGS_DIFFER');
  const local = join(folder, 'handed-over-locally');
  await run(['hand-over', 'logLevel:SEVERE', path, '--out', local]);
  expect((await run(['verify', local, '--case', address])).out).toContain('HEAD_UNKNOWN');
});

test('a copy with pseudonyms has all logs of a cluster', async () => {
  const copies = [];
  for (const [name, source] of [
    ['a', address],
    ['b', path],
  ] as const) {
    const words = ['redact', source, '--out', join(folder, `${name}.duckdb`), '--key', join(folder, 'key')];
    expect((await run(words)).code).toBe(0);
    copies.push(await run(['search', '*:*', join(folder, `${name}.duckdb`), '--csv', '--all']));
  }
  expect(copies[0]).toEqual(copies[1]);
  expect(copies[0]?.out.split('\n').length).toBeGreaterThan(200);
});

async function rowsOfParquet(file: string) {
  const connection = await (await DuckDBInstance.create()).connect();
  const read = await connection.runAndReadAll('SELECT * FROM read_parquet($1)', [file]);
  return read.getRowsJson();
}

test('SQL writes a Parquet file, whole or not at all', async () => {
  const file = join(folder, 'sql.parquet');
  const sql = "SELECT id, source FROM logs WHERE matches('logLevel:SEVERE') ORDER BY id";
  const { code, err } = await run(['sql', sql, address, '--parquet', file]);
  expect([code, err]).toEqual([0, expect.stringMatching(/^\d+ rows written to /)]);
  const other = join(folder, 'case.parquet.sql');
  await run(['sql', sql, path, '--parquet', other]);
  expect(await rowsOfParquet(file)).toEqual(await rowsOfParquet(other));
  for (const failing of [
    'SELECT throwIf(number = 1e6) FROM numbers(2e6)',
    "SELECT * FROM file('/etc/passwd')",
  ]) {
    const failed = join(folder, 'failed.parquet');
    expect((await run(['sql', failing, address, '--parquet', failed])).code).not.toBe(0);
    expect(existsSync(failed)).toBe(false);
  }
});

test.each([
  [['index'], 'ClickHouse keeps the index of words'],
  [['seal'], 'seal the cases that are pushed'],
  [['note', 'add'], 'use the case that was pushed'],
  [['note', 'list'], 'use the case that was pushed'],
  [['saved', 'list'], 'use the case that was pushed'],
  [['cluster', 'push'], 'BACKUP'],
])('%j says why it takes no cluster, and what to do instead', async (words, reason) => {
  const rest =
    words[0] === 'note' && words[1] === 'add' ? ['a note'] : words[0] === 'cluster' ? [address] : [];
  const { code, err } = await run([...words, address, ...rest]);
  expect([code, err]).toEqual([
    2,
    expect.stringContaining(`${words.join(' ')} takes a case file, not a cluster`),
  ]);
  expect(err).toContain(reason);
});

describe('the query ends at the server', () => {
  const running = async () =>
    Number(
      await server.ask(
        "SELECT count() FROM system.processes WHERE query LIKE '%system.numbers%' AND query NOT LIKE '%processes%'",
      ),
    );

  test('after Ctrl-C', async () => {
    const abort = new AbortController();
    const words = ['sql', 'SELECT sum(number) FROM system.numbers', address, '--timeout', 'none'];
    const ran = run(words, { signal: abort.signal });
    await expect.poll(running, { timeout: 300_000 }).toBe(1);
    abort.abort(new Interrupted());
    expect((await ran).code).toBe(130);
    await expect.poll(running, { timeout: 300_000 }).toBe(0);
  });

  test('after a page was closed', async () => {
    await using ofCluster = await openClusterLogs(address, quietTerminal);
    const abort = new AbortController();
    const opened = { cases: [], logs: [ofCluster.logs], names: ['x'], paths: ['x'] };
    const rules = await readRules();
    const context = { opened, signal: abort.signal, lock: makeReadWriteLock(1000), rules, author: 'ada' };
    const asked = { sql: 'SELECT sum(number) FROM system.numbers', ofCase: 0, limit: 10 };
    const answer = respondOf('sql', asked, context);
    const pieces = (answer as AsyncIterable<unknown>)[Symbol.asyncIterator]();
    const first = pieces.next().catch((error: unknown) => error);
    await expect.poll(running, { timeout: 300_000 }).toBe(1);
    abort.abort(new Error('closed'));
    expect(await first).toMatchObject({ message: 'closed' });
    await expect.poll(running, { timeout: 300_000 }).toBe(0);
  });

  test('after its reader has closed', async () => {
    const words = ['sql', 'SELECT number FROM system.numbers', address, '--ndjson', '--timeout', 'none'];
    const { code, out } = await run(words, {
      onPrint: () => {
        throw new ClosedPipe();
      },
    });
    expect([code, out.length]).toEqual([0, expect.any(Number)]);
    await expect.poll(running, { timeout: 300_000 }).toBe(0);
  });
});

test('a deployment without logs is named, with those that there are', async () => {
  const misspelt = `${address}?deployment=defautl`;
  for (const words of [
    ['search', '*:*', misspelt, '--count'],
    ['sql', 'SELECT count(*) FROM logs', misspelt],
    ['verify', misspelt],
  ])
    expect((await run(words)).err).toContain(
      'warning: The cluster has no logs of the deployment "defautl": it has those of "default".\n',
    );
});

test('a database without tables is named', async () => {
  const { code, err } = await run(['search', 'a', server.address('nothing')]);
  expect(code).toBe(3);
  expect(err).toContain('run "logquarry cluster init" [CLUSTER_SCHEMA]');
});

test('the status of a cluster', async () => {
  const { code, out } = await run(['cluster', 'status', address, '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    deployments: [{ deployment: 'default', parts: 1, unreadable: 1, first: 1, last: 253402300799999 }],
    deviations: [],
    unfinishedRows: 0,
  });
  expect(await server.ask('SELECT raw FROM incident.unreadable')).toBe('nonsense\n');
});

test('a year is kept: older logs are deleted, and logs without a time stay', async () => {
  const kept = server.address('kept');
  expect((await run(['cluster', 'init', kept, '--keep', '3650d'])).code).toBe(0);
  expect((await run(['cluster', 'push', path, kept])).code).toBe(0);
  expect((await run(['cluster', 'init', kept, '--keep', '1d'])).code).toBe(0);
  await server.ask('OPTIMIZE TABLE kept.log_rows FINAL');
  // The sample is of 2025; time 1 is of 1970.
  expect(await server.ask('SELECT msg FROM kept.logs ORDER BY msg')).toBe('far\nwithout a time\n');
  // Logs that were deleted for their age are no loss.
  expect((await run(['cluster', 'status', kept])).code).toBe(0);
});

describe('a reader', () => {
  beforeAll(async () => {
    await server.ask('CREATE DATABASE private');
    await server.ask('CREATE TABLE private.secret (x String) ENGINE = Memory');
  });

  const reader = { LOGQUARRY_CLUSTER_USER: 'reader', LOGQUARRY_CLUSTER_PASSWORD: 's3cret' };

  test('reads logs and nothing else, and a wrong password is never shown', async () => {
    const { code, err } = await run(['search', 'msg:far', address, '--count'], { environment: reader });
    expect([code, err]).toEqual([0, '']);
    for (const words of [
      ['cluster', 'init', server.address('other')],
      ['cluster', 'push', path, `${address}?deployment=x`],
    ])
      expect((await run(words, { environment: reader })).err).toContain('CLUSTER_REFUSED');
    const wrong = { ...reader, LOGQUARRY_CLUSTER_PASSWORD: 'wr0ng' };
    const refused = await run(['search', 'a', address], { environment: wrong });
    expect(refused.code).toBe(3);
    expect(refused.err).toContain('CLUSTER_REFUSED');
    expect(refused.err + refused.out).not.toContain('wr0ng');
  });

  test.each([
    "SELECT * FROM file('/etc/passwd', 'LineAsString')",
    "SELECT * FROM url('http://127.0.0.1:9/', 'LineAsString')",
    "SELECT * FROM remote('127.0.0.1', system.one)",
    "SELECT * FROM mysql('127.0.0.1:9', 'x', 'y', 'u', 'p')",
    "SELECT * FROM executable('id', 'LineAsString', 'x String')",
    'SELECT * FROM private.secret',
    'INSERT INTO incident.about (version) VALUES (9)',
    "INSERT INTO FUNCTION file('/tmp/x', 'CSV') SELECT 1",
    'CREATE TABLE incident.x (a Int8) ENGINE = Memory',
    'ALTER TABLE incident.log_rows DELETE WHERE 1',
    'DROP TABLE incident.log_rows',
    'GRANT SELECT ON *.* TO reader',
  ])('cannot run %s', async (sql) => {
    const response = await fetch(`http://127.0.0.1:${server.port}/`, {
      method: 'POST',
      body: sql,
      headers: { 'X-ClickHouse-User': 'reader', 'X-ClickHouse-Key': 's3cret' },
    });
    expect(await response.text()).toContain('ACCESS_DENIED');
  });
});
