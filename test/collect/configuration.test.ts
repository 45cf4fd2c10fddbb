import { expect, test } from 'vitest';
import { readCollectConfiguration } from '../../src/collect/configuration.ts';

const path = '/etc/logquarry/collect.json';

function read(value: unknown) {
  return readCollectConfiguration(JSON.stringify(value), path);
}

const gis = { url: 'https://gis.example.com/arcgis', user: 'collector', passwordFile: 'pw' };

test('a source needs no more than how it is reached', () => {
  const found = read({ store: 'store', sources: { gis } });
  expect(found).toMatchObject({
    configuration: {
      store: '/etc/logquarry/store',
      retention: { age: undefined, bytes: undefined },
      minimumFree: 1e9,
      listen: undefined,
      sources: [
        {
          name: 'gis',
          connection: { url: gis.url, user: 'collector', passwordFile: '/etc/logquarry/pw' },
          interval: 300_000,
          settle: 60_000,
          overlap: 600_000,
          period: 'day',
        },
      ],
    },
  });
});

test('all that can be set is read', () => {
  const source = {
    profile: 'gis',
    search: 'msg:timeout',
    level: 'WARNING',
    interval: '90s',
    settle: '2m',
    overlap: '1h',
    backfill: '7d',
    maxRate: '30/m',
    period: 'week',
  };
  const found = read({
    store: '/srv/store',
    sources: { gis: source },
    retention: { age: '90d', bytes: '50GB' },
    minimumFree: '1.5GB',
    listen: '[::1]:9642',
  });
  expect(found).toMatchObject({
    configuration: {
      store: '/srv/store',
      sources: [
        {
          connection: { profile: 'gis' },
          filters: { search: 'msg:timeout', level: 'WARNING' },
          interval: 90_000,
          settle: 120_000,
          overlap: 3_600_000,
          backfill: 604_800_000,
          maxRate: 0.5,
          period: 'week',
        },
      ],
      retention: { age: 90 * 86_400_000, bytes: 50e9 },
      minimumFree: 1.5e9,
      listen: { host: '::1', port: 9642 },
    },
  });
});

test.each([
  [{ sources: { gis } }, 'store: is required'],
  [{ store: 's', sources: {} }, 'sources: must have at least one source'],
  [{ store: 's', sources: { gis: { ...gis, intervall: '5m' } } }, 'sources.gis.intervall: no such key'],
  [
    { store: 's', sources: { gis: { ...gis, interval: '5' } } },
    'sources.gis.interval: must be a duration from 1s, such as 90s, 30m, 2h, 7d or 1w, got "5"',
  ],
  [
    { store: 's', sources: { gis: { ...gis, settle: '1s' } } },
    'sources.gis.settle: must be a duration from 5s, such as 90s, 30m, 2h, 7d or 1w, got "1s"',
  ],
  [
    { store: 's', sources: { gis: { ...gis, level: 'INFOS' } } },
    'sources.gis.level: must be one of SEVERE, WARNING, INFO, FINE, VERBOSE, DEBUG, got "INFOS"',
  ],
  [
    { store: 's', sources: { gis: { ...gis, search: 'msg:(a' } } },
    'sources.gis.search: is a query that the deployment refuses: "logquarry check QUERY" says why, got "msg:(a"',
  ],
  [
    { store: 's', sources: { gis: { user: 'ann' } } },
    'sources.gis: must name how the deployment is reached: "profile", or "url" with "user" and "passwordFile"',
  ],
  [
    { store: 's', sources: { gis }, retention: { bytes: '50' } },
    'retention.bytes: must be a number of bytes such as 500MB, 50GB or 1.5TB, got "50"',
  ],
  [
    { store: 's', sources: { gis }, listen: 'here' },
    'listen: must be a port, or a host with a port such as "127.0.0.1:9642", got "here"',
  ],
])('a mistake is named by the path of its key: %j', (value, problem) => {
  expect(read(value)).toEqual({ problems: [problem] });
});

test('each mistake is named', () => {
  const found = read({ store: 1, sources: { gis: { ...gis, period: 'year' } } });
  expect(found).toEqual({
    problems: [
      'store: must be a text, got 1',
      'sources.gis.period: must be one of day, week, month, got "year"',
    ],
  });
});

test('a port alone is one of this machine', () => {
  expect(read({ store: 's', sources: { gis }, listen: '9642' })).toMatchObject({
    configuration: { listen: { host: '127.0.0.1', port: 9642 } },
  });
});

test('a text that is no JSON is said to be none', () => {
  expect(readCollectConfiguration('{', path)).toEqual({
    problems: [expect.stringContaining('It is no JSON')],
  });
});
