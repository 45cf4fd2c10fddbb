import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCase } from '../../src/case/file/case.ts';
import {
  addFile,
  addLogs,
  addNote,
  addWindow,
  buildIndex,
  changeNote,
  openCase,
  removeNote,
  type StoredExport,
  type StoredWindow,
  saveExportChanges,
  saveJob,
  saveSearch,
  verifyCase,
} from '../../src/case/index.ts';
import { actionKinds } from '../../src/case/verify/later-actions.ts';
import { sampled } from '../effort.ts';
import { forgeActions, tamperWith } from './tamper.ts';
import { toZip } from './zips.ts';

let folder: string;
let head: string;
let sealed: string;
const minute = 60_000;
const start = Date.UTC(2025, 2, 12, 8);
const time = (ms: number) =>
  new Date(ms)
    .toISOString()
    .replace('T', ' ')
    .replace(/(\.000)?Z$/, '');

const stored: StoredExport = {
  export: 1,
  deployment: 'https://gis.example.com/arcgis/admin',
  request: { num: '1000', logLevel: 'SEVERE' },
  settings: { via: 'search', windowBy: 'auto', timeField: 'time', zone: '', from: '', to: '' },
  oldest: start,
  newest: start + 4 * minute - 1,
  learnt: { doubts: '[{"code":"AT_RANDOM","message":"4 of 10 logs"}]' },
  started: start,
};

const lines = (count: number, from: number) =>
  Array.from(
    { length: count },
    (_, at) => `{"time":${from + at},"logLevel":"SEVERE","msg":"m ${at}"}\n`,
  ).join('');

const windowOf = (window: number, more: Partial<StoredWindow>): StoredWindow => ({
  window,
  export: 1,
  attempts: 1,
  updated: start,
  oldest: start + (window - 1) * minute,
  newest: start + window * minute - 1,
  state: 'loaded',
  ...more,
});

/** Adds the zip of a window as an export does. */
async function load(path: string, name: string, window: StoredWindow, count: number): Promise<void> {
  const zip = join(folder, name);
  const content = toZip([{ name: 'logs.ndjson', content: lines(count, window.oldest) }]);
  await writeFile(zip, content);
  await using into = await openCase(path, { access: 'write' });
  await addWindow(into, zip, {
    job: window.job ?? '',
    isWanted: () => true,
    decide: ({ sha256 }) => ({ changes: { windows: [{ ...window, sha256, found: count, logs: count }] } }),
  });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seal-attacks-'));
  sealed = join(folder, 'sealed.duckdb');
  {
    await using into = await openCase(sealed, { access: 'write', create: true });
    const zip = toZip([
      { name: 'a.ndjson', content: `${lines(20, start)}nonsense\n` },
      { name: 'page.html', content: '<!doctype html><html><body>Dear reader</body></html>' },
    ]);
    await addFile(into, { name: 'export.zip', bytes: zip });
    await addLogs(into, [{ time: 5, msg: 'made here' }], { part: 'program' });
    await saveJob(into, {
      id: 'j1',
      address: 'https://gis.example.com/jobs/j1',
      state: 'COMPLETED',
      request: { logLevel: 'SEVERE' },
      submitted: start,
      updated: start,
    });
    await addNote(into, { logs: [7], text: 'first failure', tags: [], author: 'ada' });
    await saveSearch(into, { name: 'slow', query: 'msg:slow', author: 'ada' });
    await saveExportChanges(into, () => ({
      export: stored,
      windows: [
        windowOf(2, { job: 'j2', missing: 40, reason: 'capped' }),
        windowOf(3, { state: 'failed', reason: 'gone' }),
        windowOf(4, { state: 'split' }),
        windowOf(5, { oldest: start + 3 * minute, newest: start + 4 * minute - 1, state: 'planned' }),
      ],
    }));
  }
  await load(sealed, 'first.zip', windowOf(1, { job: 'j1' }), 10);
  await using of = await openCase(sealed, { access: 'read' });
  const checked = await verifyCase(of);
  expect(checked.deviations).toEqual([]);
  head = checked.head ?? '';
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Alters a copy of the sealed case, and checks it by the hash that was noted of the sealed one. */
async function checkCopy(name: string, alter: (path: string) => Promise<unknown>) {
  const path = join(folder, `${name.replace(/\W+/g, '-')}.duckdb`);
  await cp(sealed, path);
  await cp(`${sealed}.evidence`, `${path}.evidence`, { recursive: true });
  await alter(path);
  try {
    await using of = await openCase(path, { access: 'read', altered: 'opened' });
    return await verifyCase(of, { head });
  } finally {
    await rm(path, { force: true });
    await rm(`${path}.evidence`, { recursive: true, force: true });
  }
}

interface Attack {
  readonly kind: string;
  readonly attack: string;
  readonly sql?: readonly string[];
  readonly forged: readonly { readonly action: string; readonly details: unknown }[];
  /** What `verify` says. */
  readonly says: string;
}

const gone = (part: number) =>
  ['logs', 'unreadable', 'parts'].map((table) => `DELETE FROM stored.${table} WHERE part = ${part}`);
const window2 = { window: '2', missing: null, reason: null };
const idsOf = (ids: readonly (readonly [string, string])[]) =>
  createHash('sha256')
    .update(ids.map((row) => `${JSON.stringify(row)}\n`).join(''))
    .digest('hex');

/** Each is what one could do who can write to the file, has read the source and computes the right hashes. */
const attacks: readonly Attack[] = [
  {
    kind: 'remove part',
    attack: 'takes away a part with its logs',
    sql: gone(4),
    forged: [{ action: 'remove part', details: { part: 4 } }],
    says: 'Part 4 ("logs.ndjson", 10 logs) was there before, and action',
  },
  {
    kind: 'remove part',
    attack: 'removes a part and fills the number again with fewer logs',
    sql: ['DELETE FROM stored.logs WHERE part = 3', 'UPDATE stored.parts SET logs = 0 WHERE part = 3'],
    forged: [
      { action: 'remove part', details: { part: 3 } },
      { action: 'add part', details: { part: 3, file: 'program', logs: 0 } },
    ],
    says: 'Part 3 ("program", 1 logs) was there before, and action',
  },
  {
    kind: 'remove part',
    attack: 'removes the part of a file that could not be read, so that nothing is missing',
    sql: gone(2),
    forged: [{ action: 'remove part', details: { part: 2 } }],
    says: 'Part 2 ("page.html", 0 logs) was there before, and action',
  },
  {
    kind: 'trim part',
    attack: 'deletes the inconvenient logs of a part',
    sql: [
      'DELETE FROM stored.logs WHERE part = 4 AND position > 1',
      'UPDATE stored.parts SET logs = 1 WHERE part = 4',
    ],
    forged: [{ action: 'trim part', details: { part: 4, logs: 9, idsSha256: idsOf([['1', '22']]) } }],
    says: 'Part 4 ("logs.ndjson", 10 logs) was there before, and action',
  },
  {
    kind: 'add part',
    attack: 'states other facts of a part: another name of its entry',
    sql: [`UPDATE stored.parts SET zone = 'Europe/Berlin' WHERE part = 3`],
    forged: [
      {
        action: 'add part',
        details: { part: 3, file: 'program', entry: 'program', logs: 1, zone: 'Europe/Berlin' },
      },
    ],
    says: 'Part 3 ("program", 1 logs) was there before, and action',
  },
  {
    kind: 'add part',
    attack: 'gives new logs the ids of earlier ones, which notes name',
    sql: [
      `INSERT INTO stored.parts (part, file, entry, entry_number, bytes, format, logs, unreadable, remarks)
         VALUES (5, 'x', 'x', 0, 0, 'ndjson', 1, 0, '[]')`,
      `INSERT INTO stored.logs (id, part, entry, position, msg) VALUES (7, 5, 'x', 1, 'all is well')`,
    ],
    forged: [
      {
        action: 'add part',
        details: {
          part: 5,
          file: 'x',
          entry: 'x',
          entryNumber: 0,
          bytes: 0,
          format: 'ndjson',
          logs: 1,
          unreadable: 0,
          remarks: '[]',
          firstId: 7,
        },
      },
    ],
    says: 'gives its logs ids from 7 on',
  },
  {
    kind: 'add logs',
    attack: 'makes a part of a program shorter by a negative number',
    sql: ['DELETE FROM stored.logs WHERE part = 3', 'UPDATE stored.parts SET logs = 0 WHERE part = 3'],
    forged: [{ action: 'add logs', details: { part: 3, file: 'program', logs: -1 } }],
    says: 'does not say which logs it added',
  },
  {
    kind: 'add logs',
    attack: 'adds logs to a part of a file',
    sql: [
      `INSERT INTO stored.logs (id, part, entry, position, msg) VALUES (900, 4, 'logs.ndjson', 11, 'x')`,
      'UPDATE stored.parts SET logs = 11 WHERE part = 4',
    ],
    forged: [{ action: 'add logs', details: { part: 4, logs: 1, sha256: 'a'.repeat(64) } }],
    says: 'Part 4 ("logs.ndjson", 10 logs) was there before, and action',
  },
  {
    kind: 'remove unfinished part',
    attack: 'calls a part unfinished',
    sql: gone(4),
    forged: [{ action: 'remove unfinished part', details: { part: 4, logs: 10 } }],
    says: 'Part 4 ("logs.ndjson", 10 logs) was there before, and action',
  },
  {
    kind: 'note windows',
    attack: 'turns a known gap into complete',
    sql: ['UPDATE stored.windows SET missing = NULL, reason = NULL WHERE "window" = 2'],
    forged: [{ action: 'note windows', details: { rows: [window2] } }],
    says: 'Window 2 of export 1',
  },
  {
    kind: 'note windows',
    attack: 'takes the zip of another window as proof',
    sql: [`UPDATE stored.windows SET missing = NULL, reason = NULL, job = 'j1' WHERE "window" = 2`],
    forged: [{ action: 'note windows', details: { rows: [{ ...window2, job: 'j1' }] } }],
    says: 'claims to be complete later, and no later zip proves it',
  },
  {
    kind: 'note windows',
    attack: 'removes a gap',
    sql: ['DELETE FROM stored.windows WHERE "window" = 3'],
    forged: [{ action: 'note windows', details: { removed: ['3'] } }],
    says: 'was incomplete before, and no window has all its times now',
  },
  {
    kind: 'note windows',
    attack: 'divides a gap into nothing',
    sql: [`UPDATE stored.windows SET state = 'split' WHERE "window" = 3`],
    forged: [{ action: 'note windows', details: { rows: [{ window: '3', state: 'split' }] } }],
    says: 'was incomplete before, and no window has all its times now',
  },
  {
    kind: 'note windows',
    attack: 'makes a gap shorter',
    sql: [`UPDATE stored.windows SET newest = oldest WHERE "window" = 3`],
    forged: [
      { action: 'note windows', details: { rows: [{ window: '3', newest: time(start + 2 * minute) }] } },
    ],
    says: 'was incomplete before, and no window has all its times now',
  },
  {
    kind: 'note windows',
    attack: 'makes a loaded window longer',
    sql: [`UPDATE stored.windows SET newest = TIMESTAMP '2025-03-12 09:00:00' WHERE "window" = 1`],
    forged: [{ action: 'note windows', details: { rows: [{ window: '1', newest: '2025-03-12 09:00:00' }] } }],
    says: 'was complete before, and was changed',
  },
  {
    kind: 'note windows',
    attack: 'adds a complete window over a gap',
    sql: [
      `INSERT INTO stored.windows ("window", export, oldest, newest, state)
         VALUES (9, 1, TIMESTAMP '2025-03-12 08:00:00', TIMESTAMP '2025-03-12 08:10:00', 'loaded')`,
    ],
    forged: [
      {
        action: 'note windows',
        details: {
          rows: [
            {
              window: '9',
              export: '1',
              state: 'loaded',
              oldest: '2025-03-12 08:00:00',
              newest: '2025-03-12 08:10:00',
            },
          ],
        },
      },
    ],
    says: 'Window 9 of export 1 (2025-03-12 08:00:00 to 2025-03-12 08:10:00) claims to be complete later',
  },
  {
    kind: 'note exports',
    attack: 'takes away the filter of an export',
    sql: [`UPDATE stored.exports SET request = '{"num":"1000","logLevel":"DEBUG"}'`],
    forged: [
      {
        action: 'note exports',
        details: { rows: [{ export: '1', request: '{"num":"1000","logLevel":"DEBUG"}' }] },
      },
    ],
    says: 'The export 1 had another value of "filters of the request" before',
  },
  {
    kind: 'note exports',
    attack: 'removes an export',
    sql: ['DELETE FROM stored.exports'],
    forged: [{ action: 'note exports', details: { removed: ['1'] } }],
    says: 'The export 1 was there before, and is removed',
  },
  {
    kind: 'note exports',
    attack: 'makes an export longer',
    sql: [`UPDATE stored.exports SET newest = TIMESTAMP '2025-03-13 00:00:00'`],
    forged: [{ action: 'note exports', details: { rows: [{ export: '1', newest: '2025-03-13 00:00:00' }] } }],
    says: 'The export 1 had another value of "end" before',
  },
  {
    kind: 'note exports',
    attack: 'takes away the doubts of an export',
    sql: [`UPDATE stored.exports SET learnt = '{}'`],
    forged: [{ action: 'note exports', details: { rows: [{ export: '1', learnt: '{}' }] } }],
    says: 'The export 1 was doubted before, and is not any more, though no later zip proves it',
  },
  {
    kind: 'note jobs',
    attack: 'changes the request of a job',
    sql: [`UPDATE stored.jobs SET request = '{}'`],
    forged: [
      {
        action: 'note jobs',
        details: { rows: [{ address: 'https://gis.example.com/jobs/j1', request: '{}' }] },
      },
    ],
    says: 'had another value of "request" before',
  },
  {
    kind: 'add note',
    attack: 'writes a note in place of another',
    forged: [
      {
        action: 'add note',
        details: { note: 1, logs: [7], text: 'all is well', tags: [], author: 'ada' },
      },
    ],
    says: 'takes the number of note 1, which was there before',
  },
  {
    kind: 'create case',
    attack: 'creates the case again',
    forged: [{ action: 'create case', details: { version: 1, created: time(start) } }],
    says: 'never follows another action',
  },
  {
    kind: 'redact case',
    attack: 'calls the case a redacted copy',
    forged: [{ action: 'redact case', details: { source: 'a'.repeat(64) } }],
    says: 'never follows another action',
  },
  {
    kind: 'delete oldest logs',
    attack: 'calls deleted logs the oldest ones of a case in memory',
    forged: [{ action: 'delete oldest logs', details: { file: 'program', logs: 1 } }],
    says: 'never follows another action',
  },
  {
    kind: 'any other',
    attack: 'adds an action that nobody knows',
    forged: [{ action: 'tidy up', details: {} }],
    says: 'is of a kind that this version does not know',
  },
  {
    kind: 'any other',
    attack: 'adds an action whose details cannot be read',
    forged: [{ action: 'note windows', details: 'rows' }],
    says: 'has details that cannot be read',
  },
];

describe('what an attacker does who has read the source is named', () => {
  test.each(sampled(attacks, 6))('$kind: $attack', async ({ kind, attack, sql = [], forged, says }) => {
    const { deviations, since } = await checkCopy(`${kind} ${attack}`, async (path) => {
      await tamperWith(path, sql);
      await forgeActions(path, forged);
    });
    const named = deviations.filter(({ code }) => code === 'SEALED_OTHERWISE');
    expect(named.map(({ message }) => message).join('\n')).toContain(says);
    // The chain of hashes is right: without the seal it would prove nothing.
    expect(deviations.filter(({ code }) => code === 'CHAIN_BROKEN')).toEqual([]);
    expect(since?.[0]?.later.reduce((sum, { count }) => sum + count, 0)).toBe(forged.length);
  });

  test('the three attacks that were found leave no other trace', async () => {
    const silent = ['takes away a part with its logs', 'turns a known gap into complete'];
    for (const { attack, sql = [], forged } of attacks.filter((each) => silent.includes(each.attack))) {
      const { deviations } = await checkCopy(`silent ${attack}`, async (path) => {
        await tamperWith(path, sql);
        await forgeActions(path, forged);
      });
      const others = deviations.filter(({ code }) => code !== 'SEALED_OTHERWISE');
      // The original of a removed part stays listed by its file.
      expect(others).toEqual([]);
    }
  });
});

describe('each table of a case', () => {
  /** Tables of which a seal promises nothing: no answer rests on them that `verify` does not check. */
  const withoutPromise = ['segments', 'unfinished'];
  /** What takes something away from each of the others; all rows, where nothing is said. */
  const losses: Readonly<Record<string, string>> = {
    about: `UPDATE stored.about SET created = TIMESTAMP '2025-01-01 00:00:00'`,
    actions: 'DELETE FROM stored.actions WHERE number = 3',
  };
  let tables: readonly string[] = [];
  beforeAll(async () => {
    const path = join(folder, 'indexed.duckdb');
    await cp(sealed, path);
    await cp(`${sealed}.evidence`, `${path}.evidence`, { recursive: true });
    await using into = await openCase(path, { access: 'write' });
    await buildIndex(into);
    const found = await readCase(into, (connection) =>
      connection.runAndReadAll("SELECT table_name FROM duckdb_tables() WHERE schema_name = 'stored'"),
    );
    // Each segment of the index has a table of its own.
    tables = found.getRowsJS().flatMap(([name]) => (/^segment_\d+$/.test(`${name}`) ? [] : [`${name}`]));
  });

  test('has a promise in the manual, and an attack on it is named', async () => {
    const manual = await readFile('docs/cases.md', 'utf8');
    const section = manual.slice(manual.indexOf('| table | what a seal covers |'));
    expect(tables).toContain('windows');
    for (const table of tables) {
      if (!withoutPromise.includes(table))
        expect(section).toMatch(new RegExp(`^\\|[^|]*\`stored\\.${table}\`[^|]*\\|`, 'm'));
      if (withoutPromise.includes(table)) continue;
      const { deviations } = await checkCopy(`table ${table}`, (path) =>
        tamperWith(path, [losses[table] ?? `DELETE FROM stored.${table}`]),
      );
      expect([table, deviations.length]).not.toEqual([table, 0]);
    }
  });

  test('has no other without a promise than those that the manual names', async () => {
    const manual = await readFile('docs/cases.md', 'utf8');
    const [, named = ''] = /^\| (tables of the index.*?) \|/m.exec(manual) ?? [];
    for (const table of withoutPromise) expect(named).toContain(`\`stored.${table}\``);
    expect(tables).toEqual(expect.arrayContaining([...withoutPromise]));
  });
});

describe('what may follow a seal is listed, and is no deviation', () => {
  test('files, logs, notes, searches and an index', async () => {
    const checked = await checkCopy('grown', async (path) => {
      await using into = await openCase(path, { access: 'write' });
      await addFile(into, { name: 'more.ndjson', bytes: new TextEncoder().encode(lines(3, start)) });
      await addLogs(into, [{ time: 6, msg: 'made later' }], { part: 'program' });
      await changeNote(into, 1, { text: 'second thoughts', author: 'bob' });
      await addNote(into, { logs: [], text: 'new', tags: [], author: 'bob' });
      await removeNote(into, 2, { author: 'bob' });
      await saveSearch(into, { name: 'slow', query: 'msg:slower', author: 'bob' });
      await buildIndex(into);
    });
    expect(checked.deviations).toEqual([]);
    const [since] = checked.since ?? [];
    expect(since?.problems).toEqual([]);
    expect(since?.later.map(({ action, count }) => `${count} ${action}`)).toEqual(
      expect.arrayContaining(['1 add file', '1 add logs', '1 change note', '1 add note', '1 save search']),
    );
    expect(since?.changes).toEqual([
      expect.stringMatching(/^Part 3 \("program", 1 logs\) has 1 more logs since action/),
      expect.stringMatching(/^Note 1 was changed by bob/),
    ]);
    expect(since).toMatchObject({ parts: 4, logs: 31, unreadable: 2, files: 2 });
  });

  test('a gap that a later zip closes', async () => {
    const checked = await checkCopy('closed', (path) =>
      load(path, 'second.zip', windowOf(2, { job: 'j9' }), 4),
    );
    expect(checked.deviations).toEqual([]);
    expect(checked.since?.[0]?.changes).toEqual([
      expect.stringMatching(/^Window 2 of export 1 .* was incomplete before, and is loaded since$/),
    ]);
  });

  test('nothing, if nothing was done', async () => {
    const { since, deviations } = await checkCopy('same', async () => undefined);
    expect(deviations).toEqual([]);
    expect(since).toMatchObject([{ later: [], changes: [], problems: [] }]);
  });
});

test('the manual says of each kind of action what a seal promises', async () => {
  const manual = await readFile('docs/cases.md', 'utf8');
  const section = manual.slice(manual.indexOf('### What a seal promises'));
  for (const kind of actionKinds) expect(section).toMatch(new RegExp(`^\\|.*\`${kind}\`.*\\|`, 'm'));
  const attacked = new Set(attacks.map(({ kind }) => kind));
  const harmless = ['add file', 'add window', 'change note', 'remove note', 'save search', 'remove search'];
  const derived = ['index logs', 'remove index'];
  expect(actionKinds.filter((kind) => !attacked.has(kind)).sort()).toEqual([...harmless, ...derived].sort());
});
