import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exitCodes } from '../../src/cli/command-line/exit-code.ts';
import { commands } from '../../src/cli/command-table.ts';
import { readCommandLine } from '../../src/cli/configuration/run-args.ts';
import { exportSpec } from '../../src/cli/specs/case-specs.ts';
import { leastCap, leastLacked } from '../../src/export/decide/observed-behaviour.ts';
import { acceptedChance, lossyShare, minEnds, sampleSize } from '../../src/export/decide/sample.ts';
import { lateTime, logsAside } from '../../src/export/run/verify-sample.ts';
import { run } from '../cli/run-in-process.ts';
import { wordsOf } from '../cli/words-of.ts';
import { type Running, runDeployment } from '../e2e/deployment.ts';
import { rounds } from '../effort.ts';
import { commandLinesOf } from './command-lines.ts';
import { expectPrinted } from './printed.ts';

const page = readFileSync('docs/exports.md', 'utf8');

/** The command lines of the page, in the order in which a reader meets them. */
const lines = commandLinesOf('docs/exports.md');
const isDeployment = ({ line }: { readonly line: string }) => line.startsWith('logquarry emulate');
/** Each finds what the ones before it made, so that a part of them is the first ones. */
const commandLines = lines.filter((each) => !isDeployment(each));
const runnable = commandLines.slice(0, rounds(commandLines.length, 8));

const home = process.cwd();
let folder = '';
let deployment: Running;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'manual-test-'));
  deployment = await runDeployment({ pace: { queued: 0, running: 0, perLog: 0 } });
});
afterAll(async () => {
  await deployment[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

describe('the commands of the manual', () => {
  test('are there', () => {
    expect(lines.length).toBeGreaterThan(15);
  });

  test.each(lines.filter(isDeployment))('$line is possible', ({ line }) => {
    const [, ...words] = wordsOf(line);
    expect(readCommandLine(words, commands, 90).kind).toBe('call');
    // The last word is a file with a scenario, or the address of a search server.
    expect(words.includes('--engine') || existsSync(words.at(-1) ?? '')).toBe(true);
  });

  test.each(runnable)('$line', async (shown) => {
    const [, ...words] = wordsOf(shown.line);
    process.chdir(folder);
    const { code, out, err } = await run(words, { environment: deployment.environment });
    process.chdir(home);
    expectPrinted(shown, { out, err });
    // The first export is whole, so that nothing is left to go on with.
    expect(code).toBe(/--(resume|retry-gaps)/.test(shown.line) ? 2 : 0);
    expect(err).not.toContain('INCOMPLETE');
  });
});

test('the figures of what is proved are those of the program', () => {
  const rows = [
    ...page.matchAll(
      /^\| (?:not )?sorted \| one end of a window in (two|five) \| at most (\d+) \| at most (\d+) %/gm,
    ),
  ];
  const shares = { two: lossyShare.sorted, five: lossyShare.unsorted };
  expect(rows).toHaveLength(2);
  for (const [, share, ends, percent] of rows) {
    const part = share === 'two' ? shares.two : shares.five;
    expect(part).toBe(share === 'two' ? 1 / 2 : 1 / 5);
    const sizes = Array.from({ length: 5000 }, (_, index) => sampleSize(index, part));
    expect(Math.max(...sizes)).toBe(Number(ends));
    expect(Number(percent) / 100).toBe(acceptedChance);
  }
  expect(page).toContain(
    `| cuts at a number of bytes, or of logs of a level | ${logsAside} logs on either side`,
  );
  expect(page).toContain(`all of ${minEnds} ends or fewer | a loss`);
  expect(page).toContain(`at the assumed share a chance of at most ${acceptedChance * 100} %`);
  expect(page).toContain(`order proved by ${leastLacked} older logs`);
  expect(page).toContain(`in replies of ${leastCap} logs or fewer`);
  expect(page).toContain(`logs of the last ${lateTime / 60_000} minutes that come with the sample`);
});

test('every option of an export that is named is one, and every exit code is explained', () => {
  const named = [...page.matchAll(/`--([a-z][a-z-]+)/g)].map(([, name]) => name);
  const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const known = Object.keys(exportSpec.options).map(kebab);
  expect(named.filter((name) => name !== 'help' && !known.includes(name ?? ''))).toEqual([]);
  const shown = [...page.matchAll(/^\| (\d+) +\| /gm)].map(([, code]) => Number(code));
  expect(shown).toEqual(Object.values(exitCodes));
});
