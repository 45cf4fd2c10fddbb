import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCommandLine } from '../../src/cli/command-line/command-line.ts';
import { exitCodes } from '../../src/cli/command-line/exit-code.ts';
import { commands } from '../../src/cli/command-table.ts';
import { exportSpec } from '../../src/cli/specs/logs.ts';
import { run } from '../cli/run-in-process.ts';
import { wordsOf } from '../cli/words-of.ts';
import { type Running, runDeployment } from '../e2e/deployment.ts';

const page = readFileSync('docs/exports.md', 'utf8');

/** The command lines of the page as their words, in the order in which a reader meets them. */
const lines = [...page.matchAll(/^ {4}logquarry (.+)$/gm)].map(([, line = '']) => line);

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

  test.each(lines.filter((line) => line.startsWith('emulate')))('%s is possible', (line) => {
    const words = wordsOf(line);
    expect(readCommandLine(words, commands, 90).kind).toBe('call');
    expect(existsSync(words.at(-1) ?? '')).toBe(true);
  });

  test.each(lines.filter((line) => !line.startsWith('emulate')))('%s', async (line) => {
    const words = wordsOf(line).map((word) => (word.endsWith('.duckdb') ? join(folder, word) : word));
    const { code, out, err } = await run(words, { environment: deployment.environment });
    // The first export is whole, so that nothing is left to go on with.
    if (words.includes('--resume') || words.includes('--retry-gaps'))
      expect({ code, err }).toMatchObject({ code: 2 });
    else expect({ code, err: code === 0 ? '' : err, out }).toMatchObject({ code: 0, err: '' });
    expect(err).not.toContain('INCOMPLETE');
  });
});

test('every option of an export that is named is one, and every exit code is explained', () => {
  const named = [...page.matchAll(/`--([a-z][a-z-]+)/g)].map(([, name]) => name);
  const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const known = Object.keys(exportSpec.options).map(kebab);
  expect(named.filter((name) => name !== 'help' && !known.includes(name ?? ''))).toEqual([]);
  const shown = [...page.matchAll(/^\| (\d+) +\| /gm)].map(([, code]) => Number(code));
  expect(shown).toEqual(Object.values(exitCodes));
});
