import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installServer } from './install-server.ts';

/** A running ClickHouse with an HTTP and a native port. */
export interface Server extends AsyncDisposable {
  readonly port: number;
  readonly nativePort: number;
  /** Its address for a database. */
  readonly address: (database: string) => string;
  /** Runs SQL as administrator; returns the text of its result. */
  readonly ask: (sql: string) => Promise<string>;
  /** Ends the process with SIGKILL. */
  readonly kill: () => Promise<void>;
  /** Stops the process as it is, so that it says nothing, or lets it go on. */
  readonly pause: () => void;
  readonly goOn: () => void;
  /** Starts it again on its data. */
  readonly restart: () => Promise<void>;
  /**
   * Gives how often it ended by itself (a machine without memory for it, a crash), once it listens again: it is started
   * again then, and what it last said is printed.
   */
  readonly ownEnds: () => Promise<number>;
}

/** Options of a server. */
interface ServerOptions {
  /** XML within `<clickhouse>`. */
  readonly configuration?: string;
  /** XML of further users. */
  readonly users?: string;
  /** XML of further profiles of settings. */
  readonly profiles?: string;
  readonly ports?: readonly [http: number, native: number];
}

/** The user without a password, who may do everything. */
const administrator =
  '<default><password/><networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota></default>';

/** Starts a server on free ports of this machine, with data in a temporary folder. */
export async function startServer({
  configuration = '',
  users: more = '',
  profiles = '',
  ports,
}: ServerOptions = {}): Promise<Server> {
  const { launcher, library } = installServer();
  const folder = await mkdtemp(join(tmpdir(), 'clickhouse-'));
  const [port, nativePort] = ports ?? [await freePort(), await freePort()];
  const file = join(folder, 'config.xml');
  const users = join(folder, 'users.xml');
  const basics = `<profiles><default/>${profiles}</profiles><quotas><default/></quotas>`;
  await writeFile(users, `<clickhouse>${basics}<users>${administrator}${more}</users></clickhouse>`);
  const access = `<users_config>${users}</users_config>`;
  // A server that crashes says why in its log alone.
  const log = join(folder, 'log');
  const logger = `<logger><log>${log}</log><level>warning</level><size>100M</size><count>1</count></logger>`;
  await writeFile(file, `<clickhouse>${access}${logger}${configuration}</clickhouse>`);
  const forever = 'SELECT sleepEachRow(1) FROM numbers(864000) SETTINGS max_block_size = 1 FORMAT Null';
  const command = [
    ...[library, `--path=${join(folder, 'data')}`, `--config-file=${file}`, '--listen_host=127.0.0.1'],
    ...[`--http_port=${port}`, `--tcp_port=${nativePort}`, '--query'],
    `SYSTEM START LISTEN HTTP; SYSTEM START LISTEN TCP; ${forever}`,
  ];
  // Who is killed by its test stays away until it is started again.
  let isKilled = false;
  let ends = 0;
  let running = spawnServer();
  let listening = untilListening();
  await listening;
  return {
    port,
    nativePort,
    ask,
    kill,
    pause: () => void running.process.kill('SIGSTOP'),
    goOn: () => void running.process.kill('SIGCONT'),
    address: (database) => `clickhouse://127.0.0.1:${port}/${database}`,
    restart,
    ownEnds,
    [Symbol.asyncDispose]: async () => {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };

  async function ownEnds(): Promise<number> {
    // One that crashes refuses everything for a while before it ends.
    while ((await ask('SELECT 1').catch(() => '')) !== '1\n') {
      await listening;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return ends;
  }

  function restart(): Promise<void> {
    isKilled = false;
    running = spawnServer();
    listening = untilListening();
    return listening;
  }

  async function untilListening(): Promise<void> {
    let problem = 'The server did not begin to listen';
    // A machine that does much else starts it in a minute rather than a second.
    for (let tries = 0, failures = 0; tries < 6000 && !isKilled; tries += 1) {
      // HTTP comes first, and a server that finds its other port in use ends only then.
      const both = `SELECT * FROM remote('127.0.0.1:${nativePort}', system.one)`;
      if ((await ask(both).catch(() => '')) === '0\n') {
        const started = running;
        started.process.once('exit', () => revive(started));
        if (!hasEnded(started.process)) return;
      }
      if (hasEnded(running.process) && !isKilled) {
        problem = running.end();
        failures += 1;
        // The ports of one that was killed may be in use for a moment.
        if (failures === 5) break;
        running = spawnServer();
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    if (!isKilled) throw new Error(problem);
  }

  /** Starts a server again that ended by itself, as deployments do, and says so. */
  function revive(ended: Child): void {
    if (isKilled || ended !== running) return;
    ends += 1;
    process.stderr.write(`${ended.end()}\nIt is started again.\n`);
    void restart().catch((error: unknown) => process.stderr.write(`${error}\n`));
  }

  function spawnServer(): Child {
    const child = spawn(launcher, command, { stdio: ['ignore', 'ignore', 'pipe'] });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-2000);
    });
    const end = () =>
      `The server at port ${port} ended with ${child.exitCode ?? child.signalCode}: ${errors}${fatalLines(log)}`;
    return { process: child, end };
  }

  async function kill(): Promise<void> {
    isKilled = true;
    if (hasEnded(running.process)) return;
    const ended = once(running.process, 'exit');
    running.process.kill('SIGKILL');
    await ended;
  }

  async function ask(sql: string): Promise<string> {
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: sql });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text;
  }
}

/** Returns the last lines of a server's log that tell of a crash, with the query that ran. */
function fatalLines(log: string): string {
  const lines = readFileSync(log, { encoding: 'utf8', flag: 'a+' }).split('\n');
  return lines
    .filter((line) => line.includes('<Fatal>'))
    .slice(-80)
    .map((line) => line.slice(0, 1000))
    .join('\n');
}

/** A process, and what it said when it ended. */
interface Child {
  readonly process: ChildProcess;
  readonly end: () => string;
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

/**
 * Returns a port that is free now, below those that systems give to others: a server that is killed
 * finds its own again.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

/** Name of the cluster that `startShards` makes. */
export const clusterName = 'logs';

/** Starts two servers, each a shard of one cluster. They have no Keeper. */
export async function startShards(): Promise<readonly [Server, Server]> {
  const ports = [
    [await freePort(), await freePort()],
    [await freePort(), await freePort()],
  ] as const;
  const shards = ports.map(
    ([, native]) => `<shard><replica><host>127.0.0.1</host><port>${native}</port></replica></shard>`,
  );
  const configuration = `<remote_servers><${clusterName}>${shards.join('')}</${clusterName}></remote_servers>`;
  return Promise.all([
    startServer({ configuration, ports: ports[0] }),
    startServer({ configuration, ports: ports[1] }),
  ]);
}
