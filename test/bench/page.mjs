/**
 * Times the page of `logquarry ui` in a real Chromium on a case of varied logs, and prints the table of docs/speed.md:
 *
 *     npm run build && node test/bench/page.mjs [logs]... [--rounds N] [--folder FOLDER]
 *
 * for instance `node test/bench/page.mjs 1000000 5000000`. Default: 100,000 logs, nine rounds. The server is a process of its
 * own; each round is a new page, and asks for other words than the rounds before. A time begins with the event of the key and
 * ends after the frame that shows the answer was painted. Beside it stands the processor time of the server, and of the process
 * that draws the page. Chromium is the program of the environment variable `CHROMIUM`, else /usr/bin/chromium. A named folder is
 * kept, with the cases in it.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { makeCase } from './page/make-case.mjs';
import { roundOf } from './page/round.mjs';
import { serve } from './page/serve.mjs';

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '9' }, folder: { type: 'string' } },
  allowPositionals: true,
});
const counts = positionals.length === 0 ? [100_000] : positionals.map(Number);
const rounds = Number(values.rounds);
const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'logquarry-page-'));
mkdirSync(folder, { recursive: true });
process.on('exit', () => values.folder === undefined && rmSync(folder, { recursive: true, force: true }));

const thousands = (count) => count.toLocaleString('en');
const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
console.log(
  `${availableParallelism()} × ${cpus()[0]?.model.trim()}, ${memory}, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}, ${new Date().toISOString().slice(0, 10)}\n`,
);
for (const count of counts) await measure(count);

/** Measures all rounds on one case and prints their table. */
async function measure(count) {
  const path = await makeCase(folder, count);
  const server = await serve(path);
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--enable-precise-memory-info'],
  });
  const samples = new Map();
  const add = (name, sample) => samples.set(name, [...(samples.get(name) ?? []), sample]);
  try {
    for (let round = 0; round < rounds; round += 1) await roundOf({ browser, server, count, round, add });
    print(count, samples, server.memory());
  } finally {
    await browser.close();
    await server.end();
  }
}

function print(count, samples, serverMemory) {
  console.log(`| ${thousands(count)} logs, ms | median | p90 | processor: server | page |`);
  console.log('| --- | ---: | ---: | ---: | ---: |');
  const { page: ofPage = [], ...timed } = Object.fromEntries(samples);
  for (const [name, all] of Object.entries(timed)) {
    const of = (member, share) =>
      shown(quantile(all.map((each) => each[member]).filter(Number.isFinite), share));
    console.log(
      `| ${name} | ${of('wall', 0.5)} | ${of('wall', 0.9)} | ${of('server', 0.5)} | ${of('page', 0.5)} |`,
    );
  }
  const heap = quantile(
    ofPage.map(({ heap: each }) => each),
    0.5,
  );
  const resident = Math.max(...ofPage.map(({ resident: each }) => each));
  console.log(
    `\nMemory: the page holds ${heap.toFixed(0)} MB (its process ${resident.toFixed(0)} MB at most), the server ${serverMemory.toFixed(0)} MB at most.\n`,
  );
}

function shown(milliseconds) {
  if (milliseconds === undefined) return '';
  return milliseconds < 10 ? milliseconds.toFixed(1) : thousands(Math.round(milliseconds));
}

function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}
