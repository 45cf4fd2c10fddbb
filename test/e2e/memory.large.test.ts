import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { toZip } from '../store/zips.ts';
import { folder, startProgram } from './process.ts';

/** The bound that the manual states. Megabytes. */
const most = 900;

const megabyte = 1_000_000;

const log = '{"time":1741766400000,"msg":"a"}\n';

/** Whatever a file holds, an import of it and a check of the case stay within the memory that the manual states. */
const inputs: Readonly<Record<string, () => string | Uint8Array>> = {
  'quote.csv': () => `time,msg\n2025-03-12T08:00:00Z,"open\n${`${'x'.repeat(100_000)}\n`.repeat(400)}`,
  'short.csv': () => `time,msg,user\n${'x\n'.repeat(1_000_000)}`,
  'rubbish.ndjson': () => log + 'rubbish\n'.repeat(300_000),
  'braces.ndjson': () => log + '{\n'.repeat(600_000),
  'line.ndjson': () => `${log}{"msg":"${'x'.repeat(200 * megabyte)}"}\n${log}`,
  'deep.ndjson': () => log + `{"msg":"a","x":${'['.repeat(megabyte)}${']'.repeat(megabyte)}}\n`.repeat(20),
  'deep.json': () => `[{"msg":"a","x":${'['.repeat(40 * megabyte)}`,
  'elements.xml': () =>
    `<Msg time="2025-03-12T08:00:00" type="INFO" code="1">a</Msg>${'<Msg a="">'.repeat(400_000)}`,
  'bomb.zip': () => toZip([{ name: 'a.ndjson', content: new Uint8Array(300 * megabyte) }]),
  'entries.zip': () =>
    toZip(Array.from({ length: 20_000 }, (_, at) => ({ name: `${at}.ndjson`, content: log }))),
};

test.each(Object.entries(inputs))('%s is imported and verified in bounded memory', async (name, make) => {
  await using here = await folder();
  const report = join(here.path, 'peak.cjs');
  await writeFile(
    report,
    `process.on("exit", () => process._rawDebug("peak " + process.resourceUsage().maxRSS + " kB"));`,
  );
  await writeFile(join(here.path, name), make());
  const peakOf = async (...words: readonly string[]) => {
    const all = ['--require', report, resolve('dist/bin/logquarry.js'), ...words];
    const { err } = await startProgram(process.execPath, all, { cwd: here.path }).ended;
    const [, kilobytes] = /^peak (\d+) kB$/m.exec(err) ?? expect.unreachable(err);
    return Number(kilobytes) / 1_000;
  };
  const peaks = [await peakOf('import', name, '--into', 'c.duckdb'), await peakOf('verify', 'c.duckdb')];
  console.info(`${name}: import ${peaks[0]} MB, verify ${peaks[1]} MB`);
  expect(Math.max(...peaks)).toBeLessThan(most);
});
