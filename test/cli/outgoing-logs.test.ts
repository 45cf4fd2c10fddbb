import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatLogs } from '../../src/cli/output/log-output.ts';
import { toStyle } from '../../src/cli/terminal/text.ts';
import { run } from './run-in-process.ts';

const record = {
  time: 1741766400123,
  logLevel: 'SEVERE',
  logCode: 9003,
  msg: 'Timed out \u001b[31m"after" 60 s\nsecond line',
  source: 'Basemaps/Streets.MapServer',
  serviceTypes: 'MapServer',
  className: 'com.vendor.gis.Map',
  methodName: 'draw',
  username: 'jdoe',
  machine: 'streets-59c7bd8f46-zl5fp',
  process: '14',
  thread: 'worker-4',
  requestID: '7F4D0C2E-5c1f-4a8e-9d0a-9f1f6f3b2c11',
  elapsed: 60.001,
  stackTraces: 'at com.vendor.gis.Map.draw',
};

let folder = '';
let file = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-test-'));
  file = join(folder, 'a.ndjson');
  const lines = [
    { ...record, 'pod.name': { zone: 1 } },
    { time: record.time - 1000, msg: 'bare', logCode: 0 },
  ];
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
});
afterAll(() => rm(folder, { recursive: true }));

/** The lines that a command line prints, as JSON. */
async function printed(...words: readonly string[]): Promise<unknown[]> {
  const { code, out, err } = await run(words);
  expect([code, err.replace(/\d+ logs?( in .*)?\./, '').trim()]).toEqual([0, '']);
  // Nothing in the text of a log can reach a terminal or begin a line.
  expect(out).not.toContain('\u001b');
  return out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}

test('search --ecs prints events of the Elastic Common Schema', async () => {
  const origin = { part: 1, entry: 'a.ndjson' };
  expect(await printed('search', '*:*', file, '--ecs')).toEqual([
    {
      '@timestamp': '2025-03-12T08:00:00.123Z',
      ecs: { version: '8.11.0' },
      message: record.msg,
      log: { level: 'SEVERE', logger: 'com.vendor.gis.Map', origin: { function: 'draw' } },
      event: { code: '9003', duration: 60_001_000_000 },
      service: { name: 'Basemaps/Streets.MapServer', type: 'MapServer' },
      host: { hostname: 'streets-59c7bd8f46-zl5fp' },
      process: { pid: 14, thread: { name: 'worker-4' } },
      user: { name: 'jdoe' },
      http: { request: { id: record.requestID } },
      error: { stack_trace: record.stackTraces },
      labels: { pod_name: '{"zone":1}' },
      logquarry: { ...origin, id: 1, position: 1, extra: '{"pod.name":{"zone":1}}' },
    },
    {
      '@timestamp': '2025-03-12T07:59:59.123Z',
      ecs: { version: '8.11.0' },
      message: 'bare',
      event: { code: '0' },
      logquarry: { ...origin, id: 2, position: 2 },
    },
  ]);
});

const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
const integer = (key: string, intValue: string) => ({ key, value: { intValue } });

test('trace --otlp prints a request for an OpenTelemetry collector', async () => {
  expect(await printed('trace', record.requestID, file, '--otlp')).toEqual([
    {
      resourceLogs: [
        {
          resource: {
            attributes: [
              text('service.name', record.source),
              text('host.name', record.machine),
              integer('process.pid', '14'),
            ],
          },
          scopeLogs: [
            {
              scope: { name: 'com.vendor.gis.Map' },
              logRecords: [
                {
                  timeUnixNano: '1741766400123000000',
                  severityNumber: 17,
                  severityText: 'SEVERE',
                  body: { stringValue: record.msg },
                  attributes: [
                    text('code.function.name', 'draw'),
                    text('exception.stacktrace', record.stackTraces),
                    text('thread.name', 'worker-4'),
                    text('user.name', 'jdoe'),
                    integer('logquarry.code', '9003'),
                    text('logquarry.request_id', record.requestID),
                    text('logquarry.service_types', 'MapServer'),
                    { key: 'logquarry.elapsed_s', value: { doubleValue: 60.001 } },
                    integer('logquarry.id', '1'),
                    integer('logquarry.part', '1'),
                    text('logquarry.entry', 'a.ndjson'),
                    integer('logquarry.position', '1'),
                    integer('logquarry.offset', '0'),
                    {
                      key: 'logquarry.extra.pod.name',
                      value: { kvlistValue: { values: [integer('zone', '1')] } },
                    },
                  ],
                  traceId: '7f4d0c2e5c1f4a8e9d0a9f1f6f3b2c11',
                },
              ],
            },
          ],
        },
      ],
    },
  ]);
});

test.each([
  ['--ecs', '--otlp'],
  ['--ecs', '--csv'],
  ['--count', '--otlp'],
])('%s and %s exclude each other', async (one, other) => {
  expect(await run(['search', '*:*', file, one, other])).toMatchObject({ code: 2, out: '' });
});

test('a request of OTLP is bounded in records and characters, and takes no log ahead', async () => {
  let taken = 0;
  const face = { width: undefined, style: toStyle(false) };
  async function* logs() {
    for (; taken < 1203; taken++) yield { log: { msg: 1000 <= taken ? 'x'.repeat(400_000) : 'short' } };
  }
  const rows = { items: logs(), columns: [], shown: () => [], names: [], cells: () => [] };
  const sizes: number[] = [];
  for await (const line of formatLogs(rows, 'otlp', face)) {
    const [resource] = JSON.parse(line).resourceLogs;
    sizes.push(resource.scopeLogs[0].logRecords.length);
    expect(line.length).toBeLessThan(1_100_000);
    const written = sizes.reduce((sum, size) => sum + size);
    expect(taken - written).toBeLessThanOrEqual(1);
  }
  expect(sizes.slice(0, 4)).toEqual([500, 500, 2, 2]);
  expect(sizes.reduce((sum, size) => sum + size)).toBe(1203);
});

test('no hit prints nothing', async () => {
  expect((await run(['search', 'nothing', file, '--otlp'])).out).toBe('');
});
