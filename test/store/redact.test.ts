import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assembleReport } from '../../src/analysis/report.ts';
import { findExports, saveExport } from '../../src/case/contents/exports.ts';
import { addNote, listNotes, saveSearch } from '../../src/case/contents/notes.ts';
import { findActions } from '../../src/case/contents/summary.ts';
import { type Case, openCase } from '../../src/case/file/case.ts';
import { addFile } from '../../src/case/loading/add-files.ts';
import { redactCase } from '../../src/case/redact-case.ts';
import { readLog } from '../../src/case/searching/stored-log.ts';
import { verifyCase } from '../../src/case/verify/verify.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import type { Log } from '../../src/records/log.ts';
import { rounds, sampled } from '../effort.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-redact-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let made = 0;

/** Redacts a case with these records, and gives the copy to the work. */
async function redacted<T>(
  records: readonly (object | string)[],
  work: (copy: Case, original: Case, path: string) => Promise<T>,
  fill: (into: Case) => Promise<unknown> = async () => undefined,
): Promise<T> {
  made += 1;
  const path = join(folder, `${made}-copy.duckdb`);
  await using from = await openCase(':memory:', { access: 'write' });
  const text = records.map((record) => `${JSON.stringify(record)}\n`).join('');
  if (text !== '')
    await addFile(from, { name: 'host.internal.ndjson', bytes: new TextEncoder().encode(text) });
  await fill(from);
  await using into = await openCase(path, { access: 'write', create: true });
  await redactCase(from, into, { key: new Uint8Array(32).fill(7) });
  return await work(into, from, path);
}

/** Every value of every column of every table, and the bytes of the file. */
async function allOf(path: string): Promise<string> {
  const bytes = (await readFile(path)).toString('latin1');
  const instance = await DuckDBInstance.create(path, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  const tables = await connection.runAndReadAll(
    "SELECT table_name FROM duckdb_tables() WHERE schema_name = 'stored'",
  );
  const texts = [bytes];
  for (const [table] of tables.getRowsJson()) {
    const rows = await connection.runAndReadAll(`SELECT COLUMNS(*)::VARCHAR FROM stored."${table}"`);
    texts.push(JSON.stringify(rows.getRowsJson()));
  }
  connection.closeSync();
  instance.closeSync();
  return texts.join('\n').toLowerCase();
}

const letters = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), minLength: length, maxLength: length });
const user = fc.oneof(
  letters(9).map((name) => `q${name}`),
  letters(8).map((name) => `CORP\\${name}`),
  fc.tuple(letters(6), letters(7)).map(([first, last]) => `${first}.${last}`),
  fc.tuple(letters(6), letters(7)).map(([first, last]) => `${first} ${last}`),
  letters(8).map((name) => `${name}@example.org`),
  letters(8).map((name) => `Ünï${name}`),
);
const host = fc.oneof(
  letters(9).map((name) => `${name}-pod-7f9c`),
  fc.tuple(letters(7), letters(7)).map(([name, domain]) => `${name}.${domain}.local`),
);
const address = fc.oneof(
  fc.ipV4(),
  fc.ipV6().filter((each) => /^[\da-f]{3,4}:[\da-f]{3,4}:/.test(each)),
);
const mail = fc.tuple(letters(8), letters(8)).map(([name, domain]) => `${name}@${domain}.com`);
const people = fc.record({ user, host, address, mail });

/** Messages with identifiers where logs have them. */
const messages: readonly ((of: { user: string; host: string; address: string; mail: string }) => string)[] = [
  ({ user: name, address: from }) => `User ${name} signed in from ${from}.`,
  ({ user: name }) => `Owner='${name.toUpperCase()}', (${name}) /home/${name}/x_${name}_y`,
  ({ host: name }) => `https://${name}:6443/arcgis and \\\\${name}\\share, ${name}: down`,
  ({ mail: to, host: name }) => `<${to}> mailto:${to}?x=${to.replace('@', '%40')} via ${name}`,
  ({ address: from, host: name }) => `[${from}] ${from}:${name} ${from},${from}`,
  () => 'nothing at 12:34:56 in com.example.Foo::bar 1.2.3',
];

describe('in a redacted copy', () => {
  test('no user, host, mail or address is left, in no column and no byte', async () => {
    const record = fc.tuple(people, fc.nat(messages.length - 1), fc.nat(4));
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 12 }), async (all) => {
        const records = all.map(([of, message, field], index) => ({
          time: index,
          type: 'INFO',
          msg: messages[message]?.(of),
          username: of.user,
          machine: of.host,
          ...(field === 1 && { stackTraces: `at a.B(${of.user})\n${messages[message]?.(of)}` }),
          ...(field === 2 && { clientIp: of.address, nested: { owner: of.user, list: [of.mail] } }),
          ...(field === 3 && { source: `${of.user}/Map.MapServer` }),
          ...(field === 4 && { requestID: of.host, process: of.address, thread: of.user }),
        }));
        const path = await redacted(
          records,
          async (_, __, copy) => copy,
          async (into) => {
            const { user: author, mail: to, host: name } = all[0]?.[0] ?? { user: 'x', mail: '', host: '' };
            await addNote(into, { logs: [1], text: `ask ${to}`, tags: [author], author });
            await saveSearch(into, { name: author, query: `username:"${author}"`, author });
            await saveExport(into, {
              ...exported,
              deployment: `https://${name}/admin`,
              request: { filter: author },
            });
          },
        );
        const text = await allOf(path);
        const left = all.flatMap(([of]) =>
          [of.user, of.host, ...(of.address.length < 9 ? [] : [of.address]), of.mail].filter((value) =>
            [value, value.replaceAll('\\', '\\\\')].some((each) => text.includes(each.toLowerCase())),
          ),
        );
        expect(left).toEqual([]);
      }),
      { numRuns: rounds(40, 3), endOnFailure: true },
    );
  });

  const exported = {
    export: 1,
    settings: {},
    learnt: {},
    request: {},
    deployment: 'https://gis.example.com/admin',
    oldest: 1,
    newest: 2,
    started: 3,
  };

  test('the same value has the same pseudonym, everywhere and in every copy with the key', async () => {
    const records = [
      { time: 1, msg: 'jsmith from 10.1.2.3 and 10.1.2.4', username: 'jsmith', machine: 'gis-01' },
      { time: 2, msg: 'gis-01: JSMITH2, jsmith; 10.1.2.3', username: 'other', machine: 'gis-01' },
    ];
    const logs = (copy: Case) => Promise.all([1, 2].map(async (id) => (await readLog(copy, id))?.log));
    const [first, second] = await redacted(records, logs);
    expect(first?.username).toMatch(/^user_[a-p]{14}$/);
    expect(first?.machine).toMatch(/^host_[a-p]{14}$/);
    expect(second?.machine).toBe(first?.machine);
    const [, name, one, two] = /^(\S+) from (2[45]\d\.\S+) and (2[45]\d\.\S+)$/.exec(first?.msg ?? '') ?? [];
    expect(name).toBe(first?.username);
    expect(one).not.toBe(two);
    expect(second?.msg).toBe(`${first?.machine}: JSMITH2, ${name}; ${one}`);
    expect(await redacted(records, logs)).toEqual([first, second]);
  });

  test.each(
    sampled(
      [
        ['a time 12:34:56 or 2025-03-11T12:34:56Z', 'no address'],
        ['class com.example.server.Foo, java.net.URL, std::vector', 'no host'],
        ['version 11.4.0 and 1234.5678', 'no address'],
        ['administrator of adminRoot', 'no part of a word'],
      ],
      1,
    ),
  )('%s stays: %s', async (msg, _why) => {
    const found = await redacted([{ time: 1, msg, username: 'admin' }], (copy) => readLog(copy, 1));
    expect(found?.log.msg).toBe(msg);
  });

  test.each(
    sampled(
      [
        ['to ::1 and fe80::1%eth0', /^to 2001:db8:\S+ and 2001:db8:\S+%eth0$/],
        ['2001:DB8:0:0:0:0:0:1 = 2001:db8::1', /^(2001:db8:\S+) = \1$/],
        ['at ::ffff:10.0.0.1!', /^at ::ffff:2[45]\d\.\d+\.\d+\.\d+!$/],
        ['from db.internal.corp:5432', /^from host_[a-p]+:5432$/],
        ['ldap://ann@dc01/x', /^ldap:\/\/user_[a-p]+@host_[a-p]+\/x$/],
      ],
      1,
    ),
  )('%s is replaced', async (msg, expected) => {
    const found = await redacted([{ time: 1, msg }], (copy) => readLog(copy, 1));
    expect(found?.log.msg).toMatch(expected);
  });

  test('counts, notes and coverage are those of the original, and its chain says what it is', async () => {
    const levels = ['SEVERE', 'WARNING', 'INFO'];
    const records = Array.from({ length: 60 }, (_, index) => ({
      time: index * 1000,
      type: levels[index % 3],
      code: 9000 + (index % 4),
      elapsed: index,
      source: `Maps/S${index % 5}`,
      user: `u${index % 7}x`,
      machine: `m-${index % 2}`,
      msg: `Request ${index} of u${index % 7}x at 10.0.0.${index % 9} took ${index} ms`,
    }));
    await redacted(
      [...records, 'nonsense'],
      async (copy, original) => {
        const options = { filter: matchAllFilter, requested: [], rules: [], sample: 100 };
        const [before, after] = [
          await assembleReport(original, options),
          await assembleReport(copy, options),
        ];
        expect(after.timeline).toEqual(before.timeline);
        expect(after.sources).toEqual(before.sources);
        expect(after.failures.values.map(({ message: _, ...each }) => each)).toEqual(
          before.failures.values.map(({ message: _, ...each }) => each),
        );
        expect(after.sample.map(({ id }) => id)).toEqual(before.sample.map(({ id }) => id));
        expect(after.limitations.map(({ code }) => code)).toContain('redacted');
        expect(await listNotes(copy)).toMatchObject([
          { logs: [3], text: expect.stringMatching(/^saw user_/) },
        ]);
        expect((await findExports(copy)).map(({ oldest, newest }) => [oldest, newest])).toEqual([[1, 2]]);
        expect((await verifyCase(copy)).deviations).toEqual([]);
        const last = (await findActions(copy)).at(-1);
        expect(last?.action).toBe('redact case');
        expect(JSON.parse(last?.details ?? '')).toMatchObject({
          source: (await findActions(original)).at(-1)?.hash,
          logs: 60,
          users: 8,
          leftOut: 1,
        });
      },
      async (into) => {
        await addNote(into, { logs: [3], text: 'saw u2x', tags: [], author: 'ada' });
        await saveExport(into, exported);
      },
    );
  });

  test('two users never become one, whatever their names', async () => {
    // A name in other letters is the same person: the domain of a deployment tells no case.
    const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 4 }), {
      minLength: 2,
      maxLength: 20,
      selector: (name) => name.toLowerCase(),
    });
    await fc.assert(
      fc.asyncProperty(names, async (users) => {
        const logs: readonly Log[] = users.map((username, time) => ({ time, username, msg: 'x' }));
        const copied = await redacted(logs, async (copy) => {
          const found = await Promise.all(users.map((_, index) => readLog(copy, index + 1)));
          return found.map((each) => each?.log.username);
        });
        expect(new Set(copied).size).toBe(new Set(users).size);
      }),
      { numRuns: rounds(30, 3) },
    );
  });

  test('a user in other letters is the same one', async () => {
    const logs: readonly Log[] = ['Ann', 'ANN', 'ann'].map((username, time) => ({
      time,
      username,
      msg: 'x',
    }));
    const copied = await redacted(logs, async (copy) => {
      const found = await Promise.all([1, 2, 3].map((id) => readLog(copy, id)));
      return found.map((each) => each?.log.username);
    });
    expect(new Set(copied).size).toBe(1);
  });
});
