import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jobIdsOf } from '../../src/protocol/export-jobs.ts';
import { logPageOf, logSettingsOf, toLogSettingsForm } from '../../src/protocol/logs.ts';
import { isReady, microserviceStatusOf, microservicesOf } from '../../src/protocol/microservice.ts';
import { uploadOf, uploadsOf } from '../../src/protocol/uploads.ts';
import { rounds } from '../effort.ts';

const readers = [
  logSettingsOf,
  logPageOf,
  jobIdsOf,
  uploadOf,
  uploadsOf,
  microservicesOf,
  microserviceStatusOf,
] as const;

/** Members that the shapes know, with values of any kind, so that most bodies are nearly right. */
const names = [
  ...['messages', 'total', 'nextStart', 'start', 'num', 'query', 'logLevel', 'maxLogAgeDays', 'settings'],
  ...['jobs', 'jobid', 'uploadItems', 'items', 'itemID', 'date', 'deployments', 'deploymentId', 'id'],
  ...['currentState', 'readyReplicas', 'totalReplicas', '__proto__'],
];
const scalar = fc.oneof(
  fc.constantFrom<unknown>(null, '', '7', '-1', ' 12 ', '1e3', 0, -1, 1.5, 2 ** 53, 1e300, true),
  fc.string(),
);
const body = fc.letrec<{ value: unknown; object: unknown }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, scalar, fc.array(tie('value'), { maxLength: 3 }), tie('object')),
  object: fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 6 }),
})).value;

/** Bodies that are read, one for each reader. */
const readable = {
  logSettingsOf: { logLevel: 'INFO' },
  logPageOf: { messages: [], total: 0 },
  jobIdsOf: { jobs: ['j1'] },
  uploadOf: { itemID: 'i1' },
  uploadsOf: { uploadItems: [{ itemID: 'i1' }] },
  microservicesOf: { deployments: [{ id: 'k1' }] },
  microserviceStatusOf: { currentState: 'STARTED' },
};

test('no reader throws, whatever a deployment answers', () => {
  for (const read of readers) expect(read(readable[read.name as keyof typeof readable])).toBeDefined();
  // Some or all members of one that is read have other values.
  const nearly = fc
    .tuple(fc.constantFrom(...Object.values(readable)), body)
    .map(([read, other]) => ({ ...read, ...(other as object) }));
  fc.assert(
    fc.property(fc.oneof(body, nearly), (each) => {
      for (const read of readers) read(JSON.parse(JSON.stringify(each ?? null)));
    }),
    { numRuns: rounds(3000) },
  );
});

describe('a page of logs', () => {
  test('keeps every object in its order, and counts what is none', () => {
    const item = fc.oneof(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.constantFrom(null, 'text', 7),
      fc.constant([]),
    );
    fc.assert(
      fc.property(fc.array(item), (items) => {
        const page = logPageOf(JSON.parse(JSON.stringify({ messages: items })));
        expect(page?.messages.length).toBe(items.length - (page?.unreadable ?? 0));
        const objects = items.filter((each) => each !== null && typeof each === 'object');
        const records = objects.filter((each) => !Array.isArray(each));
        expect(JSON.stringify(page?.messages)).toBe(JSON.stringify(records));
      }),
      { numRuns: rounds(300) },
    );
  });

  test.each<[unknown, object | undefined]>([
    [
      { messages: [], total: '3', nextStart: '2' },
      { messages: [], unreadable: 0, total: 3, nextStart: 2 },
    ],
    [
      { messages: null, total: 0, nextStart: -1 },
      { messages: [], unreadable: 0, total: 0 },
    ],
    [{ total: 4 }, { messages: [], unreadable: 0, total: 4 }],
    [
      { messages: [], total: -1, nextStart: 0 },
      { messages: [], unreadable: 0 },
    ],
    [
      { messages: [], total: 1.5, nextStart: 'next' },
      { messages: [], unreadable: 0 },
    ],
    [
      { messages: [], total: 2 ** 60 },
      { messages: [], unreadable: 0 },
    ],
    [{ messages: 'none' }, undefined],
    [{ status: 'success' }, undefined],
    [[], undefined],
  ])('is read from %j', (given, page) => {
    expect(logPageOf(given)).toEqual(page);
  });
});

describe('log settings', () => {
  test.each<[unknown, object | undefined]>([
    [
      { maxLogAgeDays: 60, logLevel: 'INFO', lastModified: 1597076095038 },
      { logLevel: 'INFO', maxLogAgeDays: 60, lastModified: 1597076095038, others: {} },
    ],
    [{ logLevel: 'FINE' }, { logLevel: 'FINE', others: {} }],
    [{ settings: { logLevel: 'FINE' } }, { logLevel: 'FINE', others: {} }],
    [
      { logLevel: ' LOUD ', maxLogAgeDays: '45' },
      { logLevel: 'LOUD', maxLogAgeDays: 45, others: {} },
    ],
    [
      { logLevel: 'INFO', maxLogAgeDays: 'many' },
      { logLevel: 'INFO', others: {} },
    ],
    [
      { logLevel: 'INFO', reports: 5, on: true, nested: { a: 1 }, none: null },
      { logLevel: 'INFO', others: { reports: 5, on: true } },
    ],
    [{ logLevel: '' }, undefined],
    [{}, undefined],
  ])('are read from %j', (given, settings) => {
    expect(logSettingsOf(given)).toEqual(settings);
  });

  test('an edit sends back what it does not know', () => {
    const settings = logSettingsOf({ logLevel: 'INFO', maxLogAgeDays: 60, lastModified: 1, reports: 5 });
    const form = settings && toLogSettingsForm({ ...settings, logLevel: 'DEBUG' });
    expect(Object.fromEntries(form ?? [])).toEqual({
      logLevel: 'DEBUG',
      maxLogAgeDays: '60',
      reports: '5',
      f: 'json',
    });
  });
});

test('jobs are identifiers, or objects that have one, each once', () => {
  expect(jobIdsOf({ jobs: ['j1', { jobid: 'j2', status: 'COMPLETED' }, 'j1'] })).toEqual(['j1', 'j2']);
  expect(jobIdsOf({ jobs: [''] })).toBeUndefined();
  expect(jobIdsOf({ jobs: {} })).toBeUndefined();
});

test('uploads are listed under either name, with what they tell of themselves', () => {
  const item = { itemID: 'i1', itemName: 'a.json', date: '1617830603223', description: null };
  const read = { itemID: 'i1', itemName: 'a.json', date: 1617830603223 };
  expect(uploadsOf({ uploadItems: [item] })).toEqual([read]);
  expect(uploadsOf({ items: [item] })).toEqual([read]);
  expect(uploadOf({ ...item, committed: 'yes', contentType: 'text/plain', size: '7' })).toEqual({
    ...read,
    contentType: 'text/plain',
    size: 7,
  });
  expect(uploadsOf({ uploadItems: [{ itemName: 'a.json' }] })).toBeUndefined();
});

describe('a microservice', () => {
  test('has an identifier under either name', () => {
    const found = microservicesOf({
      deployments: [{ deploymentId: 'k1', name: 'a', mode: 7 }, { id: 'k2' }],
    });
    expect(found).toEqual([{ id: 'k1', name: 'a', mode: '7' }, { id: 'k2' }]);
  });

  test.each<[unknown, boolean | undefined]>([
    [{ currentState: 'STARTED', readyReplicas: 1, totalReplicas: 1 }, true],
    [{ currentState: 'started', readyReplicas: '2', totalReplicas: '2' }, true],
    [{ currentState: 'STARTED' }, true],
    [{ readyReplicas: 0, totalReplicas: 0 }, true],
    [{ currentState: 'STARTED', readyReplicas: 1, totalReplicas: 2 }, false],
    [{ currentState: 'STARTED', totalReplicas: 1 }, false],
    [{ currentState: 'STOPPED', readyReplicas: 0, totalReplicas: 0 }, false],
    [{ name: 'a' }, undefined],
  ])('with the status %j is ready: %s', (given, ready) => {
    const status = microserviceStatusOf(given);
    expect(status && isReady(status)).toBe(ready);
  });
});
