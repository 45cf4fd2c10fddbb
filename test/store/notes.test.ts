import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  addNote,
  changeNote,
  listNotes,
  listSearches,
  removeNote,
  removeSearch,
  saveSearch,
} from '../../src/case/contents/notes.ts';
import { type Case, openCase } from '../../src/case/file/case.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { verifyCase } from '../../src/case/verify/verify.ts';
import { tamperWith } from './tamper.ts';

let folder: string;
let path: string;
let of: Case;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-notes-'));
});
let made = 0;
beforeEach(async () => {
  made += 1;
  path = join(folder, `${made}.duckdb`);
  of = await openCase(path, { access: 'write', create: true });
  await addLogs(of, [{ time: 1, msg: 'a' }, { msg: 'b' }], { part: 'test' });
  return () => of[Symbol.asyncDispose]();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const note = { logs: [1], text: 'first', tags: ['start'], author: 'ada' };

test('a note is kept with author and time, changed and removed, and the chain keeps all of it', async () => {
  const before = Date.now();
  const added = await addNote(of, { ...note, logs: [1, 1, 2], tags: ['x', 'x'] });
  expect(added).toEqual({ ...note, note: 1, logs: [1, 2], tags: ['x'], written: expect.any(Number) });
  expect(added.written).toBeGreaterThanOrEqual(before);
  expect((await addNote(of, note)).note).toBe(2);
  const changed = await changeNote(of, 1, { text: 'other', author: 'bob' });
  expect(changed).toEqual({
    ...added,
    text: 'other',
    changed: { author: 'bob', time: expect.any(Number) },
  });
  await removeNote(of, 2, { author: 'bob' });
  expect(await listNotes(of)).toEqual([changed]);
  // The number of a removed note is not used again.
  expect((await addNote(of, note)).note).toBe(3);
  const { deviations, actions } = await verifyCase(of);
  expect([deviations, actions]).toEqual([[], 8]);
});

test('two notes at a time get two numbers', async () => {
  const added = await Promise.all([addNote(of, note), addNote(of, note), addNote(of, note)]);
  expect(added.map((each) => each.note)).toEqual([1, 2, 3]);
});

test('a note on a log that is not there, or a change of a note that is not there, is refused', async () => {
  await expect(addNote(of, { ...note, logs: [1, 99] })).rejects.toMatchObject({ code: 'NO_SUCH_LOG' });
  await expect(changeNote(of, 1, { text: 'x', author: 'a' })).rejects.toMatchObject({
    code: 'NO_SUCH_NOTE',
  });
  await addNote(of, note);
  await removeNote(of, 1, { author: 'a' });
  await expect(removeNote(of, 1, { author: 'a' })).rejects.toMatchObject({ code: 'NO_SUCH_NOTE' });
});

test('searches are kept by name, the last query of a name wins', async () => {
  await saveSearch(of, { name: 'b', query: 'msg:a', author: 'ada' });
  await saveSearch(of, { name: 'a', query: 'x', author: 'ada' });
  await saveSearch(of, { name: 'b', query: 'msg:"b\'"', author: 'bob' });
  await removeSearch(of, { name: 'a', author: 'bob' });
  expect(await listSearches(of)).toEqual([
    { name: 'b', query: 'msg:"b\'"', author: 'bob', saved: expect.any(Number) },
  ]);
});

test.each([
  [
    'altered',
    `UPDATE stored.actions SET details = replace(details, 'first', 'worst') WHERE action = 'add note'`,
  ],
  ['dated back', `UPDATE stored.actions SET done = '2001-01-01' WHERE action = 'add note'`],
])('a note that was %s is named', async (_, sql) => {
  await addNote(of, note);
  await addNote(of, { ...note, text: 'second' });
  await of[Symbol.asyncDispose]();
  await tamperWith(path, [`${sql} AND details LIKE '%"note":1,%'`]);
  await using reopened = await openCase(path, { access: 'read' });
  const { deviations } = await verifyCase(reopened);
  expect(deviations.map(({ message }) => message)).toEqual([
    'Action 4 ("add note" 1) does not have its hash: it was altered',
  ]);
});

test('a note that was taken away or planted is noticed', async () => {
  await addNote(of, note);
  await addNote(of, note);
  await of[Symbol.asyncDispose]();
  await tamperWith(path, [`DELETE FROM stored.actions WHERE details LIKE '%"note":1,%'`]);
  await using reopened = await openCase(path, { access: 'read' });
  expect((await verifyCase(reopened)).deviations.length).toBeGreaterThan(0);
});

test('details that are no note are left out of the list', async () => {
  await addNote(of, note);
  await of[Symbol.asyncDispose]();
  await tamperWith(path, [`UPDATE stored.actions SET details = '{"note":"x' WHERE action = 'add note'`]);
  await using reopened = await openCase(path, { access: 'read' });
  expect(await listNotes(reopened)).toEqual([]);
});
