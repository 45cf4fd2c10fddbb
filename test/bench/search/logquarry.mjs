/** Measures this program for search.mjs: imports the logs of a folder, indexes them, and searches with the index and without. */
import { spawnSync } from 'node:child_process';
import { rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from '../../../dist/language/index.js';
import { resolve as resolveQuery } from '../../../dist/query.js';
import {
  addFile,
  buildIndex,
  countByTime,
  countLogs,
  findLogs,
  openCase,
} from '../../../dist/store/index.js';
import { forgetSets } from '../../../dist/store/token-index/snapshot.js';
import { median } from './median.mjs';
import { bucket, queries } from './queries.mjs';

const [, self, folder, part] = process.argv;
const path = join(folder, 'case.duckdb');
const megabytes = () => process.resourceUsage().maxRSS / 1024;

/** In seconds. */
async function timed(work) {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

async function build() {
  rmSync(path, { force: true });
  const load = await timed(async () => {
    const into = await openCase(path, { access: 'write', create: true, originals: 'in place' });
    await addFile(into, join(folder, 'logs.ndjson'));
    await into[Symbol.asyncDispose]();
  });
  const { size } = statSync(path);
  const index = await timed(async () => {
    const into = await openCase(path, { access: 'write' });
    await buildIndex(into);
    await into[Symbol.asyncDispose]();
  });
  const bytes = statSync(path).size;
  return { load, index, bytes, indexBytes: bytes - size, buildMemory: megabytes() };
}

/** The median times of a query, in milliseconds. */
async function times(of, query, prepare) {
  const filter = resolveQuery(parse(query).query, { now: 0 });
  const measure = (work) => median(7, prepare, work);
  return {
    count: await measure(() => countLogs(of, filter)),
    newest: await measure(() => findLogs(of, filter, { limit: 100 })),
    histogram: await measure(() => countByTime(of, filter, { every: bucket })),
  };
}

async function search() {
  const used = await openCase(path, { access: 'read' });
  const ignored = await openCase(path, { access: 'read', tokenIndex: 'ignored' });
  // The times of the logs are read once for each open case, when they were asked for some times.
  for (let asked = 0; asked < 5; asked++)
    await countByTime(used, resolveQuery(parse('msg:request').query), { every: bucket });
  const results = [];
  for (const { name, own } of queries) {
    results.push({
      name,
      hits: await countLogs(used, resolveQuery(parse(own).query, { now: 0 })),
      ...(await times(used, own, () => forgetSets(used))),
      again: await times(used, own, () => {}),
      without: await times(ignored, own, () => {}),
    });
  }
  for (const each of [used, ignored]) await each[Symbol.asyncDispose]();
  return { queries: results, searchMemory: megabytes() };
}

async function inShell() {
  const run = (words) =>
    median(
      5,
      () => {},
      () => spawnSync(process.execPath, words),
    );
  const bin = resolve('dist/bin/logquarry.js');
  return { shell: await run([bin, 'search', 'msg:simplify', path, '--count']), node: await run(['-e', '0']) };
}

// Each part in a process of its own, so that the memory of one is not that of another.
const parts = { build, search, inShell };
if (part) console.log(JSON.stringify(await parts[part]()));
else {
  const results = Object.keys(parts).map((name) => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [self, folder, name], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  });
  console.log(JSON.stringify(Object.assign({}, ...results)));
}
