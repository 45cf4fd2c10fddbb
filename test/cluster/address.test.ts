import { describe, expect, test } from 'vitest';
import { isClusterAddress, parseClusterAddress } from '../../src/cluster/address.ts';
import { run } from '../cli/run-in-process.ts';

describe('an address', () => {
  test.each([
    ['clickhouse://127.0.0.1/gis', { origin: 'http://127.0.0.1:8123', database: 'gis' }],
    ['clickhouse://localhost', { origin: 'http://localhost:8123', database: 'logquarry' }],
    ['clickhouse://[::1]:9/', { origin: 'http://[::1]:9', database: 'logquarry' }],
    ['clickhouse://logs.example.com/gis', { origin: 'https://logs.example.com:8443', database: 'gis' }],
    [
      'clickhouse://logs.example.com:80/gis?secure=false',
      { origin: 'http://logs.example.com:80', database: 'gis' },
    ],
    [
      'CLICKHOUSE://an%20alyst@logs.example.com:9440/a%20b?deployment=prod',
      { origin: 'https://logs.example.com:9440', user: 'an alyst', database: 'a b', deployment: 'prod' },
    ],
  ])('%s', (text, expected) => {
    expect(isClusterAddress(text)).toBe(true);
    expect(parseClusterAddress(text)).toMatchObject(expected);
  });

  test.each([
    ['http://localhost/x', 'must be like'],
    ['clickhouse://', 'must be like'],
    ['clickhouse://user:s3cret@localhost/x', 'has a password'],
    ['clickhouse://localhost/%zz', 'begins no escape'],
    ['clickhouse://localhost/x?ssl=1', 'unknown parameter "ssl"'],
    ['clickhouse://localhost/x?secure=1', 'secure=true or secure=false'],
    ['clickhouse://localhost/x?deployment=', 'empty deployment'],
    ['clickhouse://localhost/x?shards=some', 'shards=available or shards=all'],
    ['clickhouse://localhost/x#y', 'after "#"'],
    ['clickhouse://localhost:81234/x', 'its port is 81234, and the last one is 65535'],
    ['clickhouse://localhost/x?deployment=a&deployment=b', 'the parameter "deployment" more than once'],
  ])('%s is refused', (text, problem) => {
    expect(() => parseClusterAddress(text)).toThrow(problem);
    expect(() => parseClusterAddress(text)).not.toThrow('s3cret');
  });

  test('a refused one is wrong usage', async () => {
    const { code, err } = await run(['cluster', 'status', 'clickhouse://user:s3cret@localhost/x']);
    expect(code).toBe(2);
    expect(err).toContain('LOGQUARRY_CLUSTER_PASSWORD');
    expect(err).not.toContain('s3cret');
  });
});

test('the statements of a cluster are printed', async () => {
  const { code, out } = await run(
    'cluster init clickhouse://localhost/g`is --cluster logs --replicated --keep 400d --print'.split(' '),
  );
  expect(code).toBe(0);
  const statements = out.trim().split(';\n');
  expect(statements[0]).toBe('CREATE DATABASE IF NOT EXISTS `g\\`is` ON CLUSTER `logs`');
  expect(out).toContain(
    'ENGINE = ReplicatedMergeTree PARTITION BY intDiv(if(time BETWEEN 0 AND 4294967295000, intDiv(time, 1000), toUnixTimestamp(added)), 86400) ORDER BY (deployment, time, id) TTL',
  );
  expect(out).toContain('+ toIntervalDay(400)');
  expect(out).toContain(
    'ENGINE = Distributed(`logs`, `g\\`is`, log_rows_local, intHash64(intDiv(id, 8192)))',
  );
  for (const each of statements) expect(each).toContain('ON CLUSTER `logs`');
});

test('without Keeper the statements are those of each server', async () => {
  const words = 'cluster init clickhouse://localhost/gis --cluster logs --print --each-server'.split(' ');
  const { code, out } = await run(words);
  expect([code, out]).toEqual([0, expect.not.stringContaining('ON CLUSTER')]);
  expect(out).toContain('ENGINE = Distributed(`logs`, `gis`, loads_local, place)');
  expect((await run(words.filter((word) => word !== '--print'))).code).toBe(2);
  expect((await run([...words, '--replicated'])).code).toBe(2);
});

test.each(['0', '400h', '1.5d', '-1', '100000'])('--keep %s is refused', async (keep) => {
  const { code, err } = await run([
    'cluster',
    'init',
    'clickhouse://localhost/x',
    '--print',
    `--keep=${keep}`,
  ]);
  expect(code).toBe(2);
  expect(err).toContain(`got "${keep}"`);
});
