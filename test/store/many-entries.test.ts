import { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Case, openCase } from '../../src/case/file/case.ts';
import { type AddedFile, addFile, addFiles } from '../../src/case/loading/add-files.ts';
import { findLogs } from '../../src/case/searching/find-logs.ts';
import { verifyCase } from '../../src/case/verify/verify.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import { toStatusBody } from '../../src/protocol/upgrades.ts';
import { sampled } from '../effort.ts';
import { type RawEntry, toZip } from './zips.ts';

afterEach(() => vi.restoreAllMocks());

/** A small entry: a few logs, of which one has a remark, and after every third one a record that is none. */
function entry(number: number): RawEntry {
  const logs = Array.from({ length: 1 + (number % 4) }, (_, at) =>
    JSON.stringify({
      time: number * 1_000 + at,
      msg: `log ${at} of ${number}`,
      elapsed: at === 0 ? 'long' : at,
    }),
  );
  return {
    name: `logs/${number}.ndjson`,
    content: [...logs, ...(number % 3 === 0 ? ['{"'] : [])].join('\n'),
  };
}

const entries = (count: number) => Array.from({ length: count }, (_, number) => entry(number));

/** Both ways to add a file: alone, or with others. */
const ways: Readonly<Record<string, (into: Case, bytes: Uint8Array) => Promise<AddedFile>>> = {
  alone: (into, bytes) => addFile(into, { name: 'a.zip', bytes }),
  'among others': async (into, bytes) => {
    for await (const addition of addFiles(into, [{ name: 'a.zip', bytes }]))
      if ('added' in addition) return addition.added;
    return expect.unreachable();
  },
};

describe.each(sampled(Object.entries(ways), 1))('a zip that is added %s', (_, add) => {
  /** Adds a zip of entries to a new case; returns the number of statements that this took. */
  async function statementsOf(count: number): Promise<number> {
    await using into = await openCase(':memory:', { access: 'write' });
    const spies = [
      ...[vi.spyOn(DuckDBConnection.prototype, 'run'), vi.spyOn(DuckDBConnection.prototype, 'runAndReadAll')],
      vi.spyOn(DuckDBPreparedStatement.prototype, 'run'),
    ];
    expect((await add(into, toZip(entries(count)))).parts).toHaveLength(count);
    const statements = spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    vi.restoreAllMocks();
    return statements;
  }

  test('takes no more statements for many small entries than for a few', async () => {
    expect(await statementsOf(300)).toBe(await statementsOf(30));
  });

  test('has every entry as a part with its own records, and stands up to its original', async () => {
    await using into = await openCase(':memory:', { access: 'write' });
    const { parts } = await add(into, toZip(entries(40)));
    expect(parts.map(({ entry: name, logs, unreadable }) => [name, logs, unreadable])).toEqual(
      entries(40).map(({ name }, at) => [name, 1 + (at % 4), at % 3 === 0 ? 1 : 0]),
    );
    const found = await findLogs(into, matchAllFilter, { limit: 200, order: 'oldest' });
    expect(found.map(({ entry: name, position, log }) => `${name} ${position} ${log.msg}`)).toEqual(
      parts.flatMap(({ entry: name, logs }, number) =>
        Array.from({ length: logs }, (_, at) => `${name} ${at + 1} log ${at} of ${number}`),
      ),
    );
    expect((await verifyCase(into)).deviations).toEqual([]);
  });

  test('has a damaged entry among them as a part that says so', async () => {
    await using into = await openCase(':memory:', { access: 'write' });
    const damaged = { ...entry(7), checksum: 1 };
    const { parts } = await add(into, toZip(entries(20).with(7, damaged)));
    expect(parts.map(({ part, problem }) => [part, problem?.code])).toEqual(
      entries(20).map((_, at) => [at + 1, at === 7 ? 'WRONG_CRC' : undefined]),
    );
    expect(await findLogs(into, matchAllFilter, { limit: 200 })).toHaveLength(46);
    expect((await verifyCase(into)).deviations).toEqual([]);
  });

  test('has a status of an upgrade that comes twice among them once', async () => {
    await using into = await openCase(':memory:', { access: 'write' });
    const messages = [{ message: 'a', code: 2038, when: 1 }];
    const content = JSON.stringify(toStatusBody({ state: 'in_progress', code: 1, messages }));
    const status = (name: string) => ({ name, content });
    const { parts } = await add(into, toZip([entry(0), status('1.json'), entry(1), status('2.json')]));
    expect(parts.map(({ entry: name, logs }) => [name, logs])).toEqual([
      ...[
        ['logs/0.ndjson', 1],
        ['1.json', 1],
        ['logs/1.ndjson', 2],
        ['2.json', 0],
      ],
    ]);
    expect((await verifyCase(into)).deviations).toEqual([]);
  });
});

test('of entries that share a transaction, those before an interruption stay, and the rest follows', async () => {
  await using into = await openCase(':memory:', { access: 'write' });
  const file = { name: 'a.zip', bytes: toZip(entries(20)) };
  const stop = new AbortController();
  const onProgress = ({ entry: name }: { readonly entry: string }) => {
    if (name === 'logs/12.ndjson') stop.abort(new Error('interrupted'));
  };
  await expect(addFile(into, file, { signal: stop.signal, onProgress })).rejects.toThrow('interrupted');
  expect(await findLogs(into, matchAllFilter, { limit: 200 })).toHaveLength(30);
  const { parts, already } = await addFile(into, file);
  expect([parts.length, already]).toEqual([20, false]);
  expect(await findLogs(into, matchAllFilter, { limit: 200 })).toHaveLength(50);
  expect((await verifyCase(into)).deviations).toEqual([]);
});

test('entries that failed are replaced in one transaction when their file comes again', async () => {
  await using into = await openCase(':memory:', { access: 'write' });
  const encrypted = entries(30).map((each) => ({ ...each, flags: 0x801 }));
  const file = { name: 'a.zip', bytes: toZip([entry(90), ...encrypted]) };
  const first = await addFile(into, file);
  const run = vi.spyOn(DuckDBConnection.prototype, 'run');
  const second = await addFile(into, file);
  expect(run.mock.calls.filter(([sql]) => sql === 'COMMIT')).toHaveLength(1);
  expect(first.parts.map(({ problem }) => problem?.code)).toEqual(
    second.parts.map(({ problem }) => problem?.code),
  );
  expect(second.parts.map(({ part }) => part)).toEqual([1, ...encrypted.map((_, at) => 32 + at)]);
  expect((await verifyCase(into)).deviations).toEqual([]);
});
