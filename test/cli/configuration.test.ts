import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { commands } from '../../src/cli/command-table.ts';
import { applyDefaults } from '../../src/cli/configuration/run-args.ts';
import { largeTest } from '../large-test.ts';
import { type Ran, run } from './run-in-process.ts';

let folder: string;
let home: string;
let userFile: string;
let projectFile: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-test-'));
  home = join(folder, 'home');
  userFile = join(home, '.config/logquarry/config.json');
  projectFile = join(home, 'project/.logquarry.json');
  await mkdir(join(home, '.config/logquarry'), { recursive: true });
  await mkdir(join(home, 'project/deep'), { recursive: true });
  const lines = [1, 2, 3, 4].map((at) => JSON.stringify({ time: 1_741_768_200_000 + at, msg: `m${at}` }));
  await writeFile(join(folder, 'logs.ndjson'), lines.join('\n'));
});
afterEach(async () => {
  await rm(userFile, { force: true });
  await rm(projectFile, { force: true });
  vi.restoreAllMocks();
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs a command line two folders below the home folder. */
async function runBelow(words: readonly string[], environment = {}): Promise<Ran> {
  vi.spyOn(process, 'cwd').mockReturnValue(join(home, 'project/deep'));
  return run(words, { environment: { HOME: home, XDG_CONFIG_HOME: join(home, '.config'), ...environment } });
}

/** The number of logs that a search shows without options, or with some. */
async function shown(...options: readonly string[]): Promise<number> {
  const { code, out } = await runBelow([
    'search',
    'msg:*',
    join(folder, 'logs.ndjson'),
    '--ndjson',
    ...options,
  ]);
  expect(code).toBe(0);
  return out.trim().split('\n').length;
}

const limited = (limit: unknown) => JSON.stringify({ search: { limit } });

test('an option wins over the project, which wins over the user', async () => {
  await writeFile(userFile, limited(1));
  expect(await shown()).toBe(1);
  await writeFile(projectFile, limited(2));
  expect(await shown()).toBe(2);
  expect(await shown('--limit', '3')).toBe(3);
});

test('LOGQUARRY_CONFIG names the file of the user, or none at all', async () => {
  const other = join(folder, 'other.json');
  await writeFile(other, JSON.stringify({ search: { limit: 3 } }));
  await writeFile(projectFile, JSON.stringify({ top: { limit: 5 } }));
  const read = await runBelow(['config', '--json'], { LOGQUARRY_CONFIG: other });
  expect(JSON.parse(read.out)).toEqual({
    files: [projectFile, other],
    defaults: [
      { command: 'top', option: '--limit', value: '5', file: projectFile },
      { command: 'search', option: '--limit', value: '3', file: other },
    ],
  });
  const none = await runBelow(['config', '--json'], { LOGQUARRY_CONFIG: 'none' });
  expect(JSON.parse(none.out)).toEqual({ files: [], defaults: [] });
  const missing = await runBelow(['config'], { LOGQUARRY_CONFIG: join(folder, 'missing.json') });
  expect([missing.code, missing.err]).toEqual([
    2,
    expect.stringContaining('missing.json", which does not exist'),
  ]);
});

test('a project file above the home folder is not read', async () => {
  const above = join(folder, '.logquarry.json');
  await writeFile(above, limited(1));
  expect(await shown()).toBe(4);
  await rm(above);
});

test('"config" shows the values and their files', async () => {
  await writeFile(
    userFile,
    JSON.stringify({ search: { limit: 1, zone: '+02:00', csv: true }, sql: { csv: false } }),
  );
  await writeFile(projectFile, limited(2));
  const { out } = await runBelow(['config']);
  expect(out.split('\n').map((line) => line.trimEnd().split(/ {2,}/))).toEqual([
    ['command', 'option', 'value', 'from'],
    ['search', '--limit', '2', projectFile],
    ['search', '--zone', '+02:00', userFile],
    ['search', '--csv', 'true', userFile],
    ['sql', '--csv', 'false', userFile],
    [''],
  ]);
});

test('"*" stands for all commands that have an option, below what the file says of a command', async () => {
  await writeFile(
    userFile,
    JSON.stringify({ '*': { zone: '+05:00', color: 'never' }, search: { zone: '+01:00' } }),
  );
  await writeFile(projectFile, JSON.stringify({ '*': { zone: '+02:00' }, top: { zone: '+03:00' } }));
  const { defaults } = JSON.parse((await runBelow(['config', '--json'])).out);
  const zones = new Map<string, string>();
  for (const { command, option, value } of defaults) if (option === '--zone') zones.set(command, value);
  // A project file changes nothing of calls to a deployment.
  expect(zones.get('top')).toBe('+03:00');
  expect(zones.get('search')).toBe('+02:00');
  expect(zones.get('logs query')).toBe('+05:00');
  const having = commands.filter(({ spec }) => 'zone' in spec.options).map(({ spec }) => spec.name);
  expect([...zones.keys()].toSorted()).toEqual(having.toSorted());
});

test('the example of the manual is read', async () => {
  const [, example = ''] = /\n\n((?: {4}.*\n)+)/.exec(readFileSync('docs/configuration.md', 'utf8')) ?? [];
  await writeFile(projectFile, example);
  const { code, out } = await runBelow(['config', '--json']);
  const { defaults } = JSON.parse(out);
  const own = defaults.filter(({ option }: { option: string }) => option !== '--zone');
  expect([code, own.length, own.length < defaults.length]).toEqual([0, 2, true]);
});

describe('a mistake names file and key', () => {
  test.each([
    ['{', 'is not valid JSON'],
    ['[]', 'must be a JSON object such as'],
    [{ serch: { limit: 1 } }, '"serch" in "FILE" is no command'],
    [{ search: { limitt: 1 } }, '"search.limitt" in "FILE" is no option'],
    [{ search: { limit: 'x' } }, '"search.limit" in "FILE" must be a whole number'],
    [{ search: { limit: 0 } }, '"search.limit" in "FILE" must be a whole number'],
    [{ search: { limit: null } }, '"search.limit" in "FILE" must be a text'],
    [{ search: { limit: true } }, '"search.limit" in "FILE" must be a text'],
    [{ search: { csv: 'yes' } }, '"search.csv" in "FILE" must be true or false'],
    [{ search: 5 }, '"search" in "FILE" must be'],
    [{ '*': { zoen: 'UTC' } }, '"*.zoen" in "FILE" is no option of any command'],
    [{ '*': { zone: 'Nowhere' } }, '"*.zone" in "FILE" must be local, UTC, an offset'],
    [{ '*': { remove: true } }, '"*.remove" in "FILE" must be given on the command line each time'],
  ])('%j', async (written, problem) => {
    for (const path of [userFile, projectFile]) {
      await writeFile(path, typeof written === 'string' ? written : JSON.stringify(written));
      for (const words of [['config'], ['check', 'a']]) {
        const { code, out, err } = await runBelow(words);
        expect([code, out]).toEqual([2, '']);
        expect(err).toContain(problem.replace('FILE', path));
        expect(err).toContain(path);
      }
      await rm(path);
    }
  });
});

describe('what a configuration may not set', () => {
  const connection = 'logquarry profile add';
  test.each([
    ['user', { export: { 'password-file': 'pw' } }, connection],
    ['user', { export: { url: 'https://gis.example.com' } }, connection],
    ['user', { 'logs query': { 'token-command': 'cat x' } }, connection],
    ['user', { export: { insecure: true } }, connection],
    ['user', { 'upgrade start': { yes: true } }, 'on the command line each time'],
    ['user', { 'logs settings': { level: 'DEBUG' } }, 'on the command line each time'],
    ['project', { export: { jobs: 3 } }, 'calls a deployment'],
    ['project', { search: { parquet: 'x.parquet' } }, 'must not be set by a project file'],
    ['project', { import: { into: 'x.duckdb' } }, 'must not be set by a project file'],
    ['project', { check: { fields: '/etc/passwd' } }, 'must not be set by a project file'],
  ])('%s: %j', async (kind, written, hint) => {
    await writeFile(kind === 'user' ? userFile : projectFile, JSON.stringify(written));
    const { code, err } = await runBelow(['config']);
    expect([code, err]).toEqual([2, expect.stringContaining(hint)]);
    expect(err).not.toContain('example.com');
  });

  largeTest('no option of a connection, in no command', async () => {
    for (const { spec } of commands) {
      for (const [option, { group }] of Object.entries(spec.options)) {
        if (group !== 'connection') continue;
        const flag = option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
        await writeFile(userFile, JSON.stringify({ [spec.name]: { [flag]: 'x' } }));
        expect((await runBelow(['config'])).err).toContain(connection);
      }
    }
  });
});

test('a default gives way to an option that excludes it, and one that needs another is left out', () => {
  const spec = commands.map((each) => each.spec).find(({ name }) => name === 'export');
  if (spec === undefined) throw new Error('"export" is missing');
  const defaults = [
    { command: 'export', option: 'cap', written: ['5'], path: 'x' },
    { command: 'export', option: 'overlap', written: ['5m'], path: 'x' },
    { command: 'search', option: 'limit', written: ['5'], path: 'x' },
  ];
  const optionsWith = (options: Record<string, string[]>) =>
    applyDefaults(spec, { arguments: {}, options }, defaults).options;
  expect(optionsWith({})).toEqual({ cap: ['5'], overlap: [], sortBy: [], sortOrder: [] });
  expect(optionsWith({ num: ['1'] })).toMatchObject({ num: ['1'], overlap: [] });
  expect(optionsWith({ num: ['1'] })).not.toHaveProperty('cap');
  expect(optionsWith({ sinceLast: ['c'] })).toMatchObject({ overlap: ['5m'], cap: ['5'] });
});
