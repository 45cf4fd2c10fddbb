import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { summary } from '../../src/case/contents/summary.ts';
import { openCase } from '../../src/case/file/case.ts';
import { verifyCase } from '../../src/case/verify/verify.ts';
import { keepMessages } from '../../src/cli/deployment/keep-messages.ts';
import { toStatusBody } from '../../src/protocol/upgrades.ts';

let folder: string;
let said: string[];
const path = () => join(folder, 'case.duckdb');
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-test-'));
  said = [];
});
afterEach(() => rm(folder, { recursive: true }));

const terminal = { message: (line: string) => void said.push(line) };

/** A reply with so many messages. */
const reply = (count: number) =>
  toStatusBody({
    state: 'in_progress',
    code: 1,
    messages: Array.from({ length: count }, (_, when) => ({ message: `step ${when}`, code: 2038, when })),
  });

async function logsIn(): Promise<number> {
  await using of = await openCase(path(), { access: 'read' });
  expect((await verifyCase(of)).deviations).toEqual([]);
  return (await summary(of)).logs;
}

test('messages are in the case as soon as they are known, and it is free in between', async () => {
  const kept = await keepMessages(path(), terminal);
  expect(await readdir(folder)).toEqual([]);
  await kept.add(reply(2));
  expect(await logsIn()).toBe(2);
  await kept.add(reply(3));
  await kept.finish();
  expect([await logsIn(), said]).toEqual([3, []]);
});

test('messages wait for a case that another process has open, which is said once', async () => {
  const kept = await keepMessages(path(), terminal);
  const other = await openCase(path(), { access: 'write', create: true });
  await kept.add(reply(1));
  await kept.add(reply(2));
  expect(said).toEqual([`"${path()}" is open in another process; the messages are loaded when it is free.`]);
  const finishing = kept.finish();
  await other[Symbol.asyncDispose]();
  await finishing;
  expect(await logsIn()).toBe(2);
});

test('a case that is open elsewhere from the beginning is refused', async () => {
  await using _ = await openCase(path(), { access: 'write', create: true });
  await expect(keepMessages(path(), terminal)).rejects.toMatchObject({ code: 'CASE_LOCKED' });
});
