import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { sampled } from '../effort.ts';
import { largeTest } from '../large-test.ts';
import { folder, startProgram } from './process.ts';

const bin = `"${process.execPath}" "${resolve('dist/bin/logquarry.js')}"`;

/** Runs a line of the shell in a terminal of its own; `logquarry` is the command line. */
async function inTerminal(
  line: string,
  { cwd, keys = '' }: { readonly cwd: string; readonly keys?: string },
) {
  const words = ['-qefc', line.replaceAll('logquarry', bin), '/dev/null'];
  return await startProgram('script', words, { cwd, input: keys }).ended;
}

/** The states that took each other's place, as wide as the terminal showed them. */
function statesIn(out: string): readonly string[] {
  return [...out.matchAll(/([^\r\n]*)\r\u001b\[K/g)]
    .map(([, state = '']) => state)
    .filter((each) => each !== '');
}

largeTest('progress keeps to one line of a terminal, also when that becomes narrower', async () => {
  await using here = await folder();
  const { code, out } = await inTerminal(
    'stty cols 100; (sleep 1; stty cols 40 < /dev/tty) & logquarry demo --json',
    {
      cwd: here.path,
    },
  );
  expect(code).toBe(0);
  const states = statesIn(out);
  const widths = states.map((state) => [...state].length);
  expect(Math.max(...widths)).toBeLessThan(100);
  expect(Math.max(...widths)).toBeGreaterThan(40);
  expect(Math.max(...widths.slice(-3))).toBeLessThan(40);
});

test('a question is asked in a terminal, and no is the answer to anything but yes', async () => {
  await using here = await folder();
  const { code, out } = await inTerminal(
    `logquarry emulate --logs ${resolve('samples/incident.ndjson')} --port 0 --json > emu.json & emulator=$!; until grep -q logs emu.json; do sleep 0.1; done; ` +
      'url=$(sed \'s/.*"url":"\\([^"]*\\)".*/\\1/\' emu.json); password=$(sed \'s/.*"password":"\\([^"]*\\)".*/\\1/\' emu.json); ' +
      'LOGQUARRY_PASSWORD=$password logquarry upgrade start rel_1 --url $url --user admin; code=$?; kill $emulator; exit $code',
    { cwd: here.path, keys: '\r' },
  );
  expect(out).toContain('Start the upgrade? [y/N]');
  expect(out).toContain('Nothing was sent.');
  expect(code).toBe(1);
});

test('an output that takes no more is named', async () => {
  const { code, err } = await startProgram('sh', ['-c', `${bin} --help > /dev/full`]).ended;
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringContaining('The standard output cannot be written: ENOSPC'),
  });
});

test.each(sampled([80, 60, 50, 40], 1))(
  'no line of tables and pictures wraps in a terminal of %i columns',
  async (width) => {
    await using here = await folder();
    const logs = resolve('samples/incident.ndjson');
    expect(
      (await startProgram('sh', ['-c', `${bin} import ${logs} --into case.duckdb`], { cwd: here.path }).ended)
        .code,
    ).toBe(0);
    const commands = [
      "search '*:*' case.duckdb --context 1 --limit 5",
      'top msg case.duckdb',
      'histogram case.duckdb --by logLevel',
      "sql 'SELECT * FROM parts' case.duckdb",
      "sql 'SELECT part, file FROM parts' case.duckdb",
      'complete source: --case case.duckdb',
    ];
    for (const words of sampled(commands, 2)) {
      const { code, out } = await inTerminal(
        `stty cols ${width}; NO_COLOR=1 PAGER= logquarry ${words} 2> /dev/null`,
        {
          cwd: here.path,
        },
      );
      const lines = out.split('\r\n');
      expect({ words, code, wrapped: lines.filter((line) => width < [...line].length) }).toEqual({
        words,
        code: 0,
        wrapped: [],
      });
      expect(lines.length).toBeGreaterThan(2);
    }
  },
);

test('more than one screen goes to the pager, which its reader may leave', async () => {
  await using here = await folder();
  const logs = resolve('samples/incident.ndjson');
  const search = `logquarry search '*:*' "${logs}" --all 2> /dev/null`;
  const { code, out } = await inTerminal(
    `stty cols 80 rows 10; PAGER='head -n 2' ${search} && ${search} | tail -n 1`,
    { cwd: here.path },
  );
  expect(code).toBe(0);
  const lines = out.split('\r\n');
  // The heading takes both lines of the pager.
  expect(lines[0]).toContain('time (UTC)');
  expect(lines[1]).toContain('message');
  expect(lines[2]).toMatch(/^ *\d+ {2}2025-03-1/);
  expect(lines[3]).toBe('');
});
