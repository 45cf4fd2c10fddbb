import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mergeLogs, streamLogs } from '../../src/analysis/index.ts';
import { connectToCase } from '../../src/case/file/case.ts';
import { countLogs, openCaseSet } from '../../src/case/index.ts';
import { headingOf } from '../../src/cli/input/open-sources.ts';
import { matchAllFilter } from '../../src/language/index.ts';
import { questions, writeQuestionedLogs } from './questions.ts';
import { run } from './run-in-process.ts';

/*
 * A folder of cases is read as its cases are, a bounded number at once.
 */

const periods = ['2026-11-26', '2026-11-27', '2026-11-28', '2026-11-29'];

let folder: string;
let store: string;
let whole: string;
let paths: readonly string[];

/** The time of a line in milliseconds; that of lines without one is before all others. */
function timeOf(line: string): number {
  const time = /"time":\s*"?([^",}]+)/.exec(line)?.[1] ?? '';
  return Number(time) || Date.parse(time) || Number.NEGATIVE_INFINITY;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-'));
  store = join(folder, 'store');
  await mkdir(store);
  const logs = join(folder, 'logs.ndjson');
  await writeQuestionedLogs(logs);
  const lines = (await readFile(logs, 'utf8')).trimEnd().split('\n');
  const sorted = lines.toSorted((one, other) => timeOf(one) - timeOf(other));
  const length = Math.ceil(sorted.length / periods.length);
  paths = periods.map((period) => join(store, `portal-${period}.duckdb`));
  for (const [index, path] of paths.entries()) {
    const part = join(folder, `${index}.ndjson`);
    await writeFile(part, `${sorted.slice(index * length, (index + 1) * length).join('\n')}\n`);
    await run(['import', part, '--into', path]);
  }
  whole = join(folder, 'whole.duckdb');
  await run(['import', logs, '--into', whole]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const asked = (question: readonly string[], sources: readonly string[]) =>
  run(question.flatMap((word) => (word === 'SOURCE' ? sources : [word])));

/** One question of each command, which has the most to say. */
const oneOfEach = [...new Map(questions.map((question) => [question[0], question])).values()];

test.each([
  ...oneOfEach,
  ['search', '*:*', 'SOURCE', '--oldest', '--csv', '--all'],
  ['search', 'timed out OR SEVERE', 'SOURCE', '--best', '--json', '--limit', '20'],
  ['search', 'logLevel:SEVERE', 'SOURCE', '--context', '3', '--oldest', '--limit', '5'],
])('a folder answers as its cases do: %s %s %s %s %s', async (...question) => {
  const ofFolder = await asked(question, [store]);
  // Commands that an answer proposes name the sources as they were given.
  const named = JSON.parse(JSON.stringify(await asked(question, paths)).replaceAll(paths.join(' '), store));
  expect(ofFolder).toEqual(named);
});

/** Questions whose answers name no case and no id. */
const alike = [
  ['search', '*:*', 'SOURCE', '--columns', 'time,msg', '--csv', '--all'],
  ['search', '*:*', 'SOURCE', '--columns', 'time,msg', '--csv', '--all', '--oldest'],
  ['search', 'logLevel:SEVERE', 'SOURCE', '--count'],
  ['search', '*:*', 'SOURCE', '--count', '--from', '1970-01-01', '--to', '1970-01-02'],
  [
    'histogram',
    'SOURCE',
    '--json',
    '--by',
    'logLevel',
    '--every',
    '1h',
    '--from',
    '2000-01-01',
    '--to',
    '2100-01-01',
  ],
  ['top', 'logCode', 'SOURCE', '--json'],
  ['top', 'requestID', 'SOURCE', '--search', 'logLevel:SEVERE', '--json'],
  ['services', 'SOURCE', '--csv'],
];

test.each(alike)('a folder answers as one case with all logs: %s %s %s %s', async (...question) => {
  const ofFolder = await asked(question, [store]);
  const columns = (text: string) => text.replace(/^case,/m, '').replace(/^portal-[^,]*\.duckdb,/gm, '');
  expect(columns(ofFolder.out)).toEqual((await asked(question, [whole])).out);
  expect(ofFolder.code).toBe(0);
});

describe('what else is in the folder', () => {
  let mixed: string;
  beforeAll(async () => {
    mixed = join(folder, 'mixed');
    await mkdir(join(mixed, 'older'), { recursive: true });
    await copyFile(paths[0] ?? '', join(mixed, 'a.duckdb'));
    for (const name of ['.hidden.duckdb', 'state.json', 'notes.txt', 'server.log'])
      await writeFile(join(mixed, name), 'a text\n');
  });

  test('is named, unless it belongs to the cases', async () => {
    const { code, err } = await run(['search', '*:*', mixed, '--count']);
    expect({ code, err }).toEqual({
      code: 0,
      err: '"mixed": its case is read, and not "notes.txt", "older", "server.log".\n',
    });
  });

  test.each([
    ['an empty case', '', /broken.duckdb" is empty: .*\[NOT_A_CASE\]/],
    ['no case', 'a text that is long enough', /broken.duckdb" is not a case file.*\[NOT_A_CASE\]/],
  ])('ends the command if it is %s', async (_, content, message) => {
    const broken = join(folder, 'with-broken');
    await mkdir(broken, { recursive: true });
    await copyFile(paths[0] ?? '', join(broken, 'a.duckdb'));
    await writeFile(join(broken, 'broken.duckdb'), content);
    const { code, err } = await run(['search', '*:*', broken]);
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
  });

  test('a case that was cut off is named as one for itself is', async () => {
    const cut = join(folder, 'with-cut');
    await mkdir(cut);
    const bytes = await readFile(paths[0] ?? '');
    const path = join(cut, 'cut.duckdb');
    await writeFile(path, bytes.subarray(0, bytes.length / 2));
    const { code, err } = await run(['search', '*:*', cut]);
    expect([code, err]).toEqual([1, expect.stringMatching(/cut.duckdb" is damaged.*\[CASE_DAMAGED\]/)]);
  });
});

test.each([
  ['coverage', 'SOURCE'],
  ['show', '1', 'SOURCE'],
  ['sql', 'SELECT 1', 'SOURCE'],
  ['verify', 'SOURCE'],
])('a command that reads one case says so: %s', async (...question) => {
  expect(await asked(question, [store])).toMatchObject({
    code: 2,
    err: expect.stringContaining('this command reads one case: name it, such as'),
  });
});

describe('a bounded number of cases is open', () => {
  const openOf = async (path: Parameters<typeof connectToCase>[0]) => {
    const connection = await connectToCase(path, 'brief');
    const result = await connection.runAndReadAll(
      `SELECT count(*)::DOUBLE FROM duckdb_databases() WHERE NOT internal AND database_name <> 'memory'`,
    );
    connection.closeSync();
    return Number(result.getRowsJS()[0]?.[0]);
  };

  test('for questions that are asked of all at once', async () => {
    await using set = await openCaseSet(paths, { atOnce: 2 });
    const counts = await Promise.all(set.cases.map((each) => countLogs(each, matchAllFilter)));
    const open = await Promise.all(set.cases.map(openOf));
    const [all] = await Promise.all([run(['search', '*:*', whole, '--count'])]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(Number(all.out));
    expect(open.every((count) => count <= 2)).toBe(true);
  });

  test('for streams, of which none waits for another', async () => {
    await using set = await openCaseSet(paths, { atOnce: 1 });
    let found = 0;
    for await (const { ofCase } of mergeLogs(
      set.cases.map((each) => streamLogs(each, matchAllFilter)),
      'oldest',
    )) {
      // A question to another case, while all streams are held.
      const other = set.cases[(ofCase + 1) % set.cases.length];
      if (other && found % 50 === 0) await countLogs(other, matchAllFilter);
      found += 1;
    }
    expect(String(found)).toBe((await run(['search', '*:*', whole, '--count'])).out.trim());
  });

  test('and later ones are not, if the first ones have the logs', async () => {
    await using set = await openCaseSet(paths, { atOnce: 1 });
    const begun = new Set<number>();
    const streams = set.cases.map(async function* (each, index) {
      begun.add(index);
      yield* streamLogs(each, matchAllFilter, { order: 'newest', limit: 3 });
    });
    for await (const { ofCase } of mergeLogs(streams, 'newest', set.cases)) if (ofCase === 3) break;
    expect([...begun]).toEqual([3]);
  });
});

/** Opens a case for writing in another process; ending that releases the case. */
async function holdInOtherProcess(path: string): Promise<() => Promise<void>> {
  const program = `const { DuckDBInstance } = await import('@duckdb/node-api');
    const held = await DuckDBInstance.create(${JSON.stringify(path)});
    process.stdout.write('held');
    process.stdin.resume();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return async () => {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
}

describe('a case that another process writes to', () => {
  test('is waited for', async () => {
    const release = await holdInOtherProcess(paths[3] ?? '');
    const waited: string[] = [];
    await using set = await openCaseSet(paths, {
      patience: Number.POSITIVE_INFINITY,
      onWait: (path) => {
        waited.push(basename(path));
        void release();
      },
    });
    expect(waited).toEqual(['portal-2026-11-29.duckdb']);
    expect([set.cases.length, set.locked]).toEqual([4, []]);
  });

  test('is named if it is not released, and the others are read', async () => {
    const release = await holdInOtherProcess(paths[3] ?? '');
    const { code, out, err } = await run(['search', '*:*', store, '--count']);
    await release();
    const rest = await run(['search', '*:*', ...paths.slice(0, 3), '--count']);
    expect({ code, out }).toEqual({ code: 4, out: rest.out });
    expect(err).toBe(
      'Waiting for the process that writes to "portal-2026-11-29.duckdb" …\n' +
        '"portal-2026-11-29.duckdb" is left out, because another process still writes to it: its logs are missing here.\n',
    );
  });
});

test('a heading names the first and the last of many cases', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  expect(headingOf(names.slice(1))).toBe('b, c, d, e, f');
  expect(headingOf(names)).toBe('a to f (6 cases)');
});
