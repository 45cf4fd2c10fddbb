import { describe, expect, test } from 'vitest';
import {
  describeRequests,
  exportedOnly,
  openCase,
  saveExportChanges,
  saveJob,
} from '../../src/case/index.ts';

const form = {
  num: '1000',
  stackTraces: 'true',
  sortBy: 'time',
  sortOrder: 'desc',
  f: 'json',
  startTime: '7',
};

describe('the filter of requests', () => {
  test.each([
    [[{}], undefined],
    [[{ logLevel: 'DEBUG' }], undefined],
    [[{ searchQuery: '*' }], undefined],
    [[{ logLevel: 'SEVERE' }], 'logLevel:SEVERE'],
    [[{ logLevel: 'info' }], 'logLevel:(SEVERE OR WARNING OR INFO)'],
    // Beside a query, a level selects nothing.
    [[{ searchQuery: 'msg:timeout', logLevel: 'SEVERE' }], 'msg:timeout'],
    [[{ searchQuery: 'a OR b', users: 'ann,bob' }], '(a OR b) AND username:(ann OR bob)'],
    [[{ source: 'a/"b".MapServer', logCode: '9000' }], 'logCode:9000 AND source:"a/\\"b\\".MapServer"'],
    [[{ logLevel: 'SEVERE' }, { logLevel: 'SEVERE' }], 'logLevel:SEVERE'],
    [[{ logLevel: 'SEVERE' }, { users: 'ann' }], '(logLevel:SEVERE) or (username:ann)'],
  ])('%j is %s', (requests, query) => {
    const only = describeRequests(requests.map((each) => ({ ...form, ...each })));
    expect(only).toBe(query === undefined ? undefined : `only logs that match ${query} were exported`);
  });

  test('is said of some times where others have all logs', () => {
    expect(describeRequests([{ logLevel: 'SEVERE' }, form])).toBe(
      'only logs that match logLevel:SEVERE were exported of some times, all of others',
    );
  });
});

test('a case knows it from its exports, and from jobs of their own', async () => {
  await using into = await openCase(':memory:', { access: 'write' });
  expect(await exportedOnly([into])).toBeUndefined();
  const times = { oldest: 0, newest: 9, started: 0 };
  const facts = { deployment: 'https://gis.example.com/admin', settings: {}, learnt: {} };
  const stored = { ...times, ...facts, export: 1, request: { ...form, logLevel: 'SEVERE' } };
  await saveExportChanges(into, () => ({ export: stored }));
  expect(await exportedOnly([into])).toBe('only logs that match logLevel:SEVERE were exported');
  await saveJob(into, {
    id: 'j1',
    address: 'https://gis.example.com/admin/jobs/j1',
    state: 'COMPLETED',
    request: { ...form, users: 'ann' },
    submitted: 1,
    updated: 2,
  });
  expect(await exportedOnly([into])).toContain('(logLevel:SEVERE) or (username:ann)');
});
