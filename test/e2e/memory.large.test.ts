import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { rounds } from '../effort.ts';
import { toZip } from '../store/zips.ts';
import { folder, startProgram } from './process.ts';

/** How many times larger than the smallest the inputs are: full ones have some 20 MB. */
const scale = rounds(10, 1);

/** The bound that the manual states, and a closer one for small inputs. Megabytes. */
const most = scale === 1 ? 450 : 1_000;

const megabyte = 1_000_000;

const log = '{"time":1741766400000,"msg":"a"}\n';

/** Whatever a file holds, an import of it stays within the memory that the manual states. */
const inputs: Readonly<Record<string, () => string | Uint8Array>> = {
  'quote.csv': () => `time,msg\n2025-03-12T08:00:00Z,"open\n${`${'x'.repeat(100_000)}\n`.repeat(40 * scale)}`,
  'short.csv': () => `time,msg,user\n${'x\n'.repeat(100_000 * scale)}`,
  'rubbish.ndjson': () => log + 'rubbish\n'.repeat(30_000 * scale),
  'braces.ndjson': () => log + '{\n'.repeat(60_000 * scale),
  'line.ndjson': () => `${log}{"msg":"${'x'.repeat(20 * megabyte * scale)}"}\n${log}`,
  'deep.ndjson': () =>
    log + `{"msg":"a","x":${'['.repeat(megabyte)}${']'.repeat(megabyte)}}\n`.repeat(2 * scale),
  'deep.json': () => `[{"msg":"a","x":${'['.repeat(4 * megabyte * scale)}`,
  'elements.xml': () =>
    `<Msg time="2025-03-12T08:00:00" type="INFO" code="1">a</Msg>${'<Msg a="">'.repeat(40_000 * scale)}`,
  'bomb.zip': () => toZip([{ name: 'a.ndjson', content: new Uint8Array(30 * megabyte * scale) }]),
  'entries.zip': () =>
    toZip(Array.from({ length: 100 * scale }, (_, at) => ({ name: `${at}.ndjson`, content: log }))),
};

test.each(Object.entries(inputs))('an import of %s stays in bounded memory', async (name, make) => {
  await using here = await folder();
  const report = join(here.path, 'peak.cjs');
  await writeFile(
    report,
    `process.on("exit", () => process._rawDebug("peak " + process.resourceUsage().maxRSS + " kB"));`,
  );
  await writeFile(join(here.path, name), make());
  const bin = resolve('dist/bin/logquarry.js');
  const words = ['--require', report, bin, 'import', name, '--into', 'c.duckdb'];
  const { err } = await startProgram(process.execPath, words, { cwd: here.path }).ended;
  const [, kilobytes] = /^peak (\d+) kB$/m.exec(err) ?? expect.unreachable(err);
  expect(Number(kilobytes) / 1_000).toBeLessThan(most);
});
