import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { optionFlag } from '../../src/cli/command-line/option.ts';
import { commands } from '../../src/cli/command-table.ts';
import { readCommandLine } from '../../src/cli/configuration/run-args.ts';
import { packageVersion } from '../../src/database/package.ts';
import { run } from './run-in-process.ts';
import { wordsOf } from './words-of.ts';

describe('the command line', () => {
  test('--version prints the version of the package', async () => {
    expect(JSON.parse(readFileSync('package.json', 'utf8'))).toMatchObject({ version: packageVersion });
    for (const flag of ['--version', '-V'])
      expect(await run([flag])).toEqual({ code: 0, out: `${packageVersion}\n`, err: '' });
  });

  test('help all lists every command', async () => {
    const { code, out } = await run(['help', 'all']);
    expect(code).toBe(0);
    for (const { spec } of commands) {
      const [name = '', inGroup] = spec.name.split(' ');
      const help = inGroup ? (await run([name, '--help'])).out : out;
      expect(out).toMatch(new RegExp(`^  ${name} +\\w`, 'm'));
      expect(help).toMatch(new RegExp(`^  ${inGroup ?? name} +${spec.summary.slice(0, 20)}`, 'm'));
    }
  });

  test('without a command the help goes to the standard error', async () => {
    const { code, out, err } = await run([]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('Start here:');
  });

  test('a misspelt command is offered its neighbour', async () => {
    const { code, err } = await run(['chek', 'a']);
    expect(code).toBe(2);
    expect(err).toContain('Did you mean check?');
  });
});

describe.each(commands.map(({ spec }) => [spec.name, spec] as const))('%s', (name, spec) => {
  const words = name.split(' ');

  test('--help shows what it does and an example', async () => {
    const { code, out } = await run([...words, '--help']);
    expect(code).toBe(0);
    expect(out).toContain(`${spec.summary}.`);
    expect(out).toMatch(/\nExamples?:\n {2}# .+\n {2}logquarry /);
    expect((await run(['help', ...words])).out).toBe(out);
    for (const option of Object.keys(spec.options))
      expect(out).toMatch(new RegExp(` ${optionFlag(option)}\\b`));
  });

  test('its examples are command lines that it takes', () => {
    for (const { run: line } of spec.examples) {
      const [program, ...rest] = wordsOf(line);
      expect(program).toBe('logquarry');
      expect(readCommandLine(rest, commands, 90)).toMatchObject({
        kind: 'call',
        command: { spec: { name } },
      });
    }
  });

  test('what its options exclude and require are options too', () => {
    const { excludes = {}, requires = {} } = spec;
    const named = [...Object.entries(excludes).flat(2), ...Object.entries(requires).flat()];
    expect(named.filter((each) => !(each in spec.options))).toEqual([]);
  });

  test('every option can be written', () => {
    for (const [option, { value }] of Object.entries(spec.options)) {
      const written = [optionFlag(option), ...(value === undefined ? [] : ['1'])];
      const required = Object.values(spec.arguments).map(() => 'x');
      const line = readCommandLine([...words, ...required, ...written], commands, 90);
      expect(line).toMatchObject({ kind: 'call', written: { options: { [option]: [expect.any(String)] } } });
    }
  });
});
