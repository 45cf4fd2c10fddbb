import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { folder, run, start } from './process.ts';

let here: Awaited<ReturnType<typeof folder>>;
let options: { readonly cwd: string };

beforeAll(async () => {
  here = await folder();
  options = { cwd: here.path };
  await run(['import', resolve('samples/incident.ndjson'), '--into', 'c.duckdb'], options);
});

afterAll(() => here[Symbol.asyncDispose]());

/** It prints rows, and goes on for long. */
const endless = [
  'sql',
  'SELECT range AS n FROM range(100000000000000)',
  'c.duckdb',
  '--limit',
  '100000000000000',
];

test('Ctrl-C ends SQL, and what came before is printed', async () => {
  const running = start([...endless, '--csv'], options);
  await running.printed('n\n0\n1\n2\n');
  running.child.kill('SIGINT');
  expect(await running.ended).toMatchObject({ code: 130, err: 'Interrupted.\n' });
  expect(readdirSync(here.path).sort()).toEqual(['c.duckdb', 'c.duckdb.evidence']);
});

/** It prints nothing for long. */
const silent = 'SELECT count(*) FROM range(100000000000000) WHERE hash(range) = 3';

test('the time of --timeout ends SQL with a code of its own', async () => {
  const { code, err } = await run(['sql', silent, 'c.duckdb', '--timeout', '1s'], options);
  expect({ code, err }).toEqual({ code: 124, err: expect.stringMatching(/took longer than 1 s.*--timeout/) });
});

test.skipIf(!existsSync('/proc/self/stat'))(
  'SQL ends with the process that asked for it, however that ends',
  async () => {
    const running = start([...endless, '--ndjson', '--timeout', 'none'], options);
    await running.printed('{"n":4}');
    const children = childrenOf(running.child.pid ?? 0);
    expect(children).toHaveLength(1);
    running.child.kill('SIGKILL');
    await running.ended;
    for (let wait = 0; wait < 200 && children.some(isAlive); wait++)
      await new Promise((go) => setTimeout(go, 25));
    expect(children.filter(isAlive)).toEqual([]);
  },
);

/** The numbers of the processes that a process has started. */
function childrenOf(parent: number): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    return statOf(Number(name))[1] === String(parent) ? [Number(name)] : [];
  });
}

function isAlive(pid: number): boolean {
  const [state = 'Z'] = statOf(pid);
  return state !== 'Z';
}

/** The state and the parent of a process, where it is there. */
function statOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .slice(0, 2);
  } catch {
    return [];
  }
}
