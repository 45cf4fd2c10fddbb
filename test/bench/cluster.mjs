/**
 * Loading logs into ClickHouse and searching them, beside the case file, and the tables with other indexes and codecs.
 * Prints tables for the manual.
 *
 *     npm run build && npm run test:cluster -- connection && node test/bench/cluster.mjs [logs] [folder] [--without-case]
 *
 * The engine is the one that `npm run test:cluster` installs. The folder is kept when it is named, with the case in it.
 * Times are processor seconds of all threads, which a busy machine changes little, and seconds on the clock.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { cpus, homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseClusterAddress } from '../../dist/cluster/address.js';
import { clusterLogs } from '../../dist/cluster/cluster-logs.js';
import { openCluster } from '../../dist/cluster/connection.js';
import { initCluster } from '../../dist/cluster/init.js';
import { pushCase } from '../../dist/cluster/push-case.js';
import { schemaStatements } from '../../dist/cluster/schema.js';
import { incidentLogs } from '../../dist/emulator/incident/incident-logs.js';
import { parse } from '../../dist/language/parse.js';
import { resolve } from '../../dist/meaning/resolve.js';
import { addFile, buildIndex, countBy, countLogs, findLogs, openCase } from '../../dist/store/index.js';
import { queries } from './search/queries.mjs';

const words = process.argv.slice(2).filter((each) => !each.startsWith('--'));
const count = Number(words[0] ?? 200_000);
const folder = words[1] ?? mkdtempSync(join(tmpdir(), 'logquarry-bench-'));
const withCase = !process.argv.includes('--without-case');
mkdirSync(folder, { recursive: true });
const data = mkdtempSync(join(tmpdir(), 'logquarry-clickhouse-'));

const port = 20_000 + (process.pid % 20_000);
const server = startServer();
process.on('exit', () => {
  server.kill('SIGKILL');
  rmSync(data, { recursive: true, force: true });
  if (words[1] === undefined) rmSync(folder, { recursive: true, force: true });
});

function startServer() {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'logquarry');
  const named = (start) =>
    readdirSync(cache).find((each) => each.startsWith(start) && !/-.{6}$/.test(each.slice(start.length)));
  const [launcher, engine] = existsSync(cache) ? [named('launcher-'), named('clickhouse-')] : [];
  if (!launcher || !engine) throw new Error('Run "npm run test:cluster" first: it installs the engine');
  const users = join(data, 'users.xml');
  writeFileSync(
    users,
    '<clickhouse><profiles><default/></profiles><quotas><default/></quotas><users><default><password/><networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota></default></users></clickhouse>',
  );
  writeFileSync(join(data, 'config.xml'), `<clickhouse><users_config>${users}</users_config></clickhouse>`);
  return spawn(
    join(cache, launcher, 'launcher'),
    [
      join(cache, engine, 'node_modules/@chdb/lib-linux-x64-gnu/libchdb.so'),
      ...[
        `--path=${join(data, 'data')}`,
        `--config-file=${join(data, 'config.xml')}`,
        '--listen_host=127.0.0.1',
      ],
      ...[`--http_port=${port}`, '--query'],
      'SYSTEM START LISTEN HTTP; SELECT sleepEachRow(1) FROM numbers(864000) SETTINGS max_block_size = 1 FORMAT Null',
    ],
    { stdio: 'ignore' },
  );
}

async function ask(sql) {
  const response = await fetch(`http://127.0.0.1:${port}/?max_execution_time=0`, {
    method: 'POST',
    body: sql,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text.slice(0, 300));
  return text.trim();
}

/** Processor seconds of the server so far. */
function serverSeconds() {
  const stat = readFileSync(`/proc/${server.pid}/stat`, 'utf8');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return (user + system) / 100;
}

/** Runs work; returns its seconds on the clock, and processor seconds here and at the server. */
async function measured(work) {
  const [begun, own, there] = [performance.now(), process.cpuUsage(), serverSeconds()];
  const result = await work();
  const { user, system } = process.cpuUsage(own);
  return {
    result,
    seconds: (performance.now() - begun) / 1000,
    own: (user + system) / 1e6,
    there: serverSeconds() - there,
  };
}

/** Queries in one measurement: the processor time of a process is known in steps of 10 ms. */
const repeats = 8;

/** Repeats a short query; returns the medians of its processor and clock milliseconds. */
async function median(work, processor) {
  const runs = [];
  await work();
  for (let round = 0; round < 3; round += 1) {
    const { seconds, own, there } = await measured(async () => {
      for (let repeat = 0; repeat < repeats; repeat += 1) await work();
    });
    const used = processor === 'server' ? there + own : own;
    runs.push([(1000 * used) / repeats, (1000 * seconds) / repeats]);
  }
  const middle = (index) => runs.map((run) => run[index]).sort((a, b) => a - b)[1];
  return `${middle(0).toFixed(0)} / ${middle(1).toFixed(0)}`;
}

const number = new Intl.NumberFormat('en');
const row = (cells) => console.log(`| ${cells.join(' | ')} |`);
const table = (head) => {
  console.log();
  row(head);
  row(head.map(() => '---'));
};

for (let tries = 0; (await ask('SELECT 1').catch(() => '')) !== '1'; tries += 1) {
  if (tries === 600) throw new Error('The server did not begin to listen');
  await new Promise((done) => setTimeout(done, 100));
}
console.log(
  `${number.format(count)} logs; ${cpus().length} cores (${cpus()[0].model}); ClickHouse ${await ask('SELECT version()')}`,
);

const path = join(folder, `${count}.duckdb`);
if (!existsSync(path)) {
  const file = join(folder, `${count}.ndjson`);
  const out = createWriteStream(file);
  let lines = [];
  for (const log of incidentLogs({ count })) {
    lines.push(`${JSON.stringify(log)}\n`);
    if (lines.length < 5000) continue;
    if (!out.write(lines.join(''))) await once(out, 'drain');
    lines = [];
  }
  await once(out.end(lines.join('')), 'finish');
  const { seconds, own } = await measured(async () => {
    const made = await openCase(path, { access: 'write', create: true, originals: 'in place' });
    await addFile(made, file);
    await buildIndex(made);
    await made[Symbol.asyncDispose]();
  });
  console.log(
    `Case file, with its index: ${own.toFixed(1)} processor seconds, ${seconds.toFixed(1)} s; the logs have ${number.format(Math.round(statSync(file).size / count))} bytes each as NDJSON`,
  );
}

const stored = await openCase(path, { access: 'read' });
const cluster = openCluster(parseClusterAddress(`clickhouse://127.0.0.1:${port}/gis`), {
  limits: { time: 600_000 },
});
await initCluster(cluster);
const loading = await measured(() =>
  pushCase(stored, cluster, { deployment: 'prod', folder: data, originals: folder }),
);
await ask('OPTIMIZE TABLE gis.log_rows FINAL');
const bytesOf = async (database) =>
  Number(
    await ask(
      `SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = '${database}' AND table = 'log_rows'`,
    ),
  ) / count;
const indexOf = async (database) =>
  Number(
    await ask(
      `SELECT sum(data_compressed_bytes) FROM system.data_skipping_indices WHERE database = '${database}' AND table = 'log_rows'`,
    ),
  ) / count;

table(['', 'cluster', 'case file']);
row(['logs a second, pushed', number.format(Math.round(count / loading.seconds)), '']);
row(['logs a processor second: server', number.format(Math.round(count / loading.there)), '']);
row(['logs a processor second: logquarry', number.format(Math.round(count / loading.own)), '']);
row(['bytes a log', (await bytesOf('gis')).toFixed(0), (statSync(path).size / count).toFixed(0)]);

if (withCase) {
  const logs = clusterLogs(cluster);
  table([
    'query (processor ms / ms)',
    'logs',
    'cluster: count',
    'case: count',
    'cluster: newest 20',
    'case: newest 20',
  ]);
  for (const { name, own } of queries) {
    if (own === undefined) continue;
    const filter = resolve(parse(own).query);
    const newest = async () => {
      const found = [];
      for await (const each of logs.streamLogs(filter, { order: 'newest', limit: 20 })) found.push(each);
      return found;
    };
    const matching = await logs.countLogs(filter);
    if (matching !== (await countLogs(stored, filter))) throw new Error(`The counts of ${own} differ`);
    row([
      ...[name, number.format(matching)],
      await median(() => logs.countLogs(filter), 'server'),
      await median(() => countLogs(stored, filter)),
      await median(newest, 'server'),
      await median(() => findLogs(stored, filter, { order: 'newest', limit: 20 })),
    ]);
  }
  row([
    ...['top values of source', ''],
    await median(() => logs.countBy('source', { kind: 'all' }, 10), 'server'),
    await median(() => countBy(stored, 'source', { kind: 'all' }, { limit: 10 })),
    ...['', ''],
  ]);
}

/** The tables with another index over the tokens, or other codecs. */
const textIndex = /TYPE text\(tokenizer = 'array'\)/g;
const variants = [
  ['text index (as created)', (sql) => sql],
  ['bloom filter 1 %', (sql) => sql.replaceAll(textIndex, 'TYPE bloom_filter(0.01) GRANULARITY 1')],
  ['bloom filter 0.1 %', (sql) => sql.replaceAll(textIndex, 'TYPE bloom_filter(0.001) GRANULARITY 1')],
  ['inverted', (sql) => sql.replaceAll(textIndex, 'TYPE inverted(0) GRANULARITY 1')],
  ['no index', (sql) => sql.replaceAll(/, INDEX `\w+` `\w+` TYPE text\(tokenizer = 'array'\)/g, '')],
  ['text index, ZSTD(1)', (sql) => sql.replaceAll('ZSTD(3)', 'ZSTD(1)')],
  ['text index, ZSTD(6)', (sql) => sql.replaceAll('ZSTD(3)', 'ZSTD(6)')],
  ['text index, LZ4', (sql) => sql.replaceAll(/ZSTD\(\d\)/g, 'LZ4')],
  ['text index, no LowCardinality', (sql) => sql.replaceAll(/LowCardinality\(String\)/g, 'String')],
];

table([
  'table',
  'bytes a log',
  'of them index',
  'filling, processor s',
  'rare term',
  'frequent term',
  'phrase',
  'rare term in 1 h',
]);
const asked = [
  "has(msg_tokens, 'hydrants')",
  "has(msg_tokens, 'request')",
  "hasSubstr(msg_tokens, ['timed', 'out'])",
  "has(msg_tokens, 'hydrants') AND time BETWEEN 1741737600000 AND 1741741200000",
];
for (const [index, [name, change]] of variants.entries()) {
  const database = `variant${index}`;
  const create = schemaStatements(database).filter(
    (sql) => /CREATE DATABASE|\.log_rows /.test(sql) && !sql.includes('VIEW'),
  );
  try {
    for (const sql of create) await ask(change(sql));
    const filling = await measured(() => ask(`INSERT INTO ${database}.log_rows SELECT * FROM gis.log_rows`));
    await ask(`OPTIMIZE TABLE ${database}.log_rows FINAL`);
    const times = [];
    for (const where of asked)
      times.push(
        await median(
          () =>
            ask(`SELECT id FROM ${database}.log_rows WHERE ${where} ORDER BY time DESC LIMIT 20 FORMAT Null`),
          'server',
        ),
      );
    row([
      name,
      (await bytesOf(database)).toFixed(0),
      (await indexOf(database)).toFixed(0),
      filling.there.toFixed(1),
      ...times,
    ]);
  } catch (error) {
    row([
      name,
      `refused: ${/DB::Exception: ([^.]*)/.exec(error.message)?.[1] ?? error.message}`,
      '',
      '',
      '',
      '',
      '',
      '',
    ]);
  }
  await ask(`DROP DATABASE IF EXISTS ${database}`);
}
await cluster[Symbol.asyncDispose]();
await stored[Symbol.asyncDispose]();
process.exit(0);
