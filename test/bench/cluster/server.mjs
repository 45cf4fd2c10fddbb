/** A ClickHouse for the benches of the cluster, and the time that it takes. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, homedir, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';

/** Folder of the server's data and of other files of this run. */
export const data = mkdtempSync(join(tmpdir(), 'logquarry-clickhouse-'));

/** Name of the cluster of the two shards. */
export const clusterName = 'logs';

const first = 20_000 + 4 * (process.pid % 5000);
const ports = [0, 1].map((shard) => ({ http: first + 2 * shard, native: first + 2 * shard + 1 }));
const servers = ports.map(startServer);
process.on('exit', () => {
  for (const server of servers) server.kill('SIGKILL');
  rmSync(data, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

/** Addresses of a database at each shard. */
export const addressesOf = (database) =>
  ports.map(({ http }) => `clickhouse://127.0.0.1:${http}/${database}`);

function startServer({ http, native }, shard) {
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
  const shards = ports.map(
    (each) => `<shard><replica><host>127.0.0.1</host><port>${each.native}</port></replica></shard>`,
  );
  const config = join(data, 'config.xml');
  writeFileSync(
    config,
    `<clickhouse><users_config>${users}</users_config><remote_servers><${clusterName}>${shards.join('')}</${clusterName}></remote_servers></clickhouse>`,
  );
  return spawn(
    join(cache, launcher, 'launcher'),
    [
      join(cache, engine, 'node_modules/@chdb/lib-linux-x64-gnu/libchdb.so'),
      ...[`--path=${join(data, `data-${shard}`)}`, `--config-file=${config}`],
      ...['--listen_host=127.0.0.1', `--http_port=${http}`, `--tcp_port=${native}`, '--query'],
      'SYSTEM START LISTEN HTTP; SYSTEM START LISTEN TCP; SELECT sleepEachRow(1) FROM numbers(864000) SETTINGS max_block_size = 1 FORMAT Null',
    ],
    { stdio: 'ignore' },
  );
}

/** Runs SQL as administrator at a shard; returns the text of its result. */
export async function ask(sql, shard = 0) {
  const response = await fetch(`http://127.0.0.1:${ports[shard].http}/?max_execution_time=0`, {
    method: 'POST',
    body: sql,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text.slice(0, 300));
  return text.trim();
}

/** Waits until the servers listen. Returns a line on the machine and the engine. */
export async function whenReady() {
  for (const [shard, { native }] of ports.entries())
    for (let tries = 0; ; tries += 1) {
      const isThere = await ask(`SELECT * FROM remote('127.0.0.1:${native}', system.one)`, shard).catch(
        () => '',
      );
      if (isThere === '0') break;
      if (tries === 600) throw new Error('A server did not begin to listen');
      await new Promise((done) => setTimeout(done, 100));
    }
  return `ClickHouse ${await ask('SELECT version()')}, ${availableParallelism()} × ${cpus()[0]?.model}, ${number(totalmem() / 2 ** 30)} GiB, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}, ${new Date().toISOString().slice(0, 10)}`;
}

/** Processor seconds of the servers so far. */
function serverSeconds() {
  const times = servers.flatMap(({ pid }) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number);
  });
  return times.reduce((sum, ticks) => sum + ticks, 0) / 100;
}

/** Sums an event of some shards. */
async function eventsOf(name, shards) {
  const sql = `SELECT sum(value) FROM system.events WHERE event = '${name}'`;
  const values = await Promise.all(shards.map((shard) => ask(sql, shard)));
  return values.reduce((sum, value) => sum + Number(value), 0);
}

/**
 * Runs work at the first shard; returns the rows that both read for it, which the first one knows, and the bytes that they sent to each
 * other and here.
 */
export async function moved(work) {
  const events = () => Promise.all([eventsOf('SelectedRows', [0]), eventsOf('NetworkSendBytes', [0, 1])]);
  const before = await events();
  await work();
  const after = await events();
  return { rows: after[0] - before[0], bytes: after[1] - before[1] };
}

/** Runs work; returns its result, its seconds on the clock, and processor seconds here and at the server. */
export async function measured(work) {
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

/** The processor time of a process is known in steps of 10 ms: a short query is repeated for longer. */
const least = 0.25;

/** Repeats a query; returns its result and the medians of its clock and processor milliseconds, here and there. */
export async function median(work) {
  const first = await measured(work);
  const repeats = Math.max(1, Math.min(20, Math.ceil(least / Math.max(first.seconds, 0.001))));
  const runs = [];
  for (let round = 0; round < 3; round += 1) {
    const { seconds, own, there } = await measured(async () => {
      for (let repeat = 0; repeat < repeats; repeat += 1) await work();
    });
    runs.push({ clock: (1000 * seconds) / repeats, processor: (1000 * (own + there)) / repeats });
  }
  const middle = (name) => runs.map((run) => run[name]).sort((a, b) => a - b)[1];
  return { result: first.result, clock: middle('clock'), processor: middle('processor') };
}

/** Bytes of the logs of a database on the disks. */
export async function bytesOf(database) {
  const sql = `SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = '${database}' AND table IN ('log_rows', 'log_rows_local')`;
  const bytes = await Promise.all(ports.map((_, shard) => ask(sql, shard)));
  return bytes.reduce((sum, value) => sum + Number(value), 0);
}

export const number = (value) => Math.round(value).toLocaleString('en');

/** Milliseconds with two digits at least. */
export const shown = (value) => (value < 10 ? value.toPrecision(2) : number(value));

/** Prints a table of Markdown. */
export function printTable(head, lines) {
  const rows = [head, head.map(() => '---'), ...lines];
  console.log(`${rows.map((line) => `| ${line.join(' | ')} |`).join('\n')}\n`);
}
