/**
 * Loading varied logs into ClickHouse on two shards and asking them the questions of search.mjs. Prints the tables of the manual.
 *
 *     npm run build && npm run test:cluster -- connection && node test/bench/cluster.mjs 1000000
 *
 * The engine is the one that `npm run test:cluster` installs. It needs free disk of 1 kB a log in the folder that TMPDIR names.
 * Milliseconds are medians of three rounds on the clock; processor time is that of both servers and of this program together, which a
 * busy machine changes little. Rows and bytes do not depend on the machine. Other indexes and codecs: cluster/tables.mjs.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseClusterAddress } from '../../dist/cluster/address.js';
import { clusterLogs } from '../../dist/cluster/cluster-logs.js';
import { openCluster } from '../../dist/cluster/connection.js';
import { initCluster } from '../../dist/cluster/schema.js';
import { load } from './cluster/load.mjs';
import {
  addressesOf,
  ask,
  bytesOf,
  clusterName,
  data,
  median,
  moved,
  number,
  printTable,
  shown,
  whenReady,
} from './cluster/server.mjs';
import { answer } from './cluster/works.mjs';
import { questionsAbout } from './search/questions.mjs';

const sizes = process.argv.slice(2).map(Number);
if (sizes.length === 0) sizes.push(200_000);
if (!sizes.every((each) => Number.isSafeInteger(each) && 0 < each))
  throw new Error('Sizes must be whole numbers of logs, such as 1000000 10000000');

async function measureSize(count) {
  const database = `logs${count}`;
  const clusters = addressesOf(database).map((address) =>
    openCluster(parseClusterAddress(address), { limits: { time: 600_000 } }),
  );
  for (const cluster of clusters) await initCluster(cluster, { cluster: clusterName });
  const [cluster] = clusters;
  const loaded = await load(cluster, { count });
  for (const shard of clusters.keys()) await ask(`OPTIMIZE TABLE ${database}.log_rows_local`, shard);
  const bytes = await bytesOf(database);
  // Only a question that the shards do not answer copies logs.
  const folder = join(data, 'copies');
  mkdirSync(folder, { recursive: true });
  const logs = clusterLogs(cluster, { copies: async () => ({ folder, mostLogs: 1_000_000 }) });
  const answers = [];
  for (const question of questionsAbout(loaded.picks)) {
    const { rows, bytes: sent } = await moved(() => answer(logs, question));
    answers.push({ name: question.name, rows, sent, ...(await median(() => answer(logs, question))) });
  }
  for (const each of clusters) await each[Symbol.asyncDispose]();
  for (const shard of clusters.keys()) await ask(`DROP DATABASE ${database} SYNC`, shard);
  rmSync(folder, { recursive: true });
  return { count, ...loaded, clusterBytes: bytes, answers };
}

console.log(`${await whenReady()}\n`);
const measuredSizes = [];
for (const count of sizes) {
  console.error(`${number(count)} logs …`);
  measuredSizes.push(await measureSize(count));
}

printTable(
  ['', ...measuredSizes.map(({ count }) => `${number(count)} logs`)],
  [
    ['bytes a log as NDJSON', ({ bytes, count }) => number(bytes / count)],
    ['bytes a log in the cluster', ({ clusterBytes, count }) => number(clusterBytes / count)],
    ['pushed, logs a second', ({ times, count }) => number(count / times.push.seconds)],
    ['read from files before, logs a second', ({ times, count }) => number(count / times.import.seconds)],
    [
      'logs a processor second: servers, merges included',
      ({ times, count }) => number(count / (times.push.there + times.import.there)),
    ],
    ['logs a processor second: logquarry', ({ times, count }) => number(count / times.push.own)],
  ].map(([name, of]) => [name, ...measuredSizes.map(of)]),
);

const cellsOf = ({ result, clock, processor, rows, sent }) => [
  number(result),
  `${shown(clock)} (${shown(processor)})`,
  number(rows),
  number(sent / 1000),
];
for (const { count, answers } of measuredSizes) {
  console.log(`${number(count)} logs\n`);
  printTable(
    ['', 'found', 'ms (processor ms)', 'rows read', 'kB sent'],
    answers.map((each) => [each.name, ...cellsOf(each)]),
  );
}
process.exit(0);
