import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addNote, listNotes } from '../../src/case/contents/notes.ts';
import { type Case, openCase, reopenCase, writeBetweenReads } from '../../src/case/file/case.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { countLogs } from '../../src/case/searching/find-logs.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';

async function withReader(work: (from: Case, path: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'logquarry-between-'));
  const path = join(folder, 'a.duckdb');
  try {
    {
      await using into = await openCase(path, { access: 'write', create: true });
      await addLogs(into, [{ time: 1, msg: 'a' }], { part: 'logs' });
    }
    await using from = await openCase(path, { access: 'read' });
    await work(from, path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const note = { logs: [1], text: 'x', tags: [], author: 'ada' };

test('a case that is open for reading takes a note, and is open for reading again', () =>
  withReader(async (from) => {
    await writeBetweenReads(from, (into) => addNote(into, note));
    expect(await listNotes(from)).toHaveLength(1);
    expect(await countLogs(from, matchAllFilter)).toBe(1);
    await expect(addNote(from, note)).rejects.toMatchObject({ code: 'READ_ONLY' });
  }));

test('work that fails leaves the case as it was, and open', () =>
  withReader(async (from) => {
    const failing = writeBetweenReads(from, (into) => addNote(into, { ...note, logs: [9] }));
    await expect(failing).rejects.toMatchObject({ code: 'NO_SUCH_LOG' });
    expect(await listNotes(from)).toEqual([]);
  }));

test('another reader in this process keeps it from being written, not from being read', () =>
  withReader(async (from, path) => {
    await using other = await openCase(path, { access: 'read' });
    const refused = writeBetweenReads(from, (into) => addNote(into, note));
    await expect(refused).rejects.toMatchObject({ code: 'CASE_LOCKED' });
    expect([await listNotes(from), await listNotes(other)]).toEqual([[], []]);
  }));

test('a case that could not be opened again is opened by the next use', () =>
  withReader(async (from, path) => {
    let writer: Case | undefined;
    await writeBetweenReads(from, async (into) => {
      // Another writer is faster than the reader that comes back.
      await into[Symbol.asyncDispose]();
      writer = await openCase(path, { access: 'write' });
    });
    await expect(reopenCase(from)).rejects.toMatchObject({ code: 'CASE_LOCKED' });
    await writer?.[Symbol.asyncDispose]();
    await reopenCase(from);
    await reopenCase(from);
    expect(await countLogs(from, matchAllFilter)).toBe(1);
  }));
