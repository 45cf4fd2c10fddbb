/** A ClickHouse for the benches of the cluster, and the time that it takes. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, homedir, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';

/** Folder of the server's data and of other files of this run. */
export const data = mkdtempSync(join(tmpdir(), 'logquarry-clickhouse-'));

const port = 20_000 + (process.pid % 20_000);
const server = startServer();
process.on('exit', () => {
  server.kill('SIGKILL');
  rmSync(data, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

/** Address of a database of the server. */
export const addressOf = (database) => `clickhouse://127.0.0.1:${port}/${database}`;

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
      ...[`--path=${join(data, 'data')}`, `--config-file=${join(data, 'config.xml')}`],
      ...['--listen_host=127.0.0.1', `--http_port=${port}`, '--query'],
      'SYSTEM START LISTEN HTTP; SELECT sleepEachRow(1) FROM numbers(864000) SETTINGS max_block_size = 1 FORMAT Null',
    ],
    { stdio: 'ignore' },
  );
}

/** Runs SQL as administrator; returns the text of its result. */
export async function ask(sql) {
  const response = await fetch(`http://127.0.0.1:${port}/?max_execution_time=0`, {
    method: 'POST',
    body: sql,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text.slice(0, 300));
  return text.trim();
}

/** Waits until the server listens. Returns a line on the machine and the engine. */
export async function whenReady() {
  for (let tries = 0; (await ask('SELECT 1').catch(() => '')) !== '1'; tries += 1) {
    if (tries === 600) throw new Error('The server did not begin to listen');
    await new Promise((done) => setTimeout(done, 100));
  }
  return `ClickHouse ${await ask('SELECT version()')}, ${availableParallelism()} × ${cpus()[0]?.model}, ${number(totalmem() / 2 ** 30)} GiB, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}, ${new Date().toISOString().slice(0, 10)}`;
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

/** Bytes of the logs of a database on the disk. */
export const bytesOf = async (database) =>
  Number(
    await ask(
      `SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = '${database}' AND table = 'log_rows'`,
    ),
  );

export const number = (value) => Math.round(value).toLocaleString('en');

/** Milliseconds with two digits at least. */
export const shown = (value) => (value < 10 ? value.toPrecision(2) : number(value));

/** Prints a table of Markdown. */
export function printTable(head, lines) {
  const rows = [head, head.map(() => '---'), ...lines];
  console.log(`${rows.map((line) => `| ${line.join(' | ')} |`).join('\n')}\n`);
}
