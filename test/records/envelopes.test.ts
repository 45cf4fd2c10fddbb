import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { envelopes } from '../../src/records/envelopes.ts';
import type { LogRecord, ReadRecord } from '../../src/records/log.ts';
import { readRecords } from '../../src/records/read-records.ts';
import type { Zone } from '../../src/records/time.ts';

async function read(text: string, envelope?: string, zone?: Zone): Promise<readonly ReadRecord[]> {
  async function* chunks() {
    yield Buffer.from(text);
  }
  const found: ReadRecord[] = [];
  for await (const batch of (await readRecords(chunks(), { envelope, ...(zone && { zone }) })).records)
    found.push(...batch);
  return found;
}

const logsOf = (records: readonly ReadRecord[]) =>
  records.filter((record): record is LogRecord => record.kind === 'log');

const time = Date.UTC(2025, 4, 14, 6, 10, 8, 912);
const own = {
  time,
  logLevel: 'SEVERE',
  logCode: 9003,
  source: 'Rest',
  msg: 'Sheet 7 was refused',
  machine: 'pod-7',
};
const json = JSON.stringify(own);
const msg =
  '<Msg time="2025-05-14T06:10:08,912" type="SEVERE" code="9003" source="Rest" process="5" thread="1" methodName="" machine="pod-7" user="" elapsed="" requestID="">Sheet 7 was refused</Msg>';
const later = '2025-05-14T06:10:10.612Z';
const laterTime = Date.parse(later);
const lines = (...records: readonly unknown[]) =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');
const csv = (heading: string, ...fields: readonly string[]) =>
  `${heading}\n${fields.map((field) => `"${field.replaceAll('"', '""')}"`).join(',')}\n`;

/** Records of tools, by what stands inside. `of` is what the remark names. */
const shapes: readonly (readonly [name: string, of: string, wrap: (text: string) => string])[] = [
  [
    'API of Datadog',
    'Datadog',
    (message) =>
      JSON.stringify({
        data: [
          {
            attributes: { attributes: { n: 1 }, host: 'h', message, status: 'info', timestamp: later },
            id: 'a',
            type: 'log',
          },
        ],
        meta: {},
      }),
  ],
  [
    'an event of Kubernetes',
    'Kubernetes event',
    (message) => lines({ reason: 'Killed', involvedObject: { kind: 'Pod' }, message, lastTimestamp: later }),
  ],
  ['LogDNA', 'LogDNA', (log) => lines({ _ts: Date.parse(later), _app: 'gis', _line: log })],
  ['Honeycomb', 'Honeycomb', (data) => lines({ Timestamp: later, data })],
  ['Sumo Logic', 'Sumo Logic', (log) => lines({ _messageTimeMs: Date.parse(later), _raw: log })],
  ['Discover of Kibana', 'Kibana', (log) => lines({ Time: later, Document: log })],
  [
    'docker json-file',
    'docker json-file',
    (log) => lines({ log: `${log}\n`, stream: 'stdout', time: later }),
  ],
  [
    'docker json-file with attributes',
    'docker json-file',
    (log) => lines({ log: `${log}\n`, stream: 'stderr', attrs: { tag: 'gis' }, time: later }),
  ],
  [
    'filebeat 5',
    'filebeat',
    (message) =>
      lines({
        '@timestamp': later,
        beat: { hostname: 'n1', version: '5.6.3' },
        input_type: 'log',
        message,
        offset: 0,
        source: 'D:\\logs\\server.log',
        type: 'log',
      }),
  ],
  [
    'filebeat 6',
    'filebeat',
    (message) =>
      lines({
        '@timestamp': later,
        '@metadata': { beat: 'filebeat', type: 'doc', version: '6.8.0' },
        message,
        source: '/data/logs/a.log',
        offset: 3,
        prospector: { type: 'log' },
        host: { name: 'n1' },
      }),
  ],
  [
    'filebeat 7 with kubernetes',
    'filebeat',
    (message) =>
      lines({
        '@timestamp': later,
        message,
        stream: 'stdout',
        input: { type: 'container' },
        agent: { type: 'filebeat', version: '7.17.0' },
        kubernetes: { pod: { name: 'p' } },
      }),
  ],
  [
    'Fluent Bit from CRI',
    'Fluent Bit',
    (log) =>
      lines({ date: 1747203010.612, stream: 'stdout', logtag: 'F', log, kubernetes: { pod_name: 'p' } }),
  ],
  [
    'Fluent Bit, a list',
    'Fluent Bit',
    (log) => JSON.stringify([{ date: 1747203010.612, log, stream: 'stdout' }]),
  ],
  [
    'Fluentd',
    'Fluent Bit',
    (log) => lines({ log, container_name: '/gis', container_id: 'a1', source: 'stdout' }),
  ],
  [
    'Vector',
    'Vector',
    (message) => lines({ file: '/logs/a', host: 'n1', message, source_type: 'file', timestamp: later }),
  ],
  ['logcli', 'Loki', (line) => lines({ labels: { pod: 'p' }, line, timestamp: later })],
  [
    'a reply of Loki',
    'Loki',
    (line) =>
      JSON.stringify({
        status: 'success',
        data: {
          resultType: 'streams',
          result: [{ stream: { pod: 'p' }, values: [['1747203010612000000', line]] }],
        },
      }),
  ],
  [
    'promtail',
    'Loki',
    (line) => JSON.stringify({ streams: [{ stream: { a: 'b' }, values: [['1747203010612000000', line]] }] }),
  ],
  [
    'Grafana CSV',
    'Loki',
    (line) => csv('"Time","Line","tsNs","id","labels"', later, line, '1747203010612000000', 'i', '{}'),
  ],
  [
    'Grafana JSON',
    'Loki',
    (line) => JSON.stringify([{ line, timestamp: '1747203010612000000', date: later, fields: { pod: 'p' } }]),
  ],
  [
    'CloudWatch filter-log-events',
    'CloudWatch',
    (message) =>
      JSON.stringify({
        events: [{ logStreamName: 's', timestamp: laterTime, message, ingestionTime: 1, eventId: '1' }],
      }),
  ],
  [
    'CloudWatch get-log-events',
    'CloudWatch',
    (message) =>
      JSON.stringify(
        { events: [{ timestamp: laterTime, message, ingestionTime: 1 }], nextForwardToken: 'f/1' },
        null,
        2,
      ),
  ],
  [
    'CloudWatch Insights',
    'CloudWatch',
    (message) =>
      JSON.stringify({
        status: 'Complete',
        results: [
          [
            { field: '@timestamp', value: '2025-05-14 06:10:10.612' },
            { field: '@message', value: message },
            { field: '@ptr', value: 'x' },
          ],
        ],
      }),
  ],
  [
    'CloudWatch Insights CSV',
    'CloudWatch',
    (message) => csv('@timestamp,@message', '2025-05-14 06:10:10.612', message),
  ],
  [
    'gcloud textPayload',
    'Google Cloud',
    (textPayload) => JSON.stringify([{ insertId: 'k', textPayload, timestamp: later, severity: 'INFO' }]),
  ],
  [
    'gcloud jsonPayload.message',
    'Google Cloud',
    (message) =>
      lines({ insertId: 'k', jsonPayload: { message }, timestamp: later, severity: 'INFO', logName: 'l' }),
  ],
  [
    'Azure',
    'Azure',
    (LogMessage) =>
      JSON.stringify([{ LogMessage, TimeGenerated: later, TableName: 'PrimaryResult', PodName: 'p' }]),
  ],
  [
    'Azure CSV',
    'Azure',
    (log) => csv('"TimeGenerated [UTC]",LogEntry,Computer', '5/14/2025, 6:10:10.612 AM', log, 'n1'),
  ],
  [
    'Azure diagnostics',
    'Azure',
    (log) => lines({ time: later, category: 'kube', properties: { log, stream: 'stdout' } }),
  ],
  [
    'Splunk JSON',
    'Splunk',
    (_raw) =>
      lines({
        preview: false,
        result: { _raw, _time: '2025-05-14T06:10:10.612+0000', source: '/logs/a', host: 'n1' },
      }),
  ],
  [
    'Splunk HEC',
    'Splunk',
    (event) =>
      lines({ time: 1747203010.612, host: 'n', source: '/a', sourcetype: 'x', index: 'main', event }),
  ],
  [
    'Graylog',
    'Graylog',
    (message) =>
      lines({ timestamp: later, source: 'n1', message, gl2_source_input: 'a', streams: ['1'], level: 6 }),
  ],
  [
    'a reply of Graylog',
    'Graylog',
    (message) =>
      JSON.stringify({
        messages: [
          {
            highlight_ranges: {},
            index: 'graylog_0',
            message: { _id: 'a', timestamp: later, message, gl2_source_input: 'a' },
          },
        ],
      }),
  ],
  [
    'GELF',
    'GELF',
    (text) => lines({ version: '1.1', host: 'n1', short_message: text, timestamp: 1747203010.612, level: 6 }),
  ],
  [
    'Elasticsearch hits with filebeat',
    'Elasticsearch',
    (message) =>
      JSON.stringify({
        took: 3,
        hits: {
          total: { value: 1, relation: 'eq' },
          hits: [
            {
              _index: 'f',
              _id: '1',
              _score: 1,
              _source: { '@timestamp': later, message, agent: { type: 'filebeat' } },
            },
          ],
        },
      }),
  ],
  [
    'elasticdump',
    'Elasticsearch',
    (message) => lines({ _index: 'f', _type: '_doc', _id: '1', _source: { message, '@timestamp': later } }),
  ],
  ['Kibana CSV', 'other', (message) => csv('"@timestamp",message', 'May 14, 2025 @ 06:10:10.612', message)],
  [
    'journald',
    'journald',
    (MESSAGE) => lines({ __REALTIME_TIMESTAMP: '1747203010612000', PRIORITY: '6', _PID: '7', MESSAGE }),
  ],
  [
    'journald with bytes',
    'journald',
    (text) => lines({ __REALTIME_TIMESTAMP: '1747203010612000', MESSAGE: [...Buffer.from(text)] }),
  ],
  [
    "the collector's file exporter",
    'OpenTelemetry',
    (text) =>
      lines({
        resourceLogs: [
          {
            resource: { attributes: [{ key: 'k8s.pod.name', value: { stringValue: 'pod-7' } }] },
            scopeLogs: [
              {
                scope: {},
                logRecords: [
                  {
                    observedTimeUnixNano: '1747203010612345678',
                    body: { stringValue: text },
                    attributes: [{ key: 'log.file.name', value: { stringValue: '0.log' } }],
                    traceId: '',
                  },
                ],
              },
            ],
            schemaUrl: 'https://opentelemetry.io/schemas/1.6.1',
          },
        ],
      }),
  ],
  ['a tool that nobody knows', 'other', (payload) => lines({ when: later, payload })],
];

describe.each(shapes)('%s', (_, of, wrap) => {
  test.each([
    ['JSON', json],
    ['a <Msg>', msg],
  ])('with %s: its fields win, and the rest stays beside them', async (_format, text) => {
    const records = await read(wrap(text));
    expect(records).toMatchObject([{ kind: 'log', log: own }]);
    const [record] = logsOf(records);
    expect(record?.remarks?.filter(({ code }) => code === 'ENVELOPE')).toMatchObject([{ about: of }]);
    expect(record?.remarks?.filter(({ code }) => code !== 'NO_ZONE').length).toBe(1);
    expect(record?.position.number).toBe(1);
  });

  test('with a log that has no time: the time of the tool counts', async () => {
    const [record] = logsOf(await read(wrap('{"logLevel":"INFO","msg":"no time","logCode":1}')));
    expect(record?.log).toMatchObject({ logLevel: 'INFO', msg: 'no time', logCode: 1 });
    if (/nobody|Fluentd/.test(_)) return;
    expect(record?.log.time).toBe(laterTime);
  });

  test('with a plain text: it is the message', async () => {
    if (of === 'other') return;
    const [record] = logsOf(await read(wrap('Sheet 7 was refused')));
    expect(record?.log.msg).toBe('Sheet 7 was refused');
    expect(record?.log.source).toBeUndefined();
    if (!/Fluentd/.test(_)) expect(record?.log.time).toBe(laterTime);
  });
});

/** Shapes whose log is an object, of which the text is the message. */
const ofObjects = ['gcloud jsonPayload.message', 'elasticdump'];

test.each(shapes.filter(([name, of]) => of !== 'other' && !ofObjects.includes(name)))(
  'a line of another program in %s is read as such',
  async (_, of, wrap) => {
    const [record] = logsOf(
      await read(wrap('2025-05-14 06:10:08,912 [p-1] ERROR a.Sheet - Sheet 7 was refused')),
    );
    expect(record?.log).toMatchObject({
      time,
      logLevel: 'SEVERE',
      source: 'logger',
      className: 'a.Sheet',
      thread: 'p-1',
      msg: 'Sheet 7 was refused',
    });
    expect(record?.remarks).toContainEqual(expect.objectContaining({ code: 'ENVELOPE', about: of }));
  },
);

test('levels of a stream count where a log has none', async () => {
  const [error, own, plain] = logsOf(
    await read(
      JSON.stringify([
        { insertId: '1', jsonPayload: { message: 'a' }, severity: 'ERROR', timestamp: later },
        { insertId: '2', jsonPayload: { message: 'b', level: 'DEBUG' }, severity: 'ERROR', timestamp: later },
        { insertId: '3', textPayload: 'c', severity: 'DEFAULT', timestamp: later },
      ]),
    ),
  );
  expect([error, own, plain].map((record) => record?.log.logLevel)).toEqual(['SEVERE', 'DEBUG', undefined]);
});

test('a text that docker has cut is joined, by stream', async () => {
  const part = (log: string, stream = 'stdout') => ({ log, stream, time: later });
  const text = lines(
    part('first\n'),
    part(json.slice(0, 30)),
    part('beside\n', 'stderr'),
    part(json.slice(30, 60)),
    part(`${json.slice(60)}\n`),
  );
  const records = logsOf(await read(text));
  expect(records.map(({ log }) => log.msg)).toEqual(['first', 'beside', own.msg]);
  const [, , joined] = records;
  expect(joined?.log).toEqual(own);
  const bytes = Buffer.from(text);
  const { offset = 0, length = 0 } = joined?.position ?? {};
  expect(bytes.subarray(offset, offset + length).toString()).toMatch(/^\{"log":"\{\\"time.*\}$/s);
});

test('a <Msg> of several lines is one log wherever it is cut, and one without an end is said', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('at a.B(C.java:1)', '', 'x < y', '{"a":1}'), { maxLength: 5 }),
      async (more) => {
        const whole = [msg.replace('</Msg>', ''), ...more, 'end</Msg>'];
        const records = logsOf(
          await read(lines(...whole.map((log) => ({ log: `${log}\n`, stream: 'stdout', time: later })))),
        );
        expect(records.map(({ log }) => log.msg)).toEqual([[own.msg, ...more, 'end'].join('\n')]);
      },
    ),
    { numRuns: 50 },
  );
  const cut = lines(
    { log: `${msg.replace('</Msg>', '')}\n`, stream: 'stdout', time: later },
    { log: `${msg}\n`, stream: 'stdout', time: later },
  );
  const records = logsOf(await read(cut));
  expect(records.map(({ log }) => log)).toMatchObject([own, own]);
  expect(records[0]?.remarks).toContainEqual({ code: 'NO_END', field: 'msg' });
});

describe('what is no envelope', () => {
  test('a log of the deployment whose message is JSON of a log', async () => {
    const quoted = { ...own, requestID: 'r', msg: json };
    expect(logsOf(await read(lines(quoted)))[0]?.log).toEqual(quoted);
  });

  test('a message that is JSON of something else', async () => {
    const [record] = logsOf(await read(lines({ time, msg: '{"a":1}' })));
    expect(record?.log.msg).toBe('{"a":1}');
  });
});

test('a path that was given counts, and "none" opens nothing', async () => {
  const text = lines({ a: { b: json }, msg: 'outer' });
  expect(logsOf(await read(text, 'a.b'))[0]?.log).toEqual(own);
  expect(logsOf(await read(text))[0]?.log).toEqual({ msg: 'outer' });
  expect(
    logsOf(await read(lines({ log: json, stream: 'stdout', time: later }), 'none'))[0]?.log.msg,
  ).toBeUndefined();
});

test('a record without the member that was given is read as it is, and says so', async () => {
  const [within, beside] = logsOf(await read(lines({ a: { b: json } }, { time: 1e12, msg: 'plain' }), 'a.b'));
  expect(within?.log).toEqual(own);
  expect(beside?.log).toEqual({ time: 1e12, msg: 'plain' });
  expect(beside?.remarks).toEqual([{ code: 'NO_ENVELOPE', field: 'a.b' }]);
});

test('every tool of the table has a shape here', () => {
  const shown = new Set(shapes.map(([, of]) => of));
  const missing = envelopes.map(({ of }) => of).filter((of) => !shown.has(of));
  expect(missing).toEqual(['OpenSearch Dashboards']);
});

describe('tables of the query API of Azure Monitor', () => {
  const column = (name: string, type = 'string') => ({ name, type });
  const columns = [column('TimeGenerated', 'datetime'), column('LogMessage', 'dynamic'), column('PodName')];
  const primary = (rows: readonly unknown[]) => ({ name: 'PrimaryResult', columns, rows });
  const events = {
    name: 'Table_1',
    columns: [
      column('TimeGenerated', 'datetime'),
      column('Message'),
      column('Level'),
      column('Count', 'long'),
    ],
    rows: [[later, 'no envelope', 'Error', 3]],
  };

  const layouts: readonly (readonly [string, (reply: unknown) => string])[] = [
    ['on one line', (reply) => JSON.stringify(reply)],
    ['over several lines', (reply) => `${JSON.stringify(reply, null, 2)}\n`],
  ];

  test.each(layouts)('have a log in each row, %s', async (_, write) => {
    const records = await read(
      write({
        tables: [
          primary([
            [later, json, 'pod-1'],
            [later, msg, null],
            [later, 'plain, with "[" and ["a",{"b":1}', 'pod-2'],
          ]),
          events,
          primary([]),
        ],
        statistics: { query: { executionTime: 0.01 } },
      }),
    );
    expect(records).toMatchObject([
      { log: own, extra: { PodName: 'pod-1', TimeGenerated: later } },
      { log: own },
      { log: { time: laterTime, msg: 'plain, with "[" and ["a",{"b":1}' }, extra: { PodName: 'pod-2' } },
      { log: { time: laterTime, msg: 'no envelope', logLevel: 'SEVERE' }, extra: { Count: 3 } },
    ]);
    expect(records.map(({ position }) => position.number)).toEqual([1, 2, 3, 4]);
  });

  test.each(layouts)('alone, %s, are read too, and their rows are found again', async (_, write) => {
    const text = write(
      primary([
        [later, json, 'ä'],
        [later, 'b', 'c'],
      ]),
    );
    const records = await read(text);
    expect(logsOf(records).map(({ log }) => log.msg)).toEqual([own.msg, 'b']);
    const { offset = 0, length = 0 } = records[1]?.position ?? {};
    expect(
      JSON.parse(
        Buffer.from(text)
          .subarray(offset, offset + length)
          .toString(),
      ),
    ).toEqual([later, 'b', 'c']);
  });

  test('may be longer than a record, and are read in pieces', async () => {
    const rows = Array.from({ length: 2_000 }, (_, at) => [later, `${at} ${'x'.repeat(3_000)}`, 'pod']);
    expect((await read(JSON.stringify({ tables: [primary(rows)] }))).length).toBe(2_000);
  });

  test('without a row have no record; a row that does not fit, and a cut reply, are said', async () => {
    expect(await read(JSON.stringify({ tables: [primary([])] }))).toEqual([]);
    const odd = await read(
      JSON.stringify({ tables: [primary([[later, 'a', 'b'], [later], [later, 'c', 'd']])] }),
    );
    expect(odd).toMatchObject([{ log: { msg: 'a' } }, { code: 'BAD_ROW' }, { log: { msg: 'c' } }]);
    const whole = JSON.stringify({
      tables: [
        primary([
          [later, 'a', 'b'],
          [later, 'c', 'd'],
        ]),
      ],
    });
    const cut = await read(whole.slice(0, whole.indexOf('"c"') + 2));
    expect(cut).toMatchObject([{ log: { msg: 'a' } }, { code: 'TRUNCATED' }]);
  });

  test('of a query that failed in part say so', async () => {
    const error = {
      code: 'PartialError',
      message: 'The result was cut.',
      details: [{ code: 'x', message: 'y' }],
    };
    const [record] = logsOf(await read(JSON.stringify({ tables: [primary([[later, 'a', 'b']])], error })));
    expect(record?.remarks).toContainEqual({
      code: 'MORE_LOGS',
      field: 'msg',
      about: 'the query that gave the tables failed in part, "The result was cut.": logs may be missing',
    });
  });
});

describe('a time whose zone is in the heading', () => {
  const cases = [
    ['of an envelope', 'LogEntry', 'plain'],
    ['of a log', 'Message', 'plain'],
  ] as const;

  test.each(cases)('%s: it is read in that zone, in the order that was given', async (_, name, text) => {
    const rows = (heading: string, value: string) => csv(`"${heading}",${name},Computer`, value, text, 'n1');
    const zoned = Object.assign((reading: number) => reading - 3_600_000, { order: 'mdy' as const });
    const first = async (heading: string, value: string, zone?: typeof zoned) =>
      logsOf(await read(rows(heading, value), undefined, zone))[0];
    const utc = await first('TimeGenerated [UTC]', '3/12/2025, 8:00:01.123 AM', zoned);
    expect(utc?.log.time).toBe(Date.UTC(2025, 2, 12, 8, 0, 1, 123));
    expect(utc?.remarks?.map(({ code }) => code) ?? []).not.toContain('NO_ZONE');
    const local = await first('TimeGenerated [Local Time]', '3/12/2025, 8:00:01.123 PM', zoned);
    expect(local?.log.time).toBe(Date.UTC(2025, 2, 12, 19, 0, 1, 123));
    expect(local?.remarks).toContainEqual({ code: 'NO_ZONE', field: 'time' });
    const either = await first('TimeGenerated [UTC]', '3/12/2025, 8:00:01.123 AM');
    expect(either?.log.time).toBeUndefined();
    expect(either?.remarks).toContainEqual({ code: 'DATE_ORDER', field: 'time' });
    expect(either?.extra).toMatchObject({ 'TimeGenerated [UTC]': '3/12/2025, 8:00:01.123 AM' });
    const none = await first('TimeGenerated [UTC]', 'yesterday');
    expect(none?.remarks).toContainEqual({ code: 'WRONG_TYPE', field: 'time' });
  });
});

describe('events of Kubernetes', () => {
  const event = {
    kind: 'Event',
    reason: 'BackOff',
    source: { component: 'kubelet' },
    metadata: { name: 'p.1' },
  };
  const old = { ...event, involvedObject: { kind: 'Pod', name: 'p' }, message: 'Back-off', type: 'Warning' };
  const early = '2025-05-14T05:00:00Z';

  test.each<[string, object, number | undefined]>([
    ['of its last time', { ...old, firstTimestamp: early, lastTimestamp: later, eventTime: null }, laterTime],
    ['of its only time', { ...old, firstTimestamp: null, lastTimestamp: null, eventTime: later }, laterTime],
    ['of its series', { ...old, eventTime: early, series: { count: 3, lastObservedTime: later } }, laterTime],
    ['of its creation', { ...old, metadata: { creationTimestamp: later } }, laterTime],
    ['without a time', old, undefined],
  ])('have the time %s', async (_, item, expected) => {
    for (const text of [JSON.stringify({ kind: 'List', items: [item] }, null, 4), lines(item)]) {
      const [record] = logsOf(await read(text));
      expect(record?.log).toEqual({
        ...(expected && { time: expected }),
        logLevel: 'WARNING',
        msg: 'Back-off',
      });
      expect(record?.extra).toMatchObject({ reason: 'BackOff', source: { component: 'kubelet' } });
      expect(record?.remarks).toEqual([{ code: 'ENVELOPE', field: 'message', about: 'Kubernetes event' }]);
    }
  });

  test('of the newer form are read alike', async () => {
    const item = { ...event, regarding: { kind: 'Pod' }, note: 'Started', type: 'Normal', eventTime: later };
    const [record] = logsOf(await read(JSON.stringify({ items: [item, item] })));
    expect(record?.log).toEqual({ time: laterTime, logLevel: 'INFO', msg: 'Started' });
  });
});

test('the type of a document of Elasticsearch is no level', async () => {
  const rows = csv('_id,_index,_type,"@timestamp",level,message', 'a', 'logs', '_doc', later, 'ERROR', 'b');
  const [record] = logsOf(await read(rows));
  expect(record?.log).toEqual({ time: laterTime, logLevel: 'SEVERE', msg: 'b' });
  expect(record?.extra).toEqual({ _id: 'a', _index: 'logs', _type: '_doc', level: 'ERROR' });
  expect(record?.remarks).toBeUndefined();
  const [other] = logsOf(await read(lines({ time, _type: 'error', message: 'b' })));
  expect(other?.log).toEqual({ time, msg: 'b' });
});
