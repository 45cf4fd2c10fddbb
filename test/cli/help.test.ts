import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commandSections, firstCommands } from '../../src/cli/command-line/command-groups.ts';
import { optionFlag, shortFlag } from '../../src/cli/command-line/option.ts';
import { commands } from '../../src/cli/command-table.ts';
import { readCommandLine } from '../../src/cli/configuration/run-args.ts';
import { displayWidth } from '../../src/cli/terminal/text.ts';
import { rounds } from '../effort.ts';
import { run } from './run-in-process.ts';

const specs = commands.map(({ spec }) => spec);

/** The help of some words on a terminal of some columns. */
async function helpOf(words: readonly string[], width: number): Promise<string> {
  const { code, out } = await run(words, { width });
  expect(code).toBe(0);
  return out;
}

test('every command is in one section of the list', async () => {
  const words = Object.values(commandSections).flat();
  expect(words.length).toBe(new Set(words).size);
  const called = new Set(specs.map(({ name }) => name.split(' ')[0]));
  expect([...called].filter((word) => !words.includes(word ?? ''))).toEqual([]);
  const out = await helpOf(['help', 'all'], 80);
  expect(out).not.toContain('Further commands');
  // One line each.
  expect(out.match(/^ {2}[a-z-]+ {2,}\S/gm)).toHaveLength(called.size + 1);
});

test('the first help is one screen: where to start, and the name of every command', async () => {
  const out = await helpOf(['--help'], 80);
  expect(out.trimEnd().split('\n').length).toBeLessThanOrEqual(24);
  expect([...out.matchAll(/^ {2}([a-z]+) +[A-Z]/gm)].map(([, name]) => name)).toEqual(firstCommands);
  const [, names = ''] = out.split('All commands:');
  for (const name of Object.values(commandSections).flat()) expect(names.split(/[\s,]+/)).toContain(name);
  expect(await helpOf(['--help', 'all'], 80)).toBe(await helpOf(['help', 'all'], 80));
});

test('the options of a command stand apart from shared ones', async () => {
  const out = await helpOf(['export', '--help'], 90);
  expect(out.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
  expect(out).toMatch(/\nConnection:\n {2}--url <URL> {2}-u, --user <NAME>/);
  expect(out).not.toContain('LOGQUARRY_URL');
  expect(out).toContain('logquarry export --help all\n');
  const all = await helpOf(['export', '--help', 'all'], 90);
  expect(all).toMatch(/\nConnection:\n {2}--url <URL> +Address of the deployment, or LOGQUARRY_URL\n/);
  expect(all).toContain('Passwords and tokens are read from files');
});

test('a shortened line ends with a clause', async () => {
  const out = await helpOf(['search', '--help'], 80);
  expect(out).toMatch(/--engine <NAME> +Engine that runs the query$/m);
});

test('"all" is an argument elsewhere', () => {
  expect(readCommandLine(['check', 'all'], commands, 90)).toMatchObject({
    kind: 'call',
    written: { arguments: { query: ['all'] } },
  });
});

describe.each([
  [['--help']],
  [['help', 'all']],
  ...specs.map(({ name }) => [[...name.split(' '), '--help']]),
])('%s', (words) => {
  test('no word is broken at any width', async () => {
    const full = words.at(-1) === 'all' ? words : [...words, 'all'];
    const known = wordsIn(`${await helpOf(full, 200)} ${await helpOf(words, 200)} All of it: Example: \\`);
    const drawn = fc.sample(fc.integer({ min: 40, max: 200 }), rounds(30));
    for (const width of [40, 50, 80, 120, 200, ...drawn]) {
      for (const out of [await helpOf(words, width), await helpOf(full, width)]) {
        expect(wordsIn(out).filter((word) => !known.includes(word) && !known.includes(`${word},`))).toEqual(
          [],
        );
        // Only a single word, or a quoted one, may be wider.
        const wide = out.split('\n').filter((line) => width < displayWidth(line));
        expect(wide.filter((line) => !/'|^\s*\S+( \\)?$/.test(line))).toEqual([]);
      }
    }
  });
});

function wordsIn(text: string): string[] {
  return text
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/[;:]$/, ''));
}

describe('short options', () => {
  const names = [...new Set(specs.flatMap(({ options }) => Object.keys(options)))];
  const short = names.flatMap((name) => {
    const flag = shortFlag(name);
    return flag === undefined ? [] : [[flag, name] as const];
  });

  test('are a dozen, each of one option', () => {
    expect(short.length).toBe(12);
    expect(new Set([...short.map(([flag]) => flag), '-h', '-V']).size).toBe(short.length + 2);
  });

  test.each(short)('%s is --%s', (flag, name) => {
    for (const spec of specs.filter(({ options }) => name in options)) {
      const value = spec.options[name]?.value === undefined ? [] : ['1'];
      const words = [...spec.name.split(' '), ...Object.keys(spec.arguments).map(() => 'x')];
      const called = readCommandLine([...words, flag, ...value], commands, 90);
      expect(called).toMatchObject({ kind: 'call', written: { options: { [name]: [expect.any(String)] } } });
      const long = readCommandLine([...words, optionFlag(name), ...value], commands, 90);
      expect(called).toEqual(long);
    }
  });
});
