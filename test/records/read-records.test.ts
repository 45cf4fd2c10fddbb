import { describe, expect, test } from 'vitest';
import { checkReading, readAll, toBytes } from './check-reading.ts';

describe('NDJSON', () => {
  test.each<[string, string, string[]]>([
    ['one log a line', '{"time":1,"msg":"a"}\n{"time":2,"msg":"b"}\n', ['a', 'b']],
    ['no line feed at the end', '{"msg":"a"}\n{"msg":"b"}', ['a', 'b']],
    ['CRLF and blank lines', '\r\n{"msg":"a"}\r\n\r\n  \r\n{"msg":"ü😀"}\r\n', ['a', 'ü😀']],
    ['one log alone', '{"time":5}', ['at 5']],
    ['a log with a list of objects', '{"time":1,"msg":"a","list":[{"msg":"x"}]}\n{"msg":"b"}\n', ['a', 'b']],
  ])('%s', (_, text, expected) => checkReading(text, 'ndjson', expected));

  test.each<[string, string, string[]]>([
    ['in the middle', '{"msg":"a"}\n{"msg":"tru\n{"msg":"c"}\n', ['a', 'BAD_JSON: {"msg":"tru', 'c']],
    ['at the beginning', '{"msg":"tru\n{"msg":"b"}\n{"msg":"c"}\n', ['BAD_JSON: {"msg":"tru', 'b', 'c']],
    ['at the beginning, cut at a comma', '{"time":1,\n{"msg":"b"}\n', ['BAD_JSON: {"time":1,', 'b']],
    ['before the first brace', 'g":"tru"}\n{"msg":"b"}\n', ['BAD_JSON: g":"tru"}', 'b']],
    ['at the end', '{"msg":"a"}\n{"msg":"tr', ['a', 'BAD_JSON: {"msg":"tr']],
    ['a value that is no object', '{"msg":"a"}\n[1]\n"x"\n', ['a', 'NOT_A_RECORD: [1]', 'NOT_A_RECORD: "x"']],
    ['an object that is no log', '{"msg":"a"}\n{"name":"x"}\n', ['a', 'NO_LOG: {"name":"x"}']],
  ])('a damaged record %s does not stop the rest', (_, text, expected) =>
    checkReading(text, 'ndjson', expected),
  );

  test('a record nested too deep is unreadable, not the end of the program', async () => {
    const deep = `{"msg":"a","x":${'['.repeat(50_000)}${']'.repeat(50_000)}}\n{"msg":"b"}\n`;
    const { records } = await readAll(deep);
    expect(records.map((record) => (record.kind === 'log' ? record.log.msg : record.code))).toEqual([
      'TOO_DEEP',
      'b',
    ]);
  });
});

describe('JSON', () => {
  const two = '{"time":1,"msg":"a"},{"time":2,"msg":"b"}';
  test.each<[string, string, string[]]>([
    ['a list', `[${two}]`, ['a', 'b']],
    ['a list over several lines', '[\n  {\n    "msg": "a"\n  },\n  {"msg": "b"}\n]\n', ['a', 'b']],
    ['an empty list', '[]', []],
    ['an object that holds a list', `{"hasMore":false,"messages":[${two}],"total":2}`, ['a', 'b']],
    [
      'the same, a log a line',
      `{"more":false,"messages":[{"msg":"a"},\n{"msg":"b"},\n{"msg":"c"}]}\n`,
      ['a', 'b', 'c'],
    ],
    ['the same, deeper', `{"x":{"messages":[{"msg":"a"},\n{"msg":"b"}]}}`, ['a', 'b']],
    ['the same over lines', `{\n "messages": [\n ${two}\n ]\n}`, ['a', 'b']],
    ['a list deep inside', `{"hits":{"total":{"value":2},"hits":[${two}]}}`, ['a', 'b']],
    ['a reply without logs', '{"total":0,"messages":[]}', []],
    ['replies one after the other', `{"messages":[${two}]}\n{"messages":[{"msg":"c"}]}\n`, ['a', 'b', 'c']],
    ['objects over several lines', '{\n"msg":"a"\n}\n{\n"msg":"b"\n}\n', ['a', 'b']],
    ['a log that holds a list', '{"time":1,\n"msg":"a",\n"list":[{"msg":"x"},{"msg":"y"}]}', ['a']],
    ['a log with objects behind other values', '{"time":1,\n"msg":"a",\n"list":[null,8,{"msg":"x"}]}', ['a']],
    [
      'brackets and quotes in strings',
      String.raw`[{"msg":"a}]\"{[,\\"},{"msg":"b\\\""}]`,
      ['a}]"{[,\\', 'b\\"'],
    ],
  ])('%s', (_, text, expected) => checkReading(text, 'json', expected));

  test.each<[string, string, string[]]>([
    [
      'a string cut short',
      '[{"msg":"a"},{"msg":"tr,{"msg":"c"},{"msg":"d"}]',
      ['a', 'BAD_JSON: {"msg":"tr,', 'c', 'd'],
    ],
    [
      'a string cut at its line',
      '[{"msg":"a"},\n{"msg":"tr\n{"msg":"c"},\n{"msg":"d"}]',
      ['a', 'BAD_JSON: {"msg":"tr\n', 'c', 'd'],
    ],
    [
      'a brace missing',
      '[{"msg":"a","x":{"y":1},{"msg":"b"},{"msg":"c"}]',
      ['BAD_JSON: {"msg":"a","x":{"y":1},', 'b', 'c'],
    ],
    ['a value missing', '[{"msg":"a","x":},{"msg":"b"}]', ['BAD_JSON: {"msg":"a","x":},', 'b']],
    ['a word that is no JSON', '[{"msg":"a","x":nope},{"msg":"b"}]', ['BAD_JSON: {"msg":"a","x":nope}', 'b']],
    ['a bracket that does not fit', '[{"msg":"a"]},{"msg":"b"}]', ['BAD_JSON: {"msg":"a"]},', 'b']],
    ['something else in the list', '[{"msg":"a"},12,{"msg":"b"}]', ['a', 'NOT_A_RECORD: 12,', 'b']],
    ['the end inside a record', '[{"msg":"a"},{"msg":"b', ['a', 'TRUNCATED: {"msg":"b']],
    ['the end inside a list', '{"messages":[{"msg":"a"},{"msg":"b"}', ['a', 'b', 'TRUNCATED: ']],
    [
      'an error in place of logs',
      '{"error":{"code":498,"details":[]}}',
      ['NO_LOG: {"error":{"code":498,"details":[]}}'],
    ],
  ])('%s does not take the rest', (_, text, expected) => checkReading(text, 'json', expected));

  test('a hostile list of records inside records takes no time', async () => {
    const { records } = await readAll(`[${'{"a":[0,'.repeat(300_000)}`);
    expect(records.length).toBeLessThan(1_000);
    expect(records.every((record) => record.kind === 'unreadable')).toBe(true);
  });
});

describe('CSV', () => {
  test.each<[string, string, string[]]>([
    ['commas', 'time,type,message\n1,INFO,a\n2,INFO,b\n', ['a', 'b']],
    ['semicolons and CRLF', 'Time;Message\r\n1;a\r\n2;b\r\n', ['a', 'b']],
    ['tabs', 'time\tmsg\n1\ta\n', ['a']],
    [
      'quotes, delimiters and line breaks',
      'time,msg\r\n1,"a,""b""\r\nc"\r\n2,d"e\r\n',
      ['a,"b"\r\nc', 'd"e'],
    ],
    ['a header alone', 'time,level,msg\n', []],
    ['a quoted header', '"time","msg"\n"1","a"\n', ['a']],
  ])('%s', (_, text, expected) => checkReading(text, 'csv', expected));

  test.each<[string, string, string[]]>([
    ['a row too short', 'time,msg\n1\n2,b\n', ['BAD_ROW: 1', 'b']],
    ['a row too long', 'time,msg\n1,a,x\n2,b\n', ['BAD_ROW: 1,a,x', 'b']],
    ['a quote never closed', 'time,msg\n1,"a\n2,b\n3,c', ['BAD_ROW: 1,"a', 'b', 'c']],
    ['text behind a quote', 'time,msg\n1,"a\n2,"b"\n', ['BAD_ROW: 1,"a', 'b']],
  ])('%s does not stop the rest', (_, text, expected) => checkReading(text, 'csv', expected));

  test('columns of the same name all keep their values', async () => {
    const { records } = await readAll('time,msg,msg,,msg_2,\n1,a,b,c,d,e\n');
    expect(records).toMatchObject([
      { log: { time: 1, msg: 'a' }, extra: { msg_2: 'b', '': 'c', msg_2_2: 'd', _2: 'e' } },
    ]);
  });

  test('a quote that stays open for long is given up', async () => {
    const rows = Array.from({ length: 1_500 }, (_, number) => `${number},m${number}`);
    const { records } = await readAll(`time,msg\n0,"open\n${rows.join('\n')}\n`);
    expect(records.filter((record) => record.kind === 'log')).toHaveLength(1_500);
    expect(records.filter((record) => record.kind === 'unreadable')).toHaveLength(1);
  });
});

describe('entries that are no logs are kept as one unreadable record', () => {
  test.each<[string, string, string, string]>([
    ['a text', 'Dear reader,\nnothing here.\n', 'unknown', 'NOT_LOGS'],
    ['a page', '\n<!DOCTYPE html><html><body>Sign in</body></html>', 'html', 'NOT_LOGS'],
    ['a list of numbers', '[1,2,3]', 'unknown', 'NOT_LOGS'],
  ])('%s', (_, text, format, code) => checkReading(text, format, [`${code}: ${text}`]));

  test('an archive inside an entry is named', async () => {
    const { format, records } = await readAll(new Uint8Array([0x50, 0x4b, 3, 4, 0]));
    expect(format).toBe('zip');
    expect(records).toMatchObject([
      { kind: 'unreadable', code: 'NOT_LOGS', position: { number: 1, length: 5 } },
    ]);
  });

  test.each(['', ' \n\r\n'])('an entry without a record has none: %j', (text) =>
    checkReading(text, 'empty', []),
  );
});

describe('encodings', () => {
  const text = '{"msg":"ü😀"}\n{"msg":"b"}\n';
  const units = new Uint16Array([
    0xfeff,
    ...Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)),
  ]);
  const little = new Uint8Array(units.buffer);
  const big = little.map((_, at) => little[at ^ 1] ?? 0);

  test.each([
    ['a byte order mark', toBytes(`\ufeff${text}`)],
    ['UTF-16, little end first', little],
    ['UTF-16, big end first', big],
  ])('%s', async (_, bytes) => {
    for (const chunkLength of [1, 1_000]) {
      const { format, records } = await readAll(bytes, { chunkLength });
      expect(format).toBe('ndjson');
      expect(records).toMatchObject([
        { log: { msg: 'ü😀' }, position: { offset: 0, length: 16 } },
        { log: { msg: 'b' }, position: { offset: 17, length: 11 } },
      ]);
    }
  });

  test('bytes that are no UTF-8 and lone surrogates become U+FFFD', async () => {
    const bytes = new Uint8Array([...toBytes('{"msg":"a'), 0xff, ...toBytes('\\ud800b"}\n')]);
    expect((await readAll(bytes)).records).toMatchObject([{ log: { msg: 'a\ufffd\ufffdb' } }]);
  });
});

describe('headings of tables in other languages', () => {
  const time = Date.UTC(2025, 4, 14, 6, 10, 34);
  test.each<[string, string, object]>([
    [
      'German, with a date and a time of day',
      'sep=;\nDatum;Uhrzeit;Stufe;Meldung;Benutzer;Quelle;elapsed\n14.05.2025;06:10:34;Fehler;Gr\u00f6\u00dfe;mira;REST;1,25\n',
      { time, logLevel: 'SEVERE', msg: 'Gr\u00f6\u00dfe', username: 'mira', source: 'REST', elapsed: 1.25 },
    ],
    [
      'German, with a time in one column',
      'Zeitstempel\tSchweregrad\tNachricht\n14.05.2025 06:10:34\tWarnung\ta\n',
      { time, logLevel: 'WARNING', msg: 'a' },
    ],
    [
      'French',
      'Date;Heure;Niveau;Message;Utilisateur\n14/05/2025;06:10:34;Avertissement;\u00c9chec;mira\n',
      { time, logLevel: 'WARNING', msg: '\u00c9chec', username: 'mira' },
    ],
    [
      'Spanish',
      'Fecha;Nivel;Mensaje;Usuario\n14/05/2025 06:10:34;Cr\u00edtico;Fallo;mira\n',
      { time, logLevel: 'SEVERE', msg: 'Fallo', username: 'mira' },
    ],
    [
      'English, with a date and a time of day',
      'Date,Time,Level,Message\n5/14/2025,6:10:34 AM,ERROR,a\n',
      { time, logLevel: 'SEVERE', msg: 'a' },
    ],
    [
      'English, with a date alone for the time',
      'Date,Level,Message\n2025-05-14 06:10:34,ERROR,a\n',
      { time, logLevel: 'SEVERE', msg: 'a' },
    ],
    [
      'a date beside a whole time is something else',
      'Date,Time,Message\n2020-01-01,2025-05-14 06:10:34,a\n',
      { time, msg: 'a' },
    ],
  ])('%s', async (_, text, log) => {
    for (const chunkLength of [1, 1_000]) {
      const { format, records } = await readAll(text, { chunkLength });
      expect(format).toBe('csv');
      expect(records).toMatchObject([{ log }]);
      expect(records[0]).not.toHaveProperty('remarks', expect.arrayContaining([{ code: 'SECOND_VALUE' }]));
    }
  });
});

describe('a record longer than the limit', () => {
  const long = 'x'.repeat(500);
  test.each([
    ['NDJSON', `{"msg":"a"}\n{"msg":"${long}"}\n{"msg":"c"}\n`],
    ['JSON', `[{"msg":"a"},{"msg":"${long}"},{"msg":"c"}]`],
    ['CSV', `time,msg\n1,a\n2,${long}\n3,c\n`],
  ])('%s', async (_, text) => {
    for (const chunkLength of [1 << 20, 64, 1]) {
      const { records } = await readAll(text, { chunkLength, maxLength: 100 });
      expect(records.map((record) => (record.kind === 'log' ? record.log.msg : record.code))).toEqual([
        'a',
        'TOO_LONG',
        'c',
      ]);
      expect(records[1]?.position.length).toBeGreaterThan(500);
    }
  });

  test('100 MB in one line are passed over and counted', async () => {
    async function* chunks() {
      const filler = new Uint8Array(1 << 20).fill(0x78);
      yield toBytes('{"msg":"a"}\n{"msg":"');
      for (let megabyte = 0; megabyte < 100; megabyte++) yield filler;
      yield toBytes('"}\n{"msg":"c"}\n');
    }
    const { readRecords } = await import('../../src/records/read-records.ts');
    const found = [];
    for await (const batch of (await readRecords(chunks())).records) found.push(...batch);
    expect(found).toMatchObject([{ log: { msg: 'a' } }, { code: 'TOO_LONG' }, { log: { msg: 'c' } }]);
    expect(found[1]).toMatchObject({
      position: { length: 100 * (1 << 20) + 10 },
      raw: expect.stringMatching(/^{"msg":"x+$/),
    });
    expect(found[1]?.raw).toHaveLength(65_536);
  });
});

test('a row whose quote stays open is given up once it is longer than any record', async () => {
  const lines = Array.from({ length: 20 }, (_, at) => `line ${at} ${'x'.repeat(90)}`);
  const content = `time,msg\n2025-03-12T08:00:00Z,"open\n${lines.join('\n')}\n2025-03-12T08:00:01Z,b`;
  const { records } = await readAll(content, { maxLength: 1_000 });
  const longest = Math.max(...records.map(({ position }) => position.length));
  expect(longest).toBeLessThan(1_000);
  expect(records).toHaveLength(22);
  expect(records.at(-1)).toMatchObject({ kind: 'log', log: { msg: 'b' } });
});

test.each(['rubbish', '\u{1f600}', '}', "'a'", 'undefined', 'x'.repeat(100), '\u00a0{}', 'nul', ' \ty'])(
  'the reason why %j is no JSON is that of the parser',
  async (line) => {
    const { records } = await readAll(`{"msg":"a"}\n${line}\n`);
    let said = '';
    try {
      JSON.parse(line);
    } catch (error) {
      said = String(error instanceof Error && error.message).replace(/, (\.\.\.)?".*$/s, '');
    }
    expect(records[1]).toMatchObject({ code: 'BAD_JSON', reason: `The record is not JSON: ${said}` });
  },
);

describe('what is known of a file that has no logs', () => {
  const bytesOf = (...bytes: readonly number[]) => Uint8Array.from([...bytes, ...Array(600).fill(0)]);
  test.each<[string, string | Uint8Array, string]>([
    ['PDF', '%PDF-1.7\n1 0 obj\n', '"%PDF-1.7\\n1 0 obj\\n", as a PDF: export'],
    [
      '.xls',
      bytesOf(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1),
      'the bytes d0 cf 11 e0 a1 b1 1a e1 00 00 00 00 00 00 00 00, as a file of an old Office program',
    ],
    ['RTF', '{\\rtf1\\ansi a}', 'RTF'],
    ['PNG', bytesOf(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a), 'as an image'],
    ['YAML, a list', '---\n- time: 2025-03-12T08:00:00Z\n  msg: a\n', 'as YAML: convert it'],
    ['YAML, a manifest', 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n', 'as YAML: convert it'],
    ['a mail', 'From: a@example.com\nTo: b@example.com\nSubject: logs\n\nhello\n', 'as a mail: save'],
    ['INI', '; a\n[main]\nx = 1\ny = 2\n', 'as a list of settings'],
    ['unknown bytes', bytesOf(1, 2, 3), 'the bytes 01 02 03 00 00 00 00 00 00 00 00 00 00 00 00 00'],
    ['a text', 'hello there\nthis is text\n', '"hello there\\nthis is text\\n"'],
  ])('%s: what was seen, and what to do', async (_, content, expected) => {
    for (const chunkLength of [3, 1 << 20]) {
      const { records } = await readAll(content, { chunkLength });
      expect(records).toHaveLength(1);
      expect(records[0]).toMatchObject({ kind: 'unreadable', code: 'NOT_LOGS' });
      expect(records[0]).toHaveProperty('reason', expect.stringContaining(`It begins with`));
      expect(records[0]).toHaveProperty('reason', expect.stringContaining(expected));
    }
  });
});

describe('UTF-16 without a mark', () => {
  const text = '{"time":1,"msg":"ü😀"}\r\n{"time":2,"msg":"b"}\r\n';
  test.each([false, true])('big endian: %s', async (isBig) => {
    const bytes = Buffer.from(text, 'utf16le');
    const { format, records } = await readAll(new Uint8Array(isBig ? bytes.swap16() : bytes), {
      chunkLength: 5,
    });
    expect(format).toBe('ndjson');
    expect(records.map((record) => record.kind === 'log' && record.log.msg)).toEqual(['ü😀', 'b']);
  });
});

test.each<[string, object, object]>([
  ['alone', { timestamp: 'n/a', msg: 'a' }, { code: 'WRONG_TYPE', field: 'time' }],
  ['beside one', { timestamp: 'n/a', time: 5 }, { code: 'SECOND_VALUE', field: 'time' }],
])('a value that is no time, %s', async (_, members, remark) => {
  const { records } = await readAll(JSON.stringify(members));
  expect(records).toMatchObject([{ extra: { timestamp: 'n/a' }, remarks: [remark] }]);
});
