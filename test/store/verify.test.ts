import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { saveJob } from '../../src/case/contents/exports.ts';
import { chainHead } from '../../src/case/contents/summary.ts';
import { openCase } from '../../src/case/file/case.ts';
import { addFile } from '../../src/case/loading/add-files.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { readRaw } from '../../src/case/originals/raw.ts';
import { findLogs } from '../../src/case/searching/find-logs.ts';
import { runSql } from '../../src/case/sql/run-sql.ts';
import { type VerifyOptions, verifyCase } from '../../src/case/verify/verify.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import { rounds, sampled } from '../effort.ts';
import { largeTest } from '../large-test.ts';
import { tamperWith } from './tamper.ts';
import { toZip } from './zips.ts';

let folder: string;
let path: string;
let sha256: string;

const ndjson = (count: number) =>
  Array.from(
    { length: count },
    (_, index) => `${JSON.stringify({ time: index, msg: `log ${index}`, pod: 'p' })}\n`,
  ).join('');
const classic =
  '<?xml version="1.0"?>\n<Msg time="2022-05-22T10:11:12,65" type="INFO">a\n\tb</Msg>\n<Msg time="2022-05-22T10:11:13" code="7">c</Msg>\n';

/** A case with originals of all kinds, made once. */
async function makeCase(at: string): Promise<void> {
  await using into = await openCase(at, { access: 'write', create: true });
  const zip = toZip([
    { name: 'logs/a.ndjson', content: `${ndjson(30)}nonsense\n` },
    { name: 'b.csv.gz', content: gzipSync('time,msg\n1,"x, y"\n2,z\n') },
    { name: '../evil', content: '{"time":7,"msg":"climbed"}\n' },
    { name: 'page.html', content: '<!doctype html><html><body>Dear reader</body></html>' },
  ]);
  ({ sha256 } = await addFile(into, { name: 'export.zip', bytes: zip }));
  await addFile(
    into,
    { name: 'server.log', bytes: new TextEncoder().encode(classic) },
    { zone: 'Europe/Berlin' },
  );
  await addLogs(into, [{ time: 5, msg: 'made here' }], { part: 'program' });
  await addLogs(into, [{ time: 6, msg: 'made here' }], { part: 'program' });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-verify-'));
  await makeCase(join(folder, 'good.duckdb'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

beforeEach(async () => {
  path = join(folder, 'case.duckdb');
  await rm(`${path}.evidence`, { recursive: true, force: true });
  await rm(`${path}.wal`, { force: true });
  await cp(join(folder, 'good.duckdb'), path);
  await cp(join(folder, 'good.duckdb.evidence'), `${path}.evidence`, { recursive: true });
});

const tamper = (...statements: readonly string[]) => tamperWith(path, statements);

async function verify(options: VerifyOptions = {}) {
  await using opened = await openCase(path, { access: 'read' });
  return await verifyCase(opened, options);
}

/** Findings, as code and message. */
async function found(options: VerifyOptions = {}): Promise<string[]> {
  return (await verify(options)).deviations.map(({ code, message }) => `${code}: ${message}`);
}

test('a case as it was made has no deviation, and its head can be asked for', async () => {
  const { deviations, head, remarks, ...counts } = await verify();
  expect(deviations).toEqual([]);
  expect(remarks).toEqual([]);
  expect(counts).toEqual({ files: 2, parts: 6, logs: 37, unreadable: 2, actions: 11 });
  expect(head).toMatch(/^[0-9a-f]{64}$/);
  expect(await found({ head: head ?? '' })).toEqual([]);
  expect(await found({ head: '0'.repeat(64) })).toEqual([expect.stringMatching(/^HEAD_UNKNOWN: /)]);
});

test('a head that is no hash is refused as such', async () => {
  for (const head of ['abc', '', `${'0'.repeat(64)}0`, 'g'.repeat(64)])
    await expect(verify({ head })).rejects.toMatchObject({
      code: 'BAD_HEAD',
      message: expect.stringMatching(/64 digits from 0 to 9 and a to f, got ".*" \(\d+ characters\)/),
    });
});

test('the head of the chain is the one that a check prints, with the same counts', async () => {
  const { head, actions, deviations: _, remarks: __, ...counts } = await verify();
  await using of = await openCase(path, { access: 'read' });
  expect(await chainHead(of)).toEqual({ ...counts, number: actions, hash: head, done: expect.any(Number) });
});

test('every row is read back from the place it says, its zone kept', async () => {
  await using opened = await openCase(path, { access: 'read' });
  for (const { id, log } of await findLogs(opened, matchAllFilter, { limit: 100 })) {
    const raw = await readRaw(opened, id);
    if (log.msg === 'made here') expect(raw).toBeUndefined();
    else expect(raw).toContain(log.msg);
  }
  const [, last] = await findLogs(opened, matchAllFilter, { limit: 2, order: 'newest' });
  expect(last?.log.time).toBe(Date.UTC(2022, 4, 22, 8, 11, 12, 65));
});

describe('what is altered is named', () => {
  test.each(
    sampled<[string, string[], RegExp[]]>(
      [
        [
          'the text of a log',
          [`UPDATE stored.logs SET msg = 'x' WHERE msg IN ('log 3', 'log 4')`],
          [/^ROWS_ALTERED: 2 rows of part 1 \("logs\/a.ndjson"\).* record 4, 5$/],
        ],
        [
          'the time of a log',
          [`UPDATE stored.logs SET "time" = "time" + INTERVAL 1 millisecond WHERE msg = 'c'`],
          [/^ROWS_ALTERED: 1 rows of part 5 \("server.log"\)/],
        ],
        [
          'what a log carries besides',
          [`UPDATE stored.logs SET extra = NULL WHERE msg = 'log 0'`],
          [/^ROWS_ALTERED/],
        ],
        [
          'where a log stands',
          [`UPDATE stored.logs SET position = 99 WHERE msg = 'log 3'`],
          [/^ROWS_ALTERED: .* record 99$/],
        ],
        [
          'an unreadable record',
          [`UPDATE stored.unreadable SET raw = 'x' WHERE part = 1`],
          [
            /^ROWS_ALTERED: .* record 31$/,
            /^ROWS_ALTERED: Part 1 .*: its unreadable records differ from the recorded ones$/,
          ],
        ],
        [
          'a log that is gone',
          [`DELETE FROM stored.logs WHERE msg = 'log 3'`],
          [/^ROWS_MISCOUNTED: Part 1 .* has 29 logs and 1 unreadable records; expected 30 and 1$/],
        ],
        [
          'a log that is gone, and the count made to fit',
          [`DELETE FROM stored.logs WHERE msg = 'log 3'`, 'UPDATE stored.parts SET logs = 29 WHERE part = 1'],
          [/^PART_ALTERED: Part 1 .*logs is 29, expected 30$/, /^ROWS_MISCOUNTED: The original of part 1/],
        ],
        [
          'a log too many',
          [`INSERT INTO stored.logs BY NAME SELECT 99 AS id, 6 AS part, 'made up' AS msg`],
          [/^ROWS_MISCOUNTED: Part 6/],
        ],
        [
          'logs of no part',
          [`INSERT INTO stored.logs BY NAME SELECT 99 AS id, 77 AS part, 'made up' AS msg`],
          [/^ROWS_UNLISTED: 1 rows belong to part 77/],
        ],
        [
          'a part that is gone',
          ['DELETE FROM stored.parts WHERE part = 2', 'DELETE FROM stored.logs WHERE part = 2'],
          [/^PART_MISSING: Part 2 \("b.csv.gz"\)/],
        ],
        [
          'a part that was not added',
          [
            'INSERT INTO stored.parts SELECT * REPLACE (9 AS part, 0 AS logs, 0 AS unreadable, NULL AS file_sha256) FROM stored.parts WHERE part = 5',
          ],
          [/^PART_UNLISTED: Part 9/],
        ],
        [
          'the zone of a part',
          [`UPDATE stored.parts SET zone = 'UTC' WHERE part = 5`],
          [/^PART_ALTERED: .*zone is "UTC", expected "Europe\/Berlin"$/, /^ROWS_ALTERED: 2 rows of part 5/],
        ],
        [
          'the hash of an entry',
          [`UPDATE stored.parts SET entry_sha256 = 'x' WHERE part = 1`],
          [/^ENTRY_ALTERED/, /^PART_ALTERED/],
        ],
        [
          'a problem taken away',
          [`UPDATE stored.parts SET problem = NULL WHERE part = 4`],
          [/^PART_ALTERED: .*problem is nothing, expected "NOT_LOGS"/],
        ],
        [
          'the details of an action',
          [`UPDATE stored.actions SET details = '{}' WHERE number = 3`],
          [/^CHAIN_BROKEN: Action 3 \("add part"\) does not have its hash/, /^PART_UNLISTED: Part 2/],
        ],
        [
          'the time of an action',
          ['UPDATE stored.actions SET done = done + INTERVAL 1 second WHERE number = 2'],
          [/^CHAIN_BROKEN: Action 2/],
        ],
        [
          'an action that is gone',
          ['DELETE FROM stored.actions WHERE number = 6'],
          [
            /^CHAIN_BROKEN: Action 7 .* stands where number 6 should/,
            /^FILE_ROW_ALTERED: Row of file "export.zip": no action recorded it/,
          ],
        ],
        [
          'actions in another order',
          ['UPDATE stored.actions SET number = CASE number WHEN 6 THEN 7 ELSE 6 END WHERE number IN (6, 7)'],
          [/^CHAIN_BROKEN: Action 6 /, /^CHAIN_BROKEN: Action 7 /, /^CHAIN_BROKEN: Action 8 /],
        ],
        [
          'no action at all',
          [
            'DELETE FROM stored.actions',
            'DELETE FROM stored.parts',
            'DELETE FROM stored.logs',
            'DELETE FROM stored.unreadable',
            'DELETE FROM stored.files',
          ],
          [/^CHAIN_BROKEN/, /^FILE_UNLISTED/, /^FILE_UNLISTED/],
        ],
      ],
      4,
    ),
  )('%s', async (_, statements, expected) => {
    await tamper(...statements);
    expect((await found()).toSorted()).toEqual(expected.map((each) => expect.stringMatching(each)));
  });

  test('actions that were taken away from the end, when the head was noted elsewhere', async () => {
    const { head } = await verify();
    await tamper(
      'DELETE FROM stored.actions WHERE number = 11',
      'UPDATE stored.parts SET logs = 1 WHERE part = 6',
      'DELETE FROM stored.logs WHERE part = 6 AND "time" = epoch_ms(6)',
    );
    expect(await found()).toEqual([]);
    expect(await found({ head: head ?? '' })).toEqual([expect.stringMatching(/^HEAD_UNKNOWN/)]);
  });

  test('an original that is gone', async () => {
    await rm(join(`${path}.evidence`, sha256));
    expect(await found()).toEqual([expect.stringMatching(/^FILE_MISSING: The original of "export.zip"/)]);
  });

  test('all originals that are gone', async () => {
    await rm(`${path}.evidence`, { recursive: true });
    expect(await found()).toEqual([
      expect.stringMatching(/^FILE_MISSING/),
      expect.stringMatching(/^FILE_MISSING/),
    ]);
  });

  test('originals that cannot be read, one after the other', async () => {
    for (const name of await readdir(`${path}.evidence`)) {
      await rm(join(`${path}.evidence`, name), { force: true });
      await mkdir(join(`${path}.evidence`, name));
    }
    const deviations = await found();
    expect(deviations).toHaveLength(2);
    expect(deviations).toContain(
      `FILE_UNREADABLE: The original of "export.zip" (${sha256}) cannot be read: EISDIR: illegal operation on a directory, read`,
    );
    for (const deviation of deviations) expect(deviation).toMatch(/^FILE_UNREADABLE/);
  });

  test('a folder of originals that cannot be read', async () => {
    await rm(`${path}.evidence`, { recursive: true });
    await writeFile(`${path}.evidence`, '');
    await expect(found()).rejects.toThrow(/^".*case.duckdb.evidence" cannot be read: ENOTDIR/);
  });

  test('a file that lies among the originals', async () => {
    await writeFile(join(`${path}.evidence`, 'notes.txt'), 'x');
    await writeFile(join(`${path}.evidence`, 'arriving-1'), 'half copied');
    expect(await found()).toEqual([expect.stringMatching(/^FILE_UNLISTED: "notes.txt"/)]);
  });

  test('an original of which one byte was changed: the file, the entry and what follows from it', async () => {
    const original = join(`${path}.evidence`, sha256);
    await chmod(original, 0o644);
    const bytes = await readFile(original);
    for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / rounds(25))) {
      await writeFile(
        original,
        bytes.map((byte, index) => (index === at ? byte ^ 1 : byte)),
      );
      const deviations = await found();
      expect(deviations).toContainEqual(
        expect.stringMatching(/^FILE_ALTERED: The original of "export.zip" was altered/),
      );
    }
    const changed = bytes.indexOf('logs/a.ndjson') + 20;
    await writeFile(
      original,
      bytes.map((byte, index) => (index === changed ? byte ^ 1 : byte)),
    );
    expect(await found()).toContainEqual(
      expect.stringMatching(/^ENTRY_ALTERED: The entry "logs\/a.ndjson" of part 1/),
    );
  });
});

largeTest(
  'a part that is compared a piece at a time is compared from its first record to its last',
  async () => {
    const words = (index: number) => Array.from({ length: 800 }, (_, at) => `w${index}x${at}`).join(' ');
    const lines = Array.from({ length: 2_000 }, (_, index) =>
      index % 10 === 9 ? `nonsense ${index}` : JSON.stringify({ time: index, msg: words(index) }),
    );
    {
      await using into = await openCase(path, { access: 'write' });
      await addFile(into, { name: 'long.ndjson', bytes: new TextEncoder().encode(lines.join('\n')) });
    }
    expect(await found()).toEqual([]);
    await tamper(
      `UPDATE stored.logs SET elapsed = 1 WHERE part = 7 AND position IN (1, 801, 1999)`,
      `UPDATE stored.logs SET position = 5000 WHERE part = 7 AND position = 1204`,
      `UPDATE stored.logs SET msg = NULL WHERE part = 7 AND position IN (601, 1602)`,
      `UPDATE stored.logs SET position = NULL WHERE part = 7 AND position = 1305`,
      `UPDATE stored.unreadable SET raw = '' WHERE part = 7 AND position IN (10, 1000, 2000)`,
    );
    expect(await found()).toEqual([
      expect.stringMatching(/^ROWS_ALTERED: Part 7 .* unreadable records differ from/),
      expect.stringMatching(/^ROWS_ALTERED: 7 rows of part 7 .* record 1, 601, 801, 1602, 1999, 5000, …$/),
      expect.stringMatching(/^ROWS_ALTERED: 3 rows of part 7 .* record 10, 1000, 2000$/),
    ]);
  },
);

test('secrets are in no action', async () => {
  {
    await using into = await openCase(path, { access: 'write' });
    const job = {
      id: 'j',
      address: 'https://u:hunter2@h/j?token=hunter2',
      request: { token: 'hunter2', num: '5' },
    };
    await saveJob(into, { ...job, state: 'EXECUTING', submitted: 1, updated: 1 });
    await saveJob(into, { ...job, state: 'EXECUTING', submitted: 1, updated: 2 });
    await saveJob(into, { ...job, state: 'COMPLETED', submitted: 1, updated: 3 });
  }
  const { rows } = await runSql(
    path,
    "SELECT details->>'$.rows[0].state', details FROM actions WHERE action = 'note jobs' ORDER BY number",
  );
  expect(rows.map(([state]) => state)).toEqual(['EXECUTING', null, 'COMPLETED']);
  expect(JSON.stringify(rows)).not.toContain('hunter2');
  expect(await found()).toEqual([]);
});

largeTest('a case that is being loaded in this process is checked as it was at one moment', async () => {
  await using into = await openCase(path, { access: 'write' });
  const files = Array.from({ length: 60 }, (_, index) => ({
    name: `${index}.ndjson`,
    bytes: new TextEncoder().encode(ndjson(index + 1)),
  }));
  let isLoading = true;
  const loading = (async () => {
    for (const file of files) await addFile(into, file);
    isLoading = false;
  })();
  while (isLoading) expect((await verifyCase(into)).deviations).toEqual([]);
  await loading;
  expect(await verifyCase(into)).toMatchObject({ deviations: [], files: 62 });
});

test('an original whose name in the case leads elsewhere is not read', async () => {
  await tamper(
    "UPDATE stored.files SET sha256 = '../good.duckdb'",
    "UPDATE stored.parts SET file_sha256 = '../good.duckdb'",
  );
  const names: string[] = [];
  const { deviations } = await verify({ onProgress: ({ file }) => names.push(file) });
  expect(names).toEqual([]);
  expect(new Set(deviations.map(({ code }) => code))).toEqual(
    new Set(['FILE_ROW_ALTERED', 'FILE_UNLISTED', 'PART_ALTERED']),
  );
});

test('checking can be interrupted and tells how far it is', async () => {
  const seen: number[] = [];
  await verify({ onProgress: ({ bytes }) => seen.push(bytes) });
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  expect(seen.length).toBeGreaterThan(3);
  await expect(verify({ signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
});
