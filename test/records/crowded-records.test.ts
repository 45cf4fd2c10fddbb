import { describe, expect, test } from 'vitest';
import { readAll } from './check-reading.ts';

/** What was read of a text: level and message of each log, or the code of what is no log. */
async function readOf(lines: readonly string[]): Promise<readonly string[]> {
  const text = `${lines.join('\n')}\n`;
  const { records } = await readAll(text);
  expect((await readAll(text, { chunkLength: 7 })).records).toEqual(records);
  expect(records.map(({ position }) => position.number)).toEqual(records.map((_, at) => at + 1));
  return records.map((record) =>
    record.kind === 'log' ? `${record.log.logLevel ?? '-'} ${record.log.msg}` : record.code,
  );
}

describe('a log with lists of objects is one log', () => {
  test.each([
    ['with a time under a name that is unknown', '"eventTime":"2025-05-14T06:10:08Z",'],
    ['with the time of Log4j 2', '"instant":{"epochSecond":1747203008,"nanoOfSecond":912000000},'],
    ['without a time', ''],
  ])('%s', async (_, time) => {
    const [first, second] = [
      `{${time}"level":"ERROR","message":"outer one","causes":[{"message":"a"},{"message":"b"}]}`,
      `{${time}"level":"WARN","message":"outer two"}`,
    ];
    expect(await readOf([first, second])).toEqual(['SEVERE outer one', 'WARNING outer two']);
    expect(await readOf([first])).toEqual(['SEVERE outer one']);
    expect(await readOf([first.replaceAll(',"', ',\n "'), second])).toEqual([
      'SEVERE outer one',
      'WARNING outer two',
    ]);
  });
});

describe('a line with a time of its own is a log of its own', () => {
  test('PostgreSQL in German: levels are known, further lines go on', async () => {
    const at = '2025-05-14 06:10:34.739 UTC [17]';
    expect(
      await readOf([
        `${at} LOG:  Verbindung empfangen`,
        `${at} FEHLER:  Relation »parks« existiert nicht`,
        `${at} ANWEISUNG:  SELECT 1`,
        '\tFROM parks',
        `${at} SCHWERWIEGEND:  Verbindung beendet`,
      ]),
    ).toEqual([
      'INFO Verbindung empfangen',
      'SEVERE Relation »parks« existiert nicht',
      '- SELECT 1\n\tFROM parks',
      'SEVERE Verbindung beendet',
    ]);
  });

  test.each([
    ['Java', (level: string) => `2025-05-14 06:10:34,739 [main] ${level} com.example.Parks - text`],
    ['Karaf', (level: string) => `2025-05-14T06:10:34,739 | ${level} | main | Parks | 9 - bundle | text`],
    ['Tomcat', (level: string) => `14-May-2025 06:10:34.739 ${level} [main] com.example.Parks.run text`],
  ])('%s: a level that is unknown', async (_, lineOf) => {
    const lines = ['INFO', 'AUDIT', 'ERROR', 'STDERR_2'].map(lineOf);
    const levels = (await readOf([...lines, '\tat com.example.Parks.run'])).map((read) => read.split(' ')[0]);
    expect(levels).toEqual(['INFO', 'AUDIT', 'SEVERE', 'STDERR_2']);
  });

  test('the zone that a line names counts', async () => {
    const { records } = await readAll(
      ['CEST', 'CET', '+03', 'EST'].map((zone) => `2025-05-14 08:10:00 ${zone} [1] LOG:  text\n`).join(''),
    );
    const [cest, cet, offset, unknown] = records;
    expect([cest, cet, offset].map((record) => record?.kind === 'log' && record.log.time)).toEqual(
      [6, 7, 5].map((hour) => Date.UTC(2025, 4, 14, hour, 10)),
    );
    expect(cest).not.toHaveProperty('remarks');
    expect(unknown).toMatchObject({ extra: { zone: 'EST' }, remarks: [{ code: 'NO_ZONE' }] });
  });
});

describe('several records that a tool joined', () => {
  const msg = (type: string, text: string) =>
    `<Msg time="2025-05-14T06:10:34,739" type="${type}" code="9000" source="Rest">${text}</Msg>`;
  test.each([
    ['<Msg>', `${msg('INFO', 'one')}\n${msg('SEVERE', 'two')}`, ['INFO one', 'SEVERE two']],
    ['an end and a <Msg>', `tail</Msg>\n${msg('SEVERE', 'two')}`, ['- tail</Msg>', 'SEVERE two']],
    [
      'lines of JSON',
      '{"logLevel":"INFO","msg":"one"}\n{"logLevel":"SEVERE","msg":"two"}',
      ['INFO one', 'SEVERE two'],
    ],
    [
      'lines of Java with a trace',
      '2025-05-14 06:10:34,739 INFO  [main] a.B - one\n2025-05-14 06:10:35,739 ERROR [main] a.B - two\n\tat a.B.run',
      ['INFO one', 'SEVERE two\n\tat a.B.run'],
    ],
    ['a text of lines', 'one\n{"logLevel":"INFO","msg":"two"}', ['- one\n{"logLevel":"INFO","msg":"two"}']],
  ])('%s', async (_, message, expected) => {
    const around = { '@timestamp': '2025-05-14T06:10:34.739Z', agent: { type: 'filebeat' } };
    expect(await readOf([JSON.stringify({ ...around, message })])).toEqual(expected);
  });
});

test('joined records are told apart while a text of another stream is open', async () => {
  const record = (pod: string, message: string) =>
    JSON.stringify({ '@timestamp': '2025-05-14T06:10:34.739Z', kubernetes: { pod_name: pod }, log: message });
  const msg = (type: string, text: string) =>
    `<Msg time="2025-05-14T06:10:34,739" type="${type}" code="9000" source="Rest">${text}`;
  const read = await readOf([
    record('a', msg('INFO', 'begun')),
    record('b', `${msg('INFO', 'one')}</Msg>\n${msg('SEVERE', 'two')}</Msg>`),
    record('a', 'ended</Msg>'),
  ]);
  expect(read).toEqual(['INFO one', 'SEVERE two', 'INFO begun\nended']);
});

test('a line with a time and a word before a colon is not of PostgreSQL', async () => {
  const { format } = await readAll('2025-05-14 06:10:34 UTC the HTTP: text\n'.repeat(3));
  expect(format).not.toBe('postgres');
});

describe('lines that container runtimes cut are joined by stream', () => {
  const json = '{"time":1747203008912,"logLevel":"SEVERE","msg":"joined"}';

  test('CRI', async () => {
    const at = '2025-05-14T06:10:10.1Z';
    expect(
      await readOf([
        `${at} stdout P ${json.slice(0, 30)}`,
        `${at} stderr F warn on stderr`,
        `${at} stdout P ${json.slice(30, 40)}`,
        `${at} stderr P an`,
        `${at} stdout F ${json.slice(40)}`,
        `${at} stderr F other`,
        `${at} stdout F last`,
      ]),
    ).toEqual(['SEVERE joined', '- warn on stderr', '- another', '- last']);
  });

  test('docker, before any line ends', async () => {
    const long = JSON.stringify({ time: 1747203008912, logLevel: 'SEVERE', msg: 'ü'.repeat(9_000) });
    const bytes = new TextEncoder().encode(long);
    const cut = new TextDecoder().decode(bytes.subarray(0, 16_384)).replace('\ufffd', '');
    const record = (log: string, stream: string) =>
      JSON.stringify({ log, stream, time: '2025-05-14T06:10:10.1Z' });
    const lines = [
      record(cut, 'stdout'),
      record('warn\n', 'stderr'),
      record(`${long.slice(cut.length)}\n`, 'stdout'),
    ];
    const read = await readOf(lines);
    expect(read.map((text) => text.slice(0, 11))).toEqual(['- warn', 'SEVERE üüüü']);
  });
});

test('the priority of syslog is the level, and nothing of the prefix is lost', async () => {
  const { records } = await readAll(
    [
      '<11>1 2025-05-14T06:10:00.111Z gis1 app 123 ID47 [x@1 a="b"] one',
      '<14>1 2025-05-14T06:10:00.111Z gis1 app 123 - - {"msg":"two"}',
      '<14>1 2025-05-14T06:10:00.111Z gis1 app 123 - - {"time":1747203008912,"logLevel":"WARNING","msg":"three"}',
      '',
    ].join('\n'),
  );
  expect(records).toMatchObject([
    {
      log: { logLevel: 'SEVERE', msg: 'one', machine: 'gis1' },
      extra: { prefix: { priority: '11', messageId: 'ID47', data: '[x@1 a="b"]' } },
    },
    { log: { logLevel: 'INFO', msg: 'two' } },
    { log: { logLevel: 'WARNING', msg: 'three' } },
  ]);
});

test('a request of Google Cloud is an access log, unless a message is beside it', async () => {
  const httpRequest = {
    requestMethod: 'GET',
    requestUrl: 'https://gis.example/rest',
    status: 502,
    latency: '3.5s',
  };
  const entry = { insertId: 'x', severity: 'WARNING', timestamp: '2025-05-14T06:10:01.912345678Z' };
  const entries = [
    { ...entry, httpRequest, jsonPayload: { statusDetails: 'backend_timeout' } },
    { ...entry, httpRequest },
    { ...entry, httpRequest, jsonPayload: { message: 'said' } },
    { ...entry, textPayload: 'plain' },
  ];
  const { records } = await readAll(entries.map((each) => `${JSON.stringify(each)}\n`).join(''));
  const request = {
    log: { msg: 'GET https://gis.example/rest 502', source: 'access log', elapsed: 3.5, logLevel: 'WARNING' },
  };
  expect(records).toMatchObject([request, request, { log: { msg: 'said' } }, { log: { msg: 'plain' } }]);
  expect(records[0]).toMatchObject({
    log: { time: Date.UTC(2025, 4, 14, 6, 10, 1, 912) },
    extra: { jsonPayload: { statusDetails: 'backend_timeout' } },
  });
});

test('rows that "sql" wrote have an apostrophe before what a spreadsheet takes for a formula', async () => {
  const table = (heading: string) => `${heading},msg,id,part,entry,position\nINFO,'-x,1,1,a.ndjson,1\n`;
  const [disarmed] = (await readAll(table('logLevel'))).records;
  const [raw] = (await readAll(table('"logLevel"'))).records;
  expect([disarmed, raw]).toMatchObject([{ log: { msg: '-x' } }, { log: { msg: "'-x" } }]);
});
