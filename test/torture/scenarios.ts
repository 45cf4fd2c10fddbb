import { generateKeyPairSync } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import JSZip from 'jszip';
import { incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import type { Log } from '../../src/records/log.ts';
import { run } from '../e2e/process.ts';

/** A command whose every write meets a fault. */
export interface Scenario {
  readonly name: string;
  /** Puts what the command needs into an empty folder. */
  readonly prepare: (folder: string) => Promise<void>;
  readonly words: readonly string[];
  /** Command that goes on with an export that the case holds unfinished; the same command unless given. */
  readonly resume?: readonly string[];
  /** It calls the deployment. */
  readonly isOnline?: true;
}

const sealKey = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });

/** The logs of all scenarios, in the order of their time. */
export const logs = [...incidentLogs({ count: 200 })].filter((_, index) => index % 5 === 0);

/** Before the first log and after the last one. */
export const [from, to] = ['2025-03-01', '2025-04-01'];

/** The commands that write files, each with a small input. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'import of a bare file, new case',
    prepare: (folder) => writeFile(join(folder, 'a.ndjson'), ndjson(logs)),
    words: ['import', 'a.ndjson', '--into', 'case.duckdb'],
  },
  {
    name: 'import of a zip, new case',
    prepare: (folder) => writeZip(join(folder, 'b.zip')),
    words: ['import', 'b.zip', '--into', 'case.duckdb'],
  },
  {
    name: 'import of three files, case with logs',
    prepare: async (folder) => {
      await writeFile(join(folder, 'a.ndjson'), ndjson(logs.slice(0, 10)));
      await writeFile(join(folder, 'c.ndjson'), ndjson(logs.slice(10, 20)));
      await pipeline(
        createReadStream(join(folder, 'c.ndjson')),
        createGzip(),
        createWriteStream(join(folder, 'd.ndjson.gz')),
      );
      await writeZip(join(folder, 'b.zip'));
      await runWell(['import', 'a.ndjson', '--into', 'case.duckdb'], folder);
    },
    words: ['import', 'c.ndjson', 'd.ndjson.gz', 'b.zip', '--into', 'case.duckdb'],
  },
  {
    // More than one member of its compressed copy.
    name: 'import of a large bare file, new case',
    prepare: (folder) => writeFile(join(folder, 'a.ndjson'), ndjson(logs.map(withLongText))),
    words: ['import', 'a.ndjson', '--into', 'case.duckdb'],
  },
  {
    // So many that threads read the file and collect the words.
    name: 'import of many logs by threads, new case',
    prepare: (folder) => writeFile(join(folder, 'a.ndjson'), ndjson(manyLogs())),
    words: ['import', 'a.ndjson', '--into', 'case.duckdb'],
  },
  {
    name: 'index',
    prepare: (folder) => makeCase(folder),
    words: ['index', 'case.duckdb'],
  },
  {
    name: 'index --rebuild',
    prepare: async (folder) => {
      await makeCase(folder);
      await runWell(['index', 'case.duckdb'], folder);
    },
    words: ['index', 'case.duckdb', '--rebuild'],
  },
  {
    name: 'export in windows, new case',
    prepare: async () => {},
    words: ['export', '--from', from, '--to', to, '--cap', '25', '--jobs', '1', '--into', 'case.duckdb'],
    isOnline: true,
  },
  {
    name: 'export of one call, new case',
    prepare: async () => {},
    words: ['export', '--from', from, '--to', to, '--num', '50', '--into', 'case.duckdb'],
    resume: ['export', '--resume', 'case.duckdb'],
    isOnline: true,
  },
  {
    name: 'search --parquet, new file',
    prepare: (folder) => makeCase(folder),
    words: ['search', '*:*', 'case.duckdb', '--parquet', 'x.parquet'],
  },
  {
    name: 'sql --parquet in place of a file',
    prepare: async (folder) => {
      await makeCase(folder);
      await runWell(['sql', 'SELECT 1 AS one', 'case.duckdb', '--parquet', 'x.parquet'], folder);
    },
    words: ['sql', 'SELECT id, msg FROM logs ORDER BY id', 'case.duckdb', '--parquet', 'x.parquet'],
  },
  {
    name: 'hand-over, new folder',
    prepare: (folder) => makeCase(folder),
    words: ['hand-over', 'logLevel:SEVERE', 'case.duckdb', '--out', 'handed'],
  },
  {
    name: 'seal, new file',
    prepare: async (folder) => {
      await makeCase(folder);
      await writeFile(join(folder, 'key.pem'), sealKey, { mode: 0o600 });
    },
    words: ['seal', 'case.duckdb', '--key', 'key.pem', '--out', 'case.seal.json'],
  },
  {
    name: 'search in a log file',
    prepare: (folder) => writeFile(join(folder, 'a.ndjson'), ndjson(logs)),
    words: ['search', '*:*', 'a.ndjson', '--count'],
  },
  {
    name: 'catalog services --out in place of a file',
    prepare: (folder) => writeFile(join(folder, 'services.txt'), 'old\n'),
    words: ['catalog', 'services', '--all', '--out', 'services.txt'],
    isOnline: true,
  },
];

function ndjson(some: readonly Log[]): string {
  return some.map((log) => `${JSON.stringify(log)}\n`).join('');
}

function withLongText(log: Log, index: number): Log {
  return { ...log, stackTraces: `${index} at com.vendor.Foo.run\n`.repeat(3000) };
}

/** Logs of 20 MB. */
function manyLogs(): readonly Log[] {
  const className = 'com.vendor.roads.'.repeat(15);
  return Array.from({ length: 60_000 }, (_, index) => {
    return { time: index, msg: `request ${index} took ${index % 1000} ms`, className, logLevel: 'INFO' };
  });
}

async function writeZip(path: string): Promise<void> {
  const zip = new JSZip();
  zip.file('one.ndjson', ndjson(logs.slice(20, 30)));
  zip.file('two.ndjson', ndjson(logs.slice(30)));
  await writeFile(path, await zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' }));
}

async function makeCase(folder: string): Promise<void> {
  await writeFile(join(folder, 'a.ndjson'), ndjson(logs));
  await runWell(['import', 'a.ndjson', '--into', 'case.duckdb'], folder);
}

async function runWell(words: readonly string[], cwd: string): Promise<void> {
  const { code, err } = await run(words, { cwd });
  if (code !== 0) throw new Error(`"${words.join(' ')}" ended with ${code}: ${err}`);
}
