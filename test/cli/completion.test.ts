import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commands } from '../../src/cli/command-table.ts';
import { completionOffers } from '../../src/cli/completion/offers.ts';
import { run } from './run-in-process.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-test-'));
  await writeFile(join(folder, 'completion.bash'), (await run(['completion', 'bash'])).out);
  await writeFile(join(folder, 'a b.duckdb'), '');
  await mkdir(join(folder, 'apart'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Completions of bash for the last of some words. */
function offered(...words: readonly string[]): string[] {
  const script = `
    source ./completion.bash
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _logquarry logquarry "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD - 1]}"
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const args = ['--norc', '-c', script, 'bash', 'logquarry', ...words];
  const printed = execFileSync('bash', args, { cwd: folder, encoding: 'utf8' });
  return printed.split('\n').filter((line) => line !== '');
}

describe('in bash', () => {
  test('commands are completed', () => {
    expect(offered('com')).toEqual(['compare', 'complete', 'completion']);
    expect(offered('cat')).toEqual(['catalog']);
    expect(offered('catalog', '')).toEqual(['info', 'folders', 'services']);
  });

  test.each(commands.map(({ spec }) => [spec.name, spec] as const))(
    '%s and its options are completed',
    (name, spec) => {
      const words = name.split(' ');
      expect(offered(...words)).toContain(words.at(-1));
      const options = Object.keys(spec.options).map((option) =>
        option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
      );
      const flags = offered(...words, '--');
      expect(flags.toSorted()).toEqual([...options, 'help'].map((option) => `--${option}`).toSorted());
    },
  );

  test('the values of an option are completed', () => {
    expect(offered('check', '--dialect', '')).toEqual(['documented', 'lucene']);
    expect(offered('explain', 'a', '--case', 'a').toSorted()).toEqual(['a b.duckdb', 'apart']);
    expect(offered('export', '--search', '')).toEqual([]);
    expect(offered('export', '-s', '')).toEqual([]);
    expect(offered('import', '-i', 'a').toSorted()).toEqual(['a b.duckdb', 'apart']);
  });

  test('short options are completed', () => {
    expect(offered('search', '-')).toEqual(expect.arrayContaining(['-n', '--limit', '-h']));
    expect(offered('-')).toContain('-V');
  });

  test('arguments are completed', () => {
    expect(offered('completion', '')).toEqual(['bash', 'zsh', 'fish']);
    expect(offered('top', 'log')).toEqual(['logCode', 'logLevel']);
    expect(offered('import', 'a').toSorted()).toEqual(['a b.duckdb', 'apart']);
    expect(offered('explain', 'a')).toEqual([]);
  });

  test('a value that is called like a command is none', () => {
    expect(offered('import', '--into', 'check', '--h')).toEqual(['--help']);
  });
});

test('what takes files is known of every command', () => {
  const texts = completionOffers(commands).filter(
    ({ called, words, takesPaths }) => called && !takesPaths && words.length === 0,
  );
  const taking = commands.filter(({ spec }) => texts.some(({ called }) => called === spec.name));
  const names = new Set(taking.flatMap(({ spec }) => Object.keys(spec.arguments)));
  expect([...names].sort()).toEqual(['a', 'address', 'b', 'id', 'name', 'query']);
});

describe.each(['zsh', 'fish'])('in %s', (shell) => {
  const isThere = spawnSync(shell, ['--version']).status === 0;
  test('every command and option is there', async () => {
    const { code, out } = await run(['completion', shell]);
    expect(code).toBe(0);
    for (const { called, options } of completionOffers(commands)) {
      expect(out).toContain(called);
      for (const { word } of options) expect(out).toContain(shell === 'fish' ? ` -l ${word.slice(2)}` : word);
    }
    // Where the shell itself is at hand, it has to read the script.
    const script = join(folder, `completion.${shell}`);
    await writeFile(script, out);
    if (isThere) expect(spawnSync(shell, ['-n', script]).status).toBe(0);
  });
});

test('other shells are named', async () => {
  const { code, err } = await run(['completion', 'tcsh']);
  expect([code, err]).toEqual([2, expect.stringContaining('bash, zsh, fish')]);
});
