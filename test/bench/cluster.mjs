/**
 * Loading varied logs into ClickHouse and asking them the questions of search.mjs: of the first size beside a case file, of the
 * others alone. Prints the tables of the manual, with an extrapolation to a billion logs.
 *
 *     npm run build && npm run test:cluster -- connection && node test/bench/cluster.mjs 5000000 20000000
 *
 * The engine is the one that `npm run test:cluster` installs. It needs free disk of 1 kB a log for the first size and 400 bytes for
 * the others, in the folder that TMPDIR names. Milliseconds are medians of three rounds on the clock; processor time is that of the
 * server and of this program together, which a busy machine changes little. Other indexes and codecs: cluster/tables.mjs.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseClusterAddress } from '../../dist/cluster/address.js';
import { clusterLogs } from '../../dist/cluster/cluster-logs.js';
import { openCluster } from '../../dist/cluster/connection.js';
import { initCluster } from '../../dist/cluster/schema.js';
import { openCase } from '../../dist/index.js';
import { load } from './cluster/load.mjs';
import {
  addressOf,
  ask,
  bytesOf,
  data,
  median,
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
  throw new Error('Sizes must be whole numbers of logs, such as 5000000 20000000');

/** Logs that an answer may copy: relevance is computed from a copy. */
const mostLogs = 1_000_000;
let copies = 0;

async function measureSize(count, isFirst) {
  const database = `logs${count}`;
  const cluster = openCluster(parseClusterAddress(addressOf(database)), { limits: { time: 600_000 } });
  await initCluster(cluster);
  const casePath = isFirst ? join(data, 'case.duckdb') : undefined;
  const loaded = await load(cluster, { count, casePath });
  await ask(`OPTIMIZE TABLE ${database}.log_rows`);
  const bytes = await bytesOf(database);
  const logs = clusterLogs(cluster, {
    copies: async () => {
      copies += 1;
      const folder = join(data, `copy-${copies}`);
      mkdirSync(folder);
      return { folder, mostLogs };
    },
  });
  const stored = casePath && (await openCase(casePath, { access: 'read' }));
  const answers = [];
  for (const question of questionsAbout(loaded.picks))
    answers.push({
      name: question.name,
      cluster: await asked(logs, question),
      ...(stored && { case: await asked(stored, question) }),
    });
  await stored?.[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
  await ask(`DROP DATABASE ${database} SYNC`);
  return { count, ...loaded, clusterBytes: bytes, answers };
}

/** The time of a question; a refused one has a code instead. */
async function asked(of, question) {
  const logs = of.copyLogs ? { ...of, copyLogs: closed(of.copyLogs) } : of;
  try {
    return await median(() => answer(logs, question));
  } catch (error) {
    if (error.code !== 'CLUSTER_LIMIT') throw error;
    return { code: error.code };
  }
}

/** Copies with a file of their own each, which the next one replaces. */
function closed(copyLogs) {
  let last;
  return async (...options) => {
    await last?.[Symbol.asyncDispose]();
    for (let each = 1; each <= copies; each += 1)
      rmSync(join(data, `copy-${each}`), { recursive: true, force: true });
    last = await copyLogs(...options);
    return last;
  };
}

console.log(`${await whenReady()}\n`);
const measuredSizes = [];
for (const [index, count] of sizes.entries()) {
  console.error(`${number(count)} logs …`);
  measuredSizes.push(await measureSize(count, index === 0));
}

printTable(
  ['', ...measuredSizes.map(({ count }) => `${number(count)} logs`)],
  [
    ['bytes a log as NDJSON', ({ bytes, count }) => number(bytes / count)],
    ['bytes a log in the cluster', ({ clusterBytes, count }) => number(clusterBytes / count)],
    [
      'bytes a log in the case file',
      ({ caseBytes, count }) => (caseBytes === 0 ? '' : number(caseBytes / count)),
    ],
    ['pushed, logs a second', ({ times, count }) => number(count / times.push.seconds)],
    [
      'slowest and fastest million',
      ({ rates }) => `${number(Math.min(...rates))} to ${number(Math.max(...rates))}`,
    ],
    ['read from files before, logs a second', ({ times, count }) => number(count / times.import.seconds)],
    [
      'logs a processor second: server, merges included',
      ({ times, count }) => number(count / (times.push.there + times.import.there)),
    ],
    ['logs a processor second: logquarry', ({ times, count }) => number(count / times.push.own)],
  ].map(([name, of]) => [name, ...measuredSizes.map(of)]),
);

const cell = (measure) =>
  measure.code ? measure.code : `${shown(measure.clock)} (${shown(measure.processor)})`;
const [first] = measuredSizes;
const last = measuredSizes.at(-1);
const growthOf = (index) => {
  const [small, large] = [first, last].map(({ answers }) => answers[index].cluster.processor);
  return first === last || !small || !large ? '' : (large / small).toFixed(1);
};
/**
 * Processor seconds for a billion logs: what two sizes differ by grows on as the logs do. Of one size the whole work, with the
 * fixed part of each query, grows: a figure that is far too high for a small size.
 */
const billionOf = (index) => {
  const [small, large] = [first, last].map(({ answers }) => answers[index].cluster.processor);
  if (large === undefined) return '';
  if (first === last || small === undefined) return shown((large / 1000) * (1e9 / last.count));
  const perLog = Math.max(0, large - small) / (last.count - first.count);
  return shown((large + perLog * (1e9 - last.count)) / 1000);
};
printTable(
  [
    'ms (processor ms)',
    'found',
    `case file, ${number(first.count)}`,
    ...measuredSizes.map(({ count }) => `cluster, ${number(count)}`),
    ...(first === last ? [] : [`processor, ${number(last.count)} : ${number(first.count)}`]),
    'processor s, a billion',
  ],
  first.answers.map((each, index) => [
    each.name,
    number(last.answers[index].cluster.result ?? each.case.result),
    cell(each.case),
    ...measuredSizes.map(({ answers }) => cell(answers[index].cluster)),
    ...(first === last ? [] : [growthOf(index)]),
    billionOf(index),
  ]),
);
for (const [index, { name, cluster, case: beside }] of first.answers.entries())
  if (!cluster.code && cluster.result !== beside.result)
    throw new Error(`${name}: the cluster found ${cluster.result}, the case ${beside.result} (${index})`);
process.exit(0);
