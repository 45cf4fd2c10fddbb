import { readFileSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Case, openCase, readCase } from '../../src/case/file/case.ts';
import { buildIndex, indexState, removeIndex } from '../../src/case/index/build.ts';
import { forgetSets } from '../../src/case/index/snapshot.ts';
import { addFile } from '../../src/case/loading/add-files.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { findBest } from '../../src/case/searching/best-logs.ts';
import { countByTime, timeSpan } from '../../src/case/searching/count-logs.ts';
import { countBy, countLogs, findLogs } from '../../src/case/searching/find-logs.ts';
import { streamContext } from '../../src/case/searching/logs-in-context.ts';
import { runSql } from '../../src/case/sql/run-sql.ts';
import { verifyCase } from '../../src/case/verify/verify.ts';
import { type Filter, matchAllFilter } from '../../src/language/meaning/filter.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { toSchema } from '../../src/language/meaning/schema.ts';
import { resolveScored } from '../../src/language/meaning/scored.ts';
import { parse } from '../../src/language/parse/parse.ts';
import type { Log } from '../../src/records/log.ts';
import type { LogCursor } from '../../src/records/log-order.ts';
import { nearIdsSql } from '../../src/word-index/log-conditions.ts';
import {
  addAll,
  addBytes,
  addId,
  bitsFor,
  copyOf,
  countIds,
  emptyBitmap,
  idsBetween,
  idsOf,
  keepOnly,
  removeAll,
} from '../../src/word-index/log-set.ts';
import { planIndexUse } from '../../src/word-index/search-index.ts';
import { readAnswers } from '../conformance/ndjson.ts';
import { sampled } from '../effort.ts';
import { largeTest } from '../large-test.ts';
import { tamperWith } from './tamper.ts';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-index-'));
  path = join(folder, 'case.duckdb');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

function query(text: string): Filter {
  return resolve(parse(text).query, { now: 0 });
}

/** Makes a case of logs with these messages, in one part each, and closes it. */
async function made(...parts: readonly (readonly Log[])[]): Promise<void> {
  await using into = await openCase(path, { access: 'write', create: true });
  for (const [part, logs] of parts.entries()) await addLogs(into, logs, { part: String(part) });
}

const tamper = (...statements: readonly string[]) => tamperWith(path, statements);

async function built(options = {}): Promise<void> {
  await using into = await openCase(path, { access: 'write' });
  await buildIndex(into, options);
}

async function ids(of: Case, text: string): Promise<readonly number[]> {
  return (await findLogs(of, query(text), { limit: 1e6, order: 'oldest' })).map(({ id }) => id);
}

const idSet = fc.uniqueArray(fc.nat(300));

describe('a set of ids', () => {
  const toSet = (of: readonly number[]) => {
    const set = emptyBitmap(bitsFor(300));
    for (const id of of) addId(set, id);
    return set;
  };
  const sorted = (of: Iterable<number>) => [...of].sort((a, b) => a - b);

  test('holds what was put in, and is combined as sets are', () => {
    fc.assert(
      fc.property(idSet, idSet, (some, others) => {
        const [left, right] = [toSet(some), toSet(others)];
        expect(idsOf(left)).toEqual(sorted(some));
        expect(countIds(left)).toBe(some.length);
        const [both, either, less] = [copyOf(left), copyOf(left), copyOf(left)];
        keepOnly(both, right);
        addAll(either, right);
        removeAll(less, right);
        expect(idsOf(both)).toEqual(sorted(some.filter((id) => others.includes(id))));
        expect(idsOf(either)).toEqual(sorted(new Set([...some, ...others])));
        expect(idsOf(less)).toEqual(sorted(some.filter((id) => !others.includes(id))));
        expect(idsOf(left)).toEqual(sorted(some));
      }),
    );
  });

  test('has all ids between two', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.nat(100), (first, more) => {
        const last = first + more;
        const expected = Array.from({ length: more + 1 }, (_, index) => first + index);
        expect(idsOf(idsBetween(first, last, bitsFor(last)))).toEqual(expected);
      }),
    );
  });

  test('takes bytes from a multiple of 8 on', () => {
    const set = emptyBitmap(bitsFor(100));
    addBytes(set, Uint8Array.of(0b1000_0001, 0b0100_0000), 40);
    expect(idsOf(set)).toEqual([40, 47, 49]);
  });

  test('has what it had and the bits of bytes that were put in, wherever they begin', () => {
    fc.assert(
      fc.property(idSet, fc.nat(20), fc.uint8Array({ maxLength: 16 }), fc.nat(4), (some, byte, all, from) => {
        const set = toSet(some);
        const bytes = all.subarray(from);
        addBytes(set, bytes, 8 * byte);
        const bits = [...bytes].flatMap((each) => [...each.toString(2).padStart(8, '0')]);
        const added = bits.flatMap((bit, index) => (bit === '1' ? [8 * byte + index] : []));
        expect(idsOf(set)).toEqual(sorted(new Set([...some, ...added])));
      }),
    );
  });
});

describe('a plan', () => {
  test.each([
    ['msg:timeout', ['msg:timeout']],
    ['machine:pod-1 OR thread:9', ['machine:pod-1 OR thread:9']],
    ['logCode:9003', ['logCode:9003']],
    ['timeout AND logCode:[9000 TO 9100}', ['timeout AND logCode:[9000 TO 9100}']],
    ['timeout AND elapsed:1', ['timeout'], true],
    ['elapsed:1', []],
    ['time:[2025 TO *]', ['time:[2025 TO *]'], false, false],
    ['*:*', ['*:*']],
  ])(
    '%s asks the index for what it knows',
    (text, known, isPart = false, asks = known.some((each) => each !== '*:*')) => {
      const plan = planIndexUse(query(text));
      expect(plan.known.size).toBe(known.length);
      expect(plan.known.has(plan.filter)).toBe(0 < known.length && !isPart);
      expect(plan.asksIndex).toBe(asks);
    },
  );
});

describe.each(sampled(['searches-documented.ndjson', 'searches-lucene.ndjson'], 1))('%s', (name) => {
  const search = v.object({
    id: v.number(),
    q: v.string(),
    ok: v.boolean(),
    hits: v.optional(v.array(v.number())),
  });

  test('is answered as measured by an index of some segments, which does not know the last logs', async () => {
    await using stored = await openCase(':memory:', { access: 'write' });
    const lines = readFileSync('test/conformance/logs.ndjson', 'utf8').split('\n');
    for (const [index, from] of [0, 400, 800].entries()) {
      const bytes = new TextEncoder().encode(lines.slice(from, from + 400).join('\n'));
      await addFile(stored, { name: `${index}.ndjson`, bytes });
      if (index < 2) await buildIndex(stored, { segmentBytes: 1 });
    }
    expect(await indexState(stored)).toMatchObject({ logs: 1000, indexed: 800, segments: 3 });
    for (const { q, hits = [] } of sampled(readAnswers(name, search).filter(({ ok }) => ok))) {
      const filter = resolve(parse(q).query);
      const found = await findLogs(stored, filter, { limit: 1000 });
      expect({ q, hits: found.map(({ id }) => id - 1).sort((a, b) => a - b) }).toEqual({ q, hits });
      expect(await countLogs(stored, filter)).toBe(hits.length);
    }
  });
});

test('booleans.ndjson is answered as measured by an index', async () => {
  const schema = toSchema([{ name: 'msg', type: 'text', about: 'the terms of a log' }], ['msg']);
  const answer = v.object({ query: v.string(), terms: v.array(v.string()), server: v.string() });
  const answers = sampled(readAnswers('booleans.ndjson', answer));
  await using stored = await openCase(':memory:', { access: 'write' });
  // Each set of terms is asked for by many queries: its subsets are logs once.
  const parts = new Map<string, { readonly first: number; readonly count: number }>();
  for (const { terms } of answers) {
    if (parts.has(terms.join(' '))) continue;
    const subsets = Array.from({ length: 2 ** terms.length }, (_, subset) =>
      terms.filter((_term, place) => subset & (1 << place)).join(' '),
    );
    parts.set(terms.join(' '), {
      first: 1 + (await countLogs(stored, matchAllFilter)),
      count: subsets.length,
    });
    await addLogs(
      stored,
      subsets.map((msg) => (msg === '' ? {} : { msg })),
      { part: terms.join(' ') },
    );
  }
  await buildIndex(stored);
  for (const { query: text, terms, server } of answers) {
    const found = await findLogs(stored, resolve(parse(text).query, { schema }), { limit: 1e4 });
    const { first, count } = parts.get(terms.join(' ')) ?? { first: 0, count: 0 };
    const selected = new Set(found.map(({ id }) => id));
    const table = Array.from({ length: count }, (_, index) => Number(selected.has(first + index))).join('');
    expect({ text, table }).toEqual({ text, table: server });
  }
});

describe('the index', () => {
  const logs = ['disk full', 'disk slow', 'all well'].map((msg, time): Log => ({ time, msg }));

  test('is what is searched where there is one, unless it is to be ignored', async () => {
    await made(logs);
    await built();
    // The words are removed from the log, which shows that the index answers.
    await tamper("UPDATE stored.logs SET msg = '' WHERE id = 1");
    {
      await using used = await openCase(path, { access: 'read' });
      expect(await ids(used, 'msg:full')).toEqual([1]);
    }
    await using ignored = await openCase(path, { access: 'read', tokenIndex: 'ignored' });
    expect(await ids(ignored, 'msg:full')).toEqual([]);
  });

  test('covers what was there when it was built; what comes later is found as well', async () => {
    await made(logs);
    await built();
    await using into = await openCase(path, { access: 'write' });
    expect(await countLogs(into, query('msg:disk'))).toBe(2);
    await addLogs(into, [{ time: 9, msg: 'disk gone' }], { part: 'later' });
    expect(await indexState(into)).toEqual({ logs: 4, indexed: 3, tokens: 6, segments: 1 });
    expect(await ids(into, 'msg:disk')).toEqual([1, 2, 4]);
    expect(await ids(into, 'NOT msg:disk')).toEqual([3]);
    // A small last segment is made anew, so that there are few of them.
    expect(await buildIndex(into)).toEqual({ logs: 4, indexed: 4, tokens: 8, segments: 1 });
    expect(await ids(into, 'msg:disk')).toEqual([1, 2, 4]);
    await removeIndex(into);
    expect(await indexState(into)).toEqual({ logs: 4, indexed: 0, tokens: 0, segments: 0 });
    expect(await ids(into, 'msg:disk')).toEqual([1, 2, 4]);
  });

  test('finds long phrases whose rarest word is at the start of another log', async () => {
    const many = Array.from({ length: 500 }, (): Log => ({ msg: 'other' }));
    await made([{ msg: 'a b c d e f rare' }, { msg: 'rare a b c d e f' }, { msg: 'a b c d e f' }, ...many]);
    await built();
    await using used = await openCase(path, { access: 'read' });
    expect(await ids(used, 'msg:"a b c d e f rare"')).toEqual([1]);
    expect(await ids(used, 'msg:"rare a b c d e f"')).toEqual([2]);
    expect(await ids(used, 'msg:"b c d e"')).toEqual([1, 2, 3]);
  });

  const damages: readonly (readonly [string, string[]])[] = [
    [
      'a damaged page',
      ["UPDATE stored.segment_1 SET bytes = ('a' || repeat('\\x07', 50))::BLOB WHERE rowid = 0"],
    ],
    ['a page too few', ['DELETE FROM stored.segment_1']],
    ['no table of pages', ['DROP TABLE stored.segment_1']],
    ['a damaged head', ["UPDATE stored.segments SET head = '\\x07\\xff\\xff'::BLOB"]],
    ['a head that is cut', ["UPDATE stored.segments SET head = ''::BLOB"]],
    ['no head', ['UPDATE stored.segments SET head = NULL']],
    ['no number', ['UPDATE stored.segments SET segment = NULL']],
    ['another first id', ['UPDATE stored.segments SET first_id = 2']],
    [
      'the pages of another segment',
      [
        'CREATE TABLE stored.segment_2 (bytes BLOB USING COMPRESSION uncompressed)',
        'INSERT INTO stored.segment_2 FROM stored.segment_1',
        "UPDATE stored.segment_2 SET bytes = bytes || '\\x01'::BLOB",
        'UPDATE stored.segments SET segment = 2',
        'DROP TABLE stored.segment_1',
      ],
    ],
  ];

  test.each(sampled(damages, 1))(
    'with %s answers as without it, is reported, and is made anew',
    async (_, damage) => {
      await made(logs);
      await built();
      await tamper(...damage);
      const texts = ['msg:disk', 'msg:"disk full"', 'msg:d*', 'msg:fall~1', 'NOT msg:well', 'msg:[a TO e]'];
      {
        await using of = await openCase(path, { access: 'read' });
        await using ignored = await openCase(path, { access: 'read', tokenIndex: 'ignored' });
        for (const text of texts) expect(await ids(of, text)).toEqual(await ids(ignored, text));
        const best = resolveScored(parse('disk OR full').query);
        expect(await findBest(of, best, { limit: 9 })).toEqual(await findBest(ignored, best, { limit: 9 }));
        const codes = (await verifyCase(of)).deviations.map(({ code }) => code);
        expect(codes).toContain('INDEX_ALTERED');
      }
      await using into = await openCase(path, { access: 'write' });
      await removeIndex(into);
      expect(await buildIndex(into)).toMatchObject({ logs: 3, indexed: 3, segments: 1 });
      for (const text of texts) expect((await ids(into, text)).length).toBeGreaterThan(0);
      expect((await verifyCase(into)).deviations).toEqual([]);
    },
  );

  test('of another format answers nothing, and is made anew', async () => {
    await made(logs);
    await built();
    // A head of the first format: no fields, no pages, and its checksum.
    const head = Buffer.from([0, 0]);
    const sum = crc32(head);
    const bytes = [0, 7, 14, 21].map((shift) => ((sum >>> shift) & 0x7f) | 0x80);
    const hex = Buffer.from([...head, ...bytes, sum >>> 28]).toString('hex');
    await tamper(`UPDATE stored.segments SET head = unhex('${hex}')`);
    {
      await using of = await openCase(path, { access: 'read' });
      expect(await indexState(of)).toMatchObject({ logs: 3, indexed: 0, segments: 0 });
      expect(await ids(of, 'msg:disk')).toEqual([1, 2]);
      expect((await verifyCase(of)).deviations).toEqual([]);
    }
    await built();
    await using of = await openCase(path, { access: 'read' });
    expect(await indexState(of)).toMatchObject({ logs: 3, indexed: 3, segments: 1 });
    expect((await verifyCase(of)).deviations).toEqual([]);
  });

  test('is in the record of actions', async () => {
    await made(logs);
    await built();
    const { rows } = await runSql(path, "SELECT details FROM actions WHERE action = 'index logs'");
    expect(rows).toEqual([[{ firstId: 1, lastId: 3, logs: 3, tokens: 6 }]]);
  });

  test('is built in segments, and goes on where it was interrupted', async () => {
    const many = Array.from({ length: 10_000 }, (_, time): Log => ({ time, msg: `word ${time}` }));
    await made(many);
    await using into = await openCase(path, { access: 'write' });
    const ending = new AbortController();
    const building = buildIndex(into, {
      segmentBytes: 1,
      signal: ending.signal,
      onProgress: ({ done }) => 4000 < done && ending.abort(new Error('enough')),
    });
    await expect(building).rejects.toThrow('enough');
    const { indexed } = await indexState(into);
    expect(indexed).toBeGreaterThan(4000);
    expect(indexed).toBeLessThan(10_000);
    expect(await countLogs(into, query('msg:word'))).toBe(10_000);
    expect(await buildIndex(into)).toMatchObject({ indexed: 10_000 });
    expect(await ids(into, 'msg:"word 7777"')).toEqual([7778]);
    expect((await verifyCase(into)).deviations).toEqual([]);
  });

  largeTest('finds hostile tokens, each by itself', async () => {
    const words = [
      "'",
      "o'clock",
      'x'.repeat(255),
      'x'.repeat(254),
      '\u0000a',
      'ａ',
      'ß',
      '\ud83d\ude00',
      '中',
      'cafe\u0301',
      'ab',
      '%',
      'null',
      'a_b',
    ];
    await made(words.map((msg, time) => ({ time, msg })));
    await built();
    await using used = await openCase(path, { access: 'read' });
    for (const word of [...words, '\ud800', 'x'.repeat(253)]) {
      const field = { name: 'msg', type: 'text', about: '' } as const;
      for (const filter of [
        { kind: 'term', field, term: word },
        { kind: 'prefix', field, prefix: word },
        { kind: 'phrase', field, terms: [word, 'b'], slop: 0 },
      ] satisfies Filter[]) {
        await using other = await openCase(path, { access: 'read', tokenIndex: 'ignored' });
        expect(await findLogs(used, filter, { limit: 99 })).toEqual(
          await findLogs(other, filter, { limit: 99 }),
        );
      }
    }
  });

  test.each([[[]], [[3]], [[2, 5]], [[1, 8, 4]]])(
    'finds just the logs %j by a set of bits',
    async (wanted) => {
      await made(Array.from({ length: 8 }, (): Log => ({ msg: 'hit' })));
      await using of = await openCase(path, { access: 'read' });
      const found = await readCase(of, (connection) =>
        connection.runAndReadAll(
          `SELECT id::INTEGER FROM stored.logs WHERE ${nearIdsSql(wanted)} ORDER BY id`,
        ),
      );
      expect(found.getRowsJS().flat()).toEqual(wanted.toSorted((one, other) => one - other));
    },
  );

  test('picks the newest of many hits, on pages that stay the same', async () => {
    const many = Array.from(
      { length: 6000 },
      (_, index): Log => ({ time: (index * 7919) % 6007, msg: 'hit' }),
    );
    await made(many);
    await built();
    await using used = await openCase(path, { access: 'read' });
    await using ignored = await openCase(path, { access: 'read', tokenIndex: 'ignored' });
    let after: LogCursor | undefined;
    for (let page = 0; page < 4; page++) {
      const options = { limit: 150, ...(after && { after }) };
      const found = await findLogs(used, query('msg:hit'), options);
      expect(found).toEqual(await findLogs(ignored, query('msg:hit'), options));
      const last = found.at(-1);
      after = last && { id: last.id, time: last.log.time ?? 0 };
    }
    expect(await findLogs(used, query('msg:hit'), { limit: 20, offset: 300, order: 'oldest' })).toEqual(
      await findLogs(ignored, query('msg:hit'), { limit: 20, offset: 300, order: 'oldest' }),
    );
  });
});

describe('in a case of some thousand logs, with dense chunks and more than one segment', () => {
  const levels = ['INFO', 'FINE', 'WARNING', 'SEVERE'];
  // Frequent at the start and at the end, and rare between them.
  const isFull = (number: number) => number < 2500 || 10_300 <= number;
  const many = (count: number, first: number) =>
    Array.from({ length: count }, (_, index): Log => {
      const number = first + index;
      return {
        time: 1000 * ((number * 7919) % 20_011),
        logLevel: levels[number % 7 === 0 ? 3 : number % 3] ?? 'INFO',
        logCode: 9000 + (number % 10),
        msg: `request ${number % 5 ? 'completed' : 'timed out'} after ${number % 97} ms, id ${number}${isFull(number) ? ': disk full' : ''}`,
        ...(number % 11 === 0 && { stackTraces: `at com.vendor.Request.run(Request.java:${number % 50})` }),
      };
    });

  // It is only read.
  let shared: string;
  let used: Case;
  let ignored: Case;
  beforeAll(async () => {
    shared = await mkdtemp(join(tmpdir(), 'logquarry-index-'));
    await using into = await openCase(join(shared, 'case.duckdb'), { access: 'write', create: true });
    for (const part of [0, 1, 2]) {
      await addLogs(into, many(6000, 6000 * part), { part: String(part) });
      // The first build makes one segment, the second several.
      if (part < 2) await buildIndex(into, { segmentBytes: part === 0 ? 1e9 : 1e5 });
    }
    expect(await indexState(into)).toMatchObject({ logs: 18_000, indexed: 12_000 });
    await into[Symbol.asyncDispose]();
    used = await openCase(join(shared, 'case.duckdb'), { access: 'read' });
    ignored = await openCase(join(shared, 'case.duckdb'), { access: 'read', tokenIndex: 'ignored' });
  });
  afterAll(async () => {
    await used[Symbol.asyncDispose]();
    await ignored[Symbol.asyncDispose]();
    await rm(shared, { recursive: true, force: true });
  });

  const queries = [
    'request',
    'msg:completed',
    'msg:"timed out"',
    'msg:"completed after"',
    'msg:"out request"',
    'msg:"request timed out after 7"',
    'msg:"7 ms id"',
    'msg:"id 1234"',
    'msg:"disk full"',
    'msg:"timed disk"',
    'msg:completed AND msg:"completed after 3"',
    'NOT msg:timed AND NOT msg:"request timed"',
    'msg:17 OR msg:"after 17 ms"',
    'msg:"request out"~2',
    'msg:123*',
    'msg:comp*ed',
    'msg:/(timed|completed)/',
    'msg:complted~1',
    'msg:[b TO d]',
    'msg:*1*',
    'NOT msg:completed',
    'NOT xyzzy',
    'msg:completed AND NOT logLevel:FINE',
    'msg:completed AND time:[1970-01-01T01:00 TO 1970-01-01T02:00]',
    'msg:completed AND time:[1970-01-01T00:10 TO 1970-01-01T05:00]',
    'msg:timed AND NOT time:[1970-01-01T00:10 TO 1970-01-01T05:00]',
    'msg:timed AND logCode:[9003 TO 9005]',
    'logLevel:SEVERE OR logCode:9001',
    'request.java AND 17',
    'msg:id AND stackTraces:*',
    'severe',
  ];

  test.each(sampled(queries, 6))('%s selects the same as without', async (text) => {
    const filter = query(text);
    const both = async <T>(ask: (of: Case) => Promise<T>) =>
      expect(await ask(used)).toEqual(await ask(ignored));
    await both((of) => countLogs(of, filter));
    await both((of) => findLogs(of, filter, { limit: 50 }));
    await both((of) => findLogs(of, filter, { limit: 2000, order: 'oldest', offset: 7 }));
    await both((of) => countBy(of, 'logCode', filter));
    await both((of) => timeSpan(of, filter));
    await both((of) => countByTime(of, filter, { every: 60_000 }));
    await both((of) => countByTime(of, filter, { every: 3_600_000, by: 'logLevel' }));
    await both(async (of) => {
      const found = [];
      for await (const log of streamContext(of, filter, { around: 2, limit: 5 })) found.push(log);
      return found;
    });
    // They are not the same because of the cache.
    forgetSets(used);
    await both((of) => countByTime(of, filter, { every: 1000 }));
    const { rows } = await runSql(used.path, `SELECT count(*) FROM logs WHERE matches('${text}')`);
    expect(rows).toEqual([[await countLogs(ignored, filter)]]);
  });
});

describe('verify names an index that was altered', () => {
  let sound: string;
  beforeAll(async () => {
    sound = await mkdtemp(join(tmpdir(), 'logquarry-index-'));
    const many = Array.from({ length: 1500 }, (_, time): Log => ({ time, msg: `disk ${time}` }));
    await using into = await openCase(join(sound, 'case.duckdb'), { access: 'write', create: true });
    await addLogs(into, many, { part: '0' });
    await buildIndex(into);
    expect((await verifyCase(into)).deviations).toEqual([]);
  });
  beforeEach(() => copyFile(join(sound, 'case.duckdb'), path));
  afterAll(() => rm(sound, { recursive: true, force: true }));

  const alterations = [
    [
      'a page with another byte',
      "UPDATE stored.segment_1 SET bytes = '\\x00'::BLOB || bytes[2:] WHERE rowid = 0",
    ],
    ['a page that is cut off', 'UPDATE stored.segment_1 SET bytes = bytes[:100] WHERE rowid = 0'],
    ['a page that is gone', 'DELETE FROM stored.segment_1'],
    ['a page too many', "INSERT INTO stored.segment_1 VALUES ('\\x00'::BLOB)"],
    ['another number of tokens', 'UPDATE stored.segments SET tokens = tokens + 1'],
    ['another number of logs', 'UPDATE stored.segments SET logs = logs + 1'],
    ['a head that is cut off', 'UPDATE stored.segments SET head = head[:20]'],
    ['a head that is gone', 'UPDATE stored.segments SET head = NULL'],
    ['words of a log that are others now', "UPDATE stored.logs SET msg = 'b' WHERE id = 2"],
    ['a segment that has lost its beginning', 'UPDATE stored.segments SET first_id = 2'],
    ['a segment that ends far beyond the logs', 'UPDATE stored.segments SET last_id = 9000000000000000000'],
    ['a table that is gone', 'DROP TABLE stored.segment_1'],
  ] as const;

  test.each(sampled(alterations, 2))('%s', async (_name, statement) => {
    await tamper(statement);
    {
      await using of = await openCase(path, { access: 'read' });
      const codes = (await verifyCase(of)).deviations.map(({ code }) => code);
      expect(codes).toContain('INDEX_ALTERED');
    }
    await using of = await openCase(path, { access: 'write' });
    await removeIndex(of);
    await buildIndex(of);
    expect((await verifyCase(of)).deviations.map(({ code }) => code)).not.toContain('INDEX_ALTERED');
    expect(await countLogs(of, matchAllFilter)).toBe(1500);
  });

  test('a log with an id beyond all others, and the segment too', async () => {
    await tamper('UPDATE stored.logs SET id = 9000000000 WHERE id = 1500');
    await tamper('UPDATE stored.segments SET last_id = 9000000000');
    await using of = await openCase(path, { access: 'read' });
    const [found] = (await verifyCase(of)).deviations.filter(({ code }) => code === 'INDEX_ALTERED');
    expect(found?.message).toContain('The id 9000000000 of a log is too large');
    expect(await countLogs(of, query('msg:disk'))).toBe(1500);
  });
});
