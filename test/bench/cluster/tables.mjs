/**
 * The table of logs with other indexes over the words and other codecs: bytes, filling, searches. Prints the table of the manual.
 *
 *     npm run build && npm run test:cluster -- connection && node test/bench/cluster/tables.mjs [logs]
 *
 * Times are processor milliseconds of the server.
 */
import { parseClusterAddress } from '../../../dist/cluster/address.js';
import { openCluster } from '../../../dist/cluster/connection.js';
import { initCluster, schemaStatements } from '../../../dist/cluster/schema.js';
import { begin, frequentPhrase, word } from '../search/varied-logs.mjs';
import { load } from './load.mjs';
import {
  addressesOf,
  ask,
  bytesOf,
  measured,
  median,
  number,
  printTable,
  shown,
  whenReady,
} from './server.mjs';

const count = Number(process.argv[2] ?? 200_000);
console.log(`${number(count)} logs, ${await whenReady()}\n`);
const cluster = openCluster(parseClusterAddress(addressesOf('gis')[0]), { limits: { time: 600_000 } });
await initCluster(cluster);
await load(cluster, { count });
await cluster[Symbol.asyncDispose]();

const indexOf = async (database) =>
  Number(
    await ask(
      `SELECT sum(data_compressed_bytes) FROM system.data_skipping_indices WHERE database = '${database}' AND table = 'log_rows'`,
    ),
  );

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

const phrase = frequentPhrase()
  .split(' ')
  .map((each) => `'${each}'`);
const rare = `has(msg_tokens, '${word(5000)}')`;
const asked = [
  rare,
  `has(msg_tokens, '${word(2)}')`,
  `hasSubstr(msg_tokens, [${phrase}])`,
  `${rare} AND time BETWEEN ${begin} AND ${begin + 3_600_000}`,
];

async function measureVariant(database, change) {
  const create = schemaStatements(database).filter(
    (sql) => /CREATE DATABASE|\.log_rows /.test(sql) && !sql.includes('VIEW'),
  );
  for (const sql of create) await ask(change(sql));
  const filling = await measured(() => ask(`INSERT INTO ${database}.log_rows SELECT * FROM gis.log_rows`));
  await ask(`OPTIMIZE TABLE ${database}.log_rows FINAL`);
  const times = [];
  for (const where of asked) {
    const sql = `SELECT id FROM ${database}.log_rows WHERE ${where} ORDER BY time DESC LIMIT 20 FORMAT Null`;
    times.push(shown((await median(() => ask(sql))).processor));
  }
  const [bytes, index] = [await bytesOf(database), await indexOf(database)];
  return [number(bytes / count), number(index / count), filling.there.toFixed(1), ...times];
}

const lines = [];
for (const [index, [name, change]] of variants.entries()) {
  const database = `variant${index}`;
  try {
    lines.push([name, ...(await measureVariant(database, change))]);
  } catch (error) {
    lines.push([name, `refused: ${/DB::Exception: ([^.]*)/.exec(error.message)?.[1] ?? error.message}`]);
  }
  await ask(`DROP DATABASE IF EXISTS ${database} SYNC`);
}
printTable(
  [
    ...['table', 'bytes a log', 'of them index', 'filling, processor s'],
    ...['rare word', 'frequent word', 'phrase', 'rare word in 1 h'],
  ],
  lines,
);
process.exit(0);
