import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LogRecord } from '../../src/records/log.ts';
import { rounds, sampled } from '../effort.ts';
import { processorTime } from '../processor-time.ts';
import { checkReading, readAll, toBytes } from './check-reading.ts';

const start = '<Msg time="2022-05-22T10:11:12,65" type="INFO" code="9029" source="Rest"';

/** The only log of an entry. */
async function logOf(text: string): Promise<LogRecord> {
  const { records } = await readAll(text);
  const [record] = records;
  if (records.length !== 1 || record?.kind !== 'log') throw new Error(JSON.stringify(records));
  return record;
}

describe('a classic log line', () => {
  test('has its attributes as fields, and its text as the message', async () => {
    const line = `${start} process="1" thread="2" methodName="run" machine="gis-1" user="ann" elapsed="0.25" requestID="r1">text</Msg>`;
    expect((await logOf(line)).log).toEqual({
      time: Date.UTC(2022, 4, 22, 10, 11, 12, 65),
      logLevel: 'INFO',
      logCode: 9029,
      source: 'Rest',
      process: '1',
      thread: '2',
      methodName: 'run',
      machine: 'gis-1',
      username: 'ann',
      elapsed: 0.25,
      requestID: 'r1',
      msg: 'text',
    });
  });

  test.each([
    [',65', 65],
    [',5', 5],
    [',650', 650],
    [',065', 65],
    ['', 0],
  ])('milliseconds are not padded: "%s" are %d', async (fraction, milliseconds) => {
    const { log } = await logOf(`<Msg time="2022-05-22T10:11:12${fraction}" type="INFO">x</Msg>`);
    expect(log.time).toBe(Date.UTC(2022, 4, 22, 10, 11, 12, milliseconds));
  });

  test.each<[string, object]>([
    ['code="9999" elapsed="1250"', { elapsed: 1.25 }],
    ['code="9999" elapsed="0"', { elapsed: 0 }],
    ['code="9029" elapsed="1250"', { elapsed: 1250 }],
    ['code="9029" elapsed="0,25"', { elapsed: 0.25 }],
    ['code="9029" elapsed="0.0"', { elapsed: 0 }],
    ['code="9029" elapsed=""', {}],
    ['code="9029"', {}],
  ])('elapsed is in seconds: %s', async (attributes, expected) => {
    const { log } = await logOf(`<Msg time="1" type="INFO" ${attributes}>x</Msg>`);
    expect('elapsed' in log ? { elapsed: log.elapsed } : {}).toEqual(expected);
  });

  test('a code of 9999 at another level has seconds', async () => {
    expect((await logOf('<Msg type="FINE" code="9999" elapsed="3">x</Msg>')).log.elapsed).toBe(3);
  });

  test.each([
    ['Anonymous user', 'Anonymous user'],
    ['&lt;ID&gt;::ann@EXAMPLE', '<ID>::ann@EXAMPLE'],
    ['<ID>::ann@EXAMPLE', '<ID>::ann@EXAMPLE'],
    ['', undefined],
  ])('the user "%s" is kept as written', async (written, username) => {
    expect((await logOf(`<Msg time="1" user="${written}">x</Msg>`)).log.username).toBe(username);
  });

  test.each([
    ['&lt;a&gt; &amp;&quot;&apos;', `<a> &"'`],
    ['&#228;&#x1F600;&#xA;', 'ä😀\n'],
    ['&nbsp; & &amp;lt; &#0; &#xD800; &#x110000; &', '&nbsp; & &lt; &#0; &#xD800; &#x110000; &'],
    ['a < b <c/> </c> <Msg>', 'a < b <c/> </c> <Msg>'],
    ['two\r\nlines ', 'two\r\nlines '],
  ])('the text %j', async (written, msg) => {
    expect((await logOf(`<Msg time="1">${written}</Msg>`)).log.msg).toBe(msg);
  });

  test('old files have single quotes, a target and capitals', async () => {
    const old = `<Msg time='2009-03-16T12:23:22' type='INFO3' code='4002' target='Portland.MapServer' user='a"b'>x</MSG>`;
    const { log, extra } = await logOf(old);
    expect(log).toEqual({
      time: Date.UTC(2009, 2, 16, 12, 23, 22),
      logLevel: 'VERBOSE',
      logCode: 4002,
      source: 'Portland.MapServer',
      username: 'a"b',
      msg: 'x',
    });
    expect(extra).toEqual({ type: 'INFO3' });
    expect((await logOf('<Msg source="a" target="b">x</Msg>')).extra).toEqual({ target: 'b' });
  });

  test('hostile names of attributes are names like any other', async () => {
    const { extra } = await logOf('<Msg time="1" __proto__="a" constructor="b">x</Msg>');
    expect(Object.entries(extra ?? {})).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
  });
});

describe('a file of classic log lines', () => {
  const line = (text: string) => `${start}>${text}</Msg>`;
  test.each<[string, string, string[]]>([
    ['one a line', `${line('a')}\n${line('b')}\r\n`, ['a', 'b']],
    ['all in one line', line('a') + line('b'), ['a', 'b']],
    [
      'a first record over several lines',
      `${start}\n  user=""\n>a\n\tat b</Msg>\n${line('c')}`,
      ['a\n\tat b', 'c'],
    ],
    ['a declaration and a root', `<?xml version="1.0"?>\n<!-- x -->\n<Log>\n${line('a')}\n</Log>\n`, ['a']],
    ['a declaration alone', '<?xml version="1.0" encoding="UTF-8"?>\n', []],
    ['a record without text', `${start}/>\n${line('b')}`, ['at 1653214272065', 'b']],
    ['a message that is not ASCII', `${line('ü😀')}\n${line('b')}`, ['ü😀', 'b']],
  ])('%s', (_, text, expected) => checkReading(text, 'xml', expected));

  test.each<[string, string, string[]]>([
    ['a record cut in its attributes', `${start} us\n${line('b')}`, [`BAD_XML: ${start} us`, 'b']],
    [
      'an attribute that is not closed',
      `<Msg time="1 type="INFO">a</Msg>\n${line('b')}`,
      ['BAD_XML: <Msg time="1 type="INFO">a</Msg>', 'b'],
    ],
    [
      'the end of a record at the beginning',
      `of a text</Msg>\n${line('b')}`,
      ['BAD_XML: of a text</Msg>', 'b'],
    ],
    [
      'text between records',
      `${line('a')}\nwhat < is this\n${line('b')}`,
      ['a', 'BAD_XML: what < is this', 'b'],
    ],
    ['an end too many', `${line('a')}</Msg>\n${line('b')}`, ['a', 'BAD_XML: </Msg>', 'b']],
    [
      'neither time nor text',
      `<Msg type="INFO"></Msg>\n${line('b')}`,
      ['NO_LOG: <Msg type="INFO"></Msg>', 'b'],
    ],
    ['other XML', '<?xml version="1.0"?><a x="1"><b/></a>', ['BAD_XML: <a x="1"><b/></a>']],
  ])('%s does not take the rest', (_, text, expected) => checkReading(text, 'xml', expected));

  test.each<[string, string, string[]]>([
    ['in its own line', `${start}>a\n${line('b')}`, ['a', 'b']],
    ['in the same line', `${start}>a${line('b')}`, ['a', 'b']],
    ['as the last one', `${line('a')}\n${start}>b\n`, ['a', 'b']],
    ['with text in more lines', `${start}>a\n\tat x\n${line('b')}`, ['a\n\tat x', 'b']],
    ['between the groups of grep', `${start}>a\n--\n${line('b')}\n--\n${line('c')}`, ['a', 'b', 'c']],
    ['before a byte order mark', `${start}>a\n\ufeff${line('b')}`, ['a', 'b']],
  ])('a record without an end tag is a record: %s', (_, text, expected) =>
    checkReading(text, 'xml', expected),
  );

  test('a record without an end tag has a remark', async () => {
    const { records } = await readAll(`${start}>a\n${line('b')}`);
    expect(records.map((record) => 'remarks' in record && record.remarks?.map(({ code }) => code))).toEqual([
      ['NO_ZONE', 'NO_END'],
      ['NO_ZONE'],
    ]);
  });

  const quoted = '<Msg time="2019-01-01T00:00:00,000" type="DEBUG" code="1">';
  test.each<[string, string]>([
    ['a start tag', `near ${quoted} of line 7`],
    ['a start tag in quotes', `near "${quoted}" of line 7`],
    ['a whole record', `near ${quoted}x</Msg> of line 7`],
    ['a whole record at the end', `near ${quoted}x</Msg>`],
    ['two whole records', `${quoted.replace('<', ' <')}x</Msg> and (${quoted}y</Msg>)`],
    ['a record in a record', `near ${quoted}x ${quoted}y</Msg></Msg> z`],
    ['a start tag in a later line', `x\n  at ${quoted} y\n  at z`],
    ['a record in CDATA', `x <![CDATA[${quoted} & </Msg>\n${quoted}]]> y`],
    ['a CDATA section without an end', 'x <![CDATA[ y'],
  ])('a quotation is text: %s', async (_, text) => {
    const msg = text.replace(/<!\[CDATA\[([\s\S]*)\]\]>/, '$1');
    await checkReading(`${line(text)}\n${line('b')}`, 'xml', [msg, 'b']);
    await checkReading(line(text) + line('b'), 'xml', [msg, 'b']);
  });

  test.each<[string, string, object]>([
    ['grep of several files', 'logs/a b-2.log:', { file: 'logs/a b-2.log' }],
    ['grep -n', '12:', { line: '12' }],
    ['grep -n of several files', 'a-1.log:12:', { file: 'a-1.log', line: '12' }],
    ['grep --color', '\x1b[35m\x1b[Ka.log\x1b[m\x1b[K\x1b[36m\x1b[K:\x1b[m\x1b[K', { file: 'a.log' }],
    ['Select-String', 'C:\\logs\\a.log:12:', { file: 'C:\\logs\\a.log', line: '12' }],
    ['Select-String -Context', '> a.log:12:', { file: 'a.log', line: '12' }],
    ['kubectl logs --prefix', '[pod/gis-0/server] ', { pod: 'pod/gis-0/server' }],
    ['docker compose', 'gis-1  | ', { container: 'gis-1' }],
    [
      'syslog',
      '<14>May 14 06:10:11 node-1 gis[77]: ',
      { priority: '14', time: 'May 14 06:10:11', host: 'node-1', program: 'gis', pid: '77' },
    ],
    ['any text', 'in file one -> ', { text: 'in file one ->' }],
  ])('a prefix stays beside the log: %s', async (_, prefix, parts) => {
    await checkReading(
      `${prefix}${line('a')}\n${prefix}${line('b\n' + prefix + 'c')}\n${prefix}${start}>d\n${prefix}${line('e')}`,
      'xml',
      ['a', 'b\nc', 'd', 'e'],
    );
    expect((await logOf(prefix + line('a'))).extra).toEqual({ prefix: parts });
  });

  test('lines around a match of grep have a dash', async () => {
    const text = [
      `a.log-1-${line('a')}`,
      `a.log:2:${start}>b`,
      'a.log-3-\tat c</Msg>',
      '--',
      `b.log:9:${line('d')}`,
    ];
    await checkReading(text.join('\n'), 'xml', ['a', 'b\n\tat c', 'd']);
  });

  test('the time of a prefix counts if the record has none', async () => {
    const prefix = '2025-05-14T06:10:34.739000000Z stdout F ';
    const time = Date.UTC(2025, 4, 14, 6, 10, 34, 739);
    expect((await logOf(`${prefix}<Msg type="INFO">x</Msg>`)).log.time).toBe(time);
    expect((await logOf(`${prefix}${line('x')}`)).log.time).toBe(Date.UTC(2022, 4, 22, 10, 11, 12, 65));
  });

  test('colours are no part of a value', async () => {
    const red = (text: string) => `\x1b[01;31m\x1b[K${text}\x1b[m\x1b[K`;
    const text = `${red('<Msg')} time="1" type="${red('SEVERE')}">a ${red('b')}</Msg>`;
    await checkReading(`${text}\n${text}`, 'xml', ['a b', 'a b']);
    expect((await logOf(text)).log.logLevel).toBe('SEVERE');
  });

  test('joined files have their marks', () =>
    checkReading(`${line('a')}\n\ufeff${line('b')}\ufeff${line('c')}`, 'xml', ['a', 'b', 'c']));

  test('reads the same out of gzip and UTF-16 with a mark', async () => {
    const text = `${line('ü')}\n${line('b')}`;
    const utf16 = new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'));
    const { records } = await readAll(utf16);
    expect(records).toEqual((await readAll(text)).records);
    expect((await readAll(gunzipSync(gzipSync(text)))).records).toEqual(records);
  });

  test('a record longer than the limit is passed over', async () => {
    const text = `${line('a')}\n${line('x'.repeat(500))}\n${line('c')}`;
    for (const chunkLength of [1 << 20, 64, 1]) {
      const { records } = await readAll(text, { chunkLength, maxLength: 200 });
      expect(records).toMatchObject([{ log: { msg: 'a' } }, { code: 'TOO_LONG' }, { log: { msg: 'c' } }]);
      expect(records[1]?.position.length).toBeGreaterThan(500);
    }
  });

  test('hostile text takes no time', async () => {
    const pieces = [
      '</',
      '</m',
      '<Msg ',
      '<![CDATA[',
      ' <Msg a="1">',
      '</Msg> <Msg a="1">',
      '<Msg a="',
      '<Msg a="1"',
      '<!--',
      '<',
      '&#',
      ' '.repeat(9),
    ];
    for (const piece of sampled(pieces, 3)) {
      const time = await processorTime(async () => {
        await readAll(`${start}>${piece.repeat(3_000_000 / piece.length)}`);
        await readAll(`<?xml?>${piece.repeat(3_000_000 / piece.length)}`);
      });
      expect([piece, time < 15_000]).toEqual([piece, true]);
    }
  });
});

describe('whatever the bytes', () => {
  const pieces = [
    '<Msg time="1">',
    'a',
    '</Msg>',
    '<Msg ',
    'time=',
    "'",
    '"',
    '>',
    '/>',
    '<',
    '\n',
    '<!--',
    '-->',
    ' <Msg a="1">',
    '<![CDATA[',
    ']]>',
    '<?x?>',
    '&amp;',
    'é',
  ];
  const damaged = fc
    .array(fc.constantFrom(...pieces), { maxLength: 40 })
    .map((all) => `<Msg ${all.join('')}`);

  /** Text that is passed over: blanks, comments, declarations, and tags without attributes. */
  const around = /^(\s|<!--[^<]*?-->|<\?[^<]*?\?>|<\/?(?!msg\b)[a-z][\w:.-]*\s*\/?>)*$/i;

  test('nothing but blanks and markup around records is outside of what is read, whatever the chunks', async () => {
    await fc.assert(
      fc.asyncProperty(damaged, fc.constantFrom(1, 5, 64), async (text, chunkLength) => {
        const whole = await readAll(text);
        expect(await readAll(text, { chunkLength })).toEqual(whole);
        const bytes = toBytes(text);
        let end = 0;
        for (const { position, raw } of whole.records) {
          const between = new TextDecoder().decode(bytes.subarray(end, position.offset));
          expect(between).toMatch(around);
          end = position.offset + position.length;
          expect(new TextDecoder().decode(bytes.subarray(position.offset, end))).toBe(raw);
        }
        expect(new TextDecoder().decode(bytes.subarray(end))).toMatch(around);
      }),
      { numRuns: rounds(1_000) },
    );
  });
});
