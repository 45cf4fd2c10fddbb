import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { chainHead, summary } from '../../src/case/contents/summary.ts';
import { type Case, openCase } from '../../src/case/file/case.ts';
import { addFile } from '../../src/case/loading/add-files.ts';
import { importFiles, overlapsOf } from '../../src/case/loading/import-files.ts';
import { findLogs } from '../../src/case/searching/find-logs.ts';
import { verifyCase } from '../../src/case/verify/verify.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import { rounds } from '../effort.ts';
import { toZip } from './zips.ts';

let folder: string;
let into: Case;
let opened = 0;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'overlaps-test-'));
  into = await reopened();
});
afterEach(async () => {
  await into[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const reopened = () => openCase(join(folder, `${opened++}.duckdb`), { access: 'write', create: true });

type Fields = Readonly<Record<string, unknown>>;

const log = (number: number, more: Fields = {}): Fields => ({
  time: 1_700_000_000_000 + number * 1000,
  logLevel: 'INFO',
  msg: `m${number}`,
  ...more,
});
const logs = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => log(from + at));
const ndjson = (all: readonly Fields[]) => all.map((each) => `${JSON.stringify(each)}\n`).join('');
const csv = (all: readonly Fields[]) =>
  `time;logLevel;msg\n${all.map(({ time, logLevel, msg }) => `${time};${logLevel};${msg}\n`).join('')}`;
const page = (all: readonly Fields[]) => JSON.stringify({ hasMore: false, logMessages: all });
const file = (name: string, text: string) => ({ name, bytes: new TextEncoder().encode(text) });

async function add(files: readonly { name: string; bytes: Uint8Array }[], noDuplicates = false) {
  const { overlaps } = await importFiles(into, files, { noDuplicates }, () => undefined);
  return overlaps.map(({ part, logs: same, isLeftOut, earlier }) => [
    ...[part.entry, part.logs, same, isLeftOut],
    earlier.map(({ part: other, logs: count }) => `${other.entry} ${count}`).join(),
  ]);
}

const messages = async () =>
  (await findLogs(into, matchAllFilter, { limit: 1000 })).map(({ log: { msg } }) => msg).toSorted();

const sound = async () => expect((await verifyCase(into)).deviations).toEqual([]);

test('the tail of a file that is the head of another is said, and both are in the case', async () => {
  const files = [file('a.ndjson', ndjson(logs(0, 10))), file('b.ndjson', ndjson(logs(7, 20)))];
  expect(await add(files)).toEqual([['b.ndjson', 13, 3, false, 'a.ndjson 3']]);
  expect((await summary(into)).logs).toBe(23);
  expect(await overlapsOf(into)).toMatchObject([{ logs: 3, isLeftOut: false }]);
  await sound();
});

test('they are left out where that is asked for, with a record of it, and the original has them', async () => {
  await add([file('a.ndjson', ndjson(logs(0, 10)))]);
  const later = [file('b.ndjson', ndjson(logs(7, 20))), file('c.csv', csv(logs(15, 22)))];
  expect(await add(later, true)).toEqual([
    ['b.ndjson', 10, 3, true, 'a.ndjson 3'],
    ['c.csv', 2, 5, true, 'b.ndjson 5'],
  ]);
  expect(await messages()).toEqual(
    logs(0, 22)
      .map(({ msg }) => msg)
      .toSorted(),
  );
  expect(await overlapsOf(into)).toEqual([]);
  await sound();
  const { parts } = await summary(into);
  expect(parts.map((part) => part.logs)).toEqual([10, 10, 2]);
});

test('what was sealed stays as it was when logs of later files are left out', async () => {
  await add([file('a.ndjson', ndjson(logs(0, 10)))]);
  await add([file('b.ndjson', ndjson(logs(5, 12).toReversed()))], true);
  const head = (await chainHead(into))?.hash;
  await add([file('c.ndjson', ndjson(logs(11, 14)))], true);
  const { deviations } = await verifyCase(into, { head: head ?? '' });
  expect(deviations).toEqual([]);
});

test('the file in one pass, an entry of a zip, and a file again', async () => {
  await addFile(into, file('a.ndjson', ndjson(logs(0, 10))));
  const zip = toZip([
    { name: 'x.ndjson', content: ndjson(logs(8, 12)) },
    { name: 'y.ndjson', content: ndjson(logs(9, 14)) },
  ]);
  expect(await add([{ name: 'b.zip', bytes: zip }], true)).toEqual([
    ['x.ndjson', 2, 2, true, 'a.ndjson 2'],
    ['y.ndjson', 2, 3, true, 'x.ndjson 3,a.ndjson 1'],
  ]);
  expect(await add([{ name: 'b.zip', bytes: zip }], true)).toEqual([]);
  expect((await summary(into)).logs).toBe(14);
  await sound();
});

test('equal logs of one file are evidence, and so are those of one reply', async () => {
  const twice = [log(1), log(1), log(2)];
  expect(await add([file('a.ndjson', ndjson(twice)), file('b.json', page(twice.slice(1)))], true)).toEqual([
    ['b.json', 0, 2, true, 'a.ndjson 2'],
  ]);
  expect(await add([file('c.ndjson', ndjson([log(1), log(1), log(1)]))], true)).toEqual([
    ['c.ndjson', 1, 2, true, 'a.ndjson 2'],
  ]);
  expect(await messages()).toEqual(['m1', 'm1', 'm1', 'm2']);
  await sound();
});

test.each([1, 2])('pages in one file overlap (%s)', async (blanks) => {
  const text = [page(logs(0, 6)), page(logs(4, 9)), page(logs(8, 10))].join('\n'.repeat(blanks));
  expect(await add([file('pages.json', text)])).toEqual([['pages.json', 13, 3, false, 'pages.json 3']]);
  await into[Symbol.asyncDispose]();
  into = await reopened();
  expect(await add([file('pages.json', text)], true)).toEqual([['pages.json', 10, 3, true, 'pages.json 3']]);
  expect(await messages()).toEqual(
    logs(0, 10)
      .map(({ msg }) => msg)
      .toSorted(),
  );
  await sound();
});

test('logs that differ in a field or in other members are others, unless one has none of these', async () => {
  const other = (more: Fields) => ndjson([log(1, more), log(2, more)]);
  await add([file('a.ndjson', other({ client: 'x' }))]);
  expect(await add([file('b.ndjson', other({ client: 'y' }))])).toEqual([]);
  expect(await add([file('c.ndjson', other({ client: 'x', machine: 'M' }))])).toEqual([]);
  expect(await add([file('d.ndjson', other({}))])).toMatchObject([
    ['d.ndjson', 2, 2, false, expect.anything()],
  ]);
});

test('logs without a time, and those that are equal by chance, are no overlap', async () => {
  const timeless = ndjson([{ msg: 'Server was started', logLevel: 'INFO' }]);
  expect(await add([file('a.ndjson', timeless), file('b.ndjson', `${timeless}\n`)])).toEqual([]);
  const proxy = (name: string) =>
    ndjson(logs(0, 20).map((each, at) => (at % 5 === 0 ? each : { ...each, msg: `${name} ${at}` })));
  expect(await add([file('one.ndjson', proxy('one')), file('two.ndjson', proxy('two'))], true)).toEqual([]);
  expect((await summary(into)).logs).toBe(42);
});

test('a case has each log as often as the file that has most of it', async () => {
  const copies = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 12 });
  const slice = fc.tuple(fc.nat(24), fc.nat(24));
  const group = fc.array(slice, { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(copies, fc.array(group, { minLength: 1, maxLength: 3 }), async (counts, groups) => {
      await into[Symbol.asyncDispose]();
      into = await reopened();
      const all = counts.flatMap((count, number) => Array.from({ length: count }, () => log(number)));
      const most = new Map<unknown, number>();
      let name = 0;
      for (const slices of groups) {
        const files = slices.map(([one, other]) => {
          const part = all.slice(Math.min(one, other), Math.max(one, other) + 1);
          const found = new Map<unknown, number>();
          for (const { msg } of part) found.set(msg, (found.get(msg) ?? 0) + 1);
          for (const [msg, count] of found) most.set(msg, Math.max(count, most.get(msg) ?? 0));
          const text = name % 3 === 0 ? page(part) : name % 3 === 1 ? ndjson(part) : csv(part);
          return file(`${name++}`, `${text}${'\n'.repeat(name)}`);
        });
        await add(files, true);
      }
      const expected = [...most].flatMap(([msg, count]) => Array.from({ length: count }, () => msg));
      expect(await messages()).toEqual(expected.toSorted());
      await sound();
    }),
    { numRuns: rounds(60) },
  );
});
