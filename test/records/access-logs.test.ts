import { expect, test } from 'vitest';
import { readAll } from './check-reading.ts';

const time = Date.UTC(2025, 2, 12, 8, 0, 1);

/** Records as nginx ("log_format … escape=json"), Envoy ("json_format") and Traefik write them, by their documents. */
const written: readonly (readonly [string, object, object, object])[] = [
  [
    'nginx with its request whole',
    {
      ...{ time_local: '12/Mar/2025:09:00:01 +0100', remote_addr: '192.0.2.9', remote_user: 'mira' },
      ...{ request: 'GET /rest?f=json HTTP/1.1', status: '502', request_time: '0.250' },
    },
    { time, msg: 'GET /rest?f=json HTTP/1.1 502', username: 'mira', elapsed: 0.25, source: 'access log' },
    { remote_addr: '192.0.2.9', status: '502' },
  ],
  [
    'nginx with its request in parts',
    { time_iso8601: '2025-03-12T08:00:01+00:00', request_method: 'GET', uri: '/rest', status: 200 },
    { time, msg: 'GET /rest 200', source: 'access log' },
    { request_method: 'GET', status: 200 },
  ],
  [
    'Envoy',
    {
      ...{ start_time: '2025-03-12T08:00:01.000Z', method: 'GET', path: '/rest', protocol: 'HTTP/2' },
      ...{ response_code: 0, response_flags: 'DC', duration: 12 },
    },
    { time, msg: 'GET /rest HTTP/2 0', elapsed: 0.012, source: 'access log' },
    { method: 'GET', response_flags: 'DC' },
  ],
  [
    'Traefik',
    {
      ...{ ClientHost: '192.0.2.9', DownstreamStatus: 404, Duration: 2_500_000, RequestMethod: 'GET' },
      ...{
        RequestPath: '/rest',
        RequestProtocol: 'HTTP/1.1',
        level: 'info',
        msg: '',
        time: '2025-03-12T08:00:01Z',
      },
    },
    { time, msg: 'GET /rest HTTP/1.1 404', elapsed: 0.0025, logLevel: 'INFO', source: 'access log' },
    { ClientHost: '192.0.2.9' },
  ],
];

test.each(written)('%s: a request, not a log without a message', async (_, record, log, extra) => {
  const line = JSON.stringify(record);
  const docker = JSON.stringify({ log: `${line}\n`, stream: 'stdout', time: '2026-01-01T00:00:00Z' });
  for (const text of [line, docker]) {
    const { records } = await readAll(`${text}\n`.repeat(3));
    expect(records).toHaveLength(3);
    expect(records[2]).toMatchObject({ kind: 'log', log, extra });
    expect(records[2]).not.toHaveProperty('log.methodName');
  }
});

test.each<[string, object]>([
  [
    'a message beside a status',
    { time: 1_741_766_401_000, msg: 'done', method: 'GET', path: '/x', status: 200 },
  ],
  ['a status of a job', { time: 1_741_766_401_000, request: 'rebuild', status: 'done' }],
  ['a number that is no status', { time: 1_741_766_401_000, method: 'run', path: '/x', status: 7 }],
])('%s is no access log', async (_, record) => {
  const { records } = await readAll(`${JSON.stringify(record)}\n`);
  expect(records[0]).not.toHaveProperty('log.source');
});
