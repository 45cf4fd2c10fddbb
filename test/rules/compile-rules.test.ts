import { describe, expect, test } from 'vitest';
import { compileRules } from '../../src/analysis/rules/compile-rules.ts';
import { readMapping } from '../../src/analysis/rules/mapping.ts';
import { match } from '../../src/language/meaning/match.ts';
import type { Log } from '../../src/records/log.ts';
import { processorTime } from '../processor-time.ts';

/** Compiles a rule with this detection, which must be the only one. */
function compile(detection: string, mapping?: string) {
  const text = `title: T\ndetection:\n${detection.replace(/^/gm, '  ')}`;
  return compileRules([{ name: 'a.yml', text }], mapping === undefined ? undefined : readMapping(mapping));
}

/** The rule selects the first logs and none of the second ones. */
function check(detection: string, hits: readonly Log[], misses: readonly Log[], mapping?: string): void {
  const { rules, unsupported } = compile(detection, mapping);
  expect(unsupported).toEqual([]);
  const [rule] = rules;
  if (rule?.kind !== 'detection') throw new Error('No rule on single logs');
  const selected = (logs: readonly Log[]) => logs.filter((log) => match(rule.filter, { ...log }));
  expect(selected(hits)).toEqual(hits);
  expect(selected(misses)).toEqual([]);
}

const item = (line: string) => `s:\n  ${line}\ncondition: s`;

/** The reason why a rule with this detection is not evaluated. */
function refusal(detection: string, mapping?: string): string {
  const { rules, unsupported } = compile(detection, mapping);
  expect(rules).toEqual([]);
  expect(unsupported).toMatchObject([{ file: 'a.yml', document: 1, title: 'T' }]);
  return unsupported[0]?.reason ?? '';
}

describe('values', () => {
  test('are compared whole, without regard to case', () => {
    check(
      item('msg: Pool EMPTY'),
      [{ msg: 'pool empty' }, { msg: 'POOL Empty' }],
      [{ msg: 'pool empty!' }, { msg: 'empty' }, {}],
    );
    check(item('msg: ΣΊΣΥΦΟΣ'), [{ msg: 'σίσυφοσ' }], [{ msg: 'σ' }]);
    check(item('source|cased: Sharing'), [{ source: 'Sharing' }], [{ source: 'sharing' }]);
  });

  test('have wildcards, and backslashes that make them literal', () => {
    check(
      item("msg: 'a*c?'"),
      [{ msg: 'A--cd' }, { msg: 'acx' }, { msg: 'a\nc😀' }],
      [{ msg: 'ac' }, { msg: 'xacx' }],
    );
    check(item(String.raw`msg: 'a\*b\?'`), [{ msg: 'a*b?' }], [{ msg: 'axb?' }, { msg: String.raw`a\xb?` }]);
    check(item(String.raw`msg: 'C:\Temp\\*'`), [{ msg: String.raw`c:\temp\x` }], [{ msg: 'c:\\temp' }]);
    check(
      item(String.raw`msg: 'a\\\*'`),
      [{ msg: String.raw`a\*` }],
      [{ msg: String.raw`a\x` }, { msg: 'a*' }],
    );
    check(item(String.raw`msg: '\\\\host'`), [{ msg: String.raw`\\host` }], [{ msg: String.raw`\host` }]);
    check(item("msg: '*'"), [{ msg: 'a' }, { msg: '…' }], [{}]);
  });

  test('with half of a surrogate pair are what a query and a case make of it', () => {
    const logs = [{ msg: 'a\ufffdb' }, { msg: 'a\ud800b' }];
    const others = [{ msg: 'ab' }, { msg: 'a😀b' }];
    const written = String.raw`"a\ud800b"`;
    for (const key of ['msg', 'msg|contains', 'msg|startswith', 'msg|endswith', 'msg|re', 'msg|windash'])
      check(item(`${key}: ${written}`), logs, others);
    check(`s: [${written}]\ncondition: s`, logs, others);
    check(item(String.raw`msg: "*\udc00b"`), logs, others);
    check(item("msg|expand: '%half%'"), logs, others, String.raw`placeholders: { half: "a\ud800b" }`);
    // Both halves are the character.
    check(item(String.raw`msg: "a\ud83d\ude00b"`), [{ msg: 'a😀b' }], logs);
  });

  test('in lists are alternatives, in maps all must match', () => {
    check(item('msg: [a, b]'), [{ msg: 'a' }, { msg: 'B' }], [{ msg: 'ab' }]);
    check(
      's:\n  msg: a\n  source: b\ncondition: s',
      [{ msg: 'a', source: 'b' }],
      [{ msg: 'a' }, { source: 'b' }],
    );
    check('s:\n  - msg: a\n  - source: b\ncondition: s', [{ msg: 'a' }, { source: 'b' }], [{ msg: 'b' }]);
  });

  test('null and an empty text are missing values', () => {
    for (const value of ['null', "''", ''])
      check(item(`username: ${value}`), [{ msg: 'a' }], [{ username: 'a' }]);
    check(item('logCode: null'), [{}], [{ logCode: 0 }]);
  });

  test('of numbers are compared as numbers', () => {
    check(item("logCode: ['9003', 7569]"), [{ logCode: 9003 }, { logCode: 7569 }], [{ logCode: 900 }, {}]);
    check(
      item('logCode: 9007199254740993'),
      [{ logCode: 9007199254740993n }],
      [{ logCode: 9007199254740992n }],
    );
    check(item('elapsed|gte: 1.5'), [{ elapsed: 1.5 }, { elapsed: 9 }], [{ elapsed: 1.4 }, {}]);
    check(
      's:\n  logCode|gt: 10\n  logCode|lt: 20\ncondition: s',
      [{ logCode: 11 }, { logCode: 19 }],
      [{ logCode: 10 }, { logCode: 20 }],
    );
    check(
      item('time|lt: 2025-03-12'),
      [{ time: Date.UTC(2025, 2, 11, 23) }],
      [{ time: Date.UTC(2025, 2, 12) }],
    );
    check(item('process: 12'), [{ process: '12' }], [{ process: '120' }]);
  });
});

describe('modifiers', () => {
  test('look for parts of values', () => {
    check(item('msg|contains: timed out'), [{ msg: 'It Timed Out.' }], [{ msg: 'timed-out' }]);
    check(item("msg|contains: 'a*b'"), [{ msg: 'xa-by' }], [{ msg: 'ba' }]);
    check(item('msg|startswith: pool'), [{ msg: 'Pool is low' }], [{ msg: 'a pool' }]);
    check(item('msg|endswith: [left, right]'), [{ msg: 'to the LEFT' }], [{ msg: 'left of' }]);
    check(item('msg|contains|all: [a, b]'), [{ msg: 'b a' }], [{ msg: 'a' }, { msg: 'b' }]);
    check(item('msg|contains|cased: Pool'), [{ msg: 'a Pool' }], [{ msg: 'a pool' }]);
  });

  test('negate, and ask for a value', () => {
    check(item('msg|neq: a'), [{ msg: 'b' }, {}], [{ msg: 'A' }]);
    check(item('msg|exists: true'), [{ msg: '…' }], [{}]);
    check(item('logCode|exists: false'), [{}], [{ logCode: 1 }]);
  });

  test('have regular expressions, which regard case and match anywhere', () => {
    check(
      item("msg|re: 'j[0-9a-f]{3,4}$'"),
      [{ msg: 'Job j12ab' }, { msg: 'j123\n' }],
      [{ msg: 'j12ab.' }, { msg: 'J12ab' }],
    );
    check(
      item("msg|re: '^(a|b+)c|^d'"),
      [{ msg: 'acx' }, { msg: 'bbc' }, { msg: 'dx' }],
      [{ msg: 'xac' }, { msg: 'c' }],
    );
    check(item(String.raw`msg|re|i: 'USER\s+\w+\.Q'`), [{ msg: 'the User  x.q' }], [{ msg: 'user xq' }]);
    check(item("msg|re: 'a.b'"), [{ msg: 'a-b' }], [{ msg: 'a\nb' }]);
    check(item("msg|re|s: 'a.b'"), [{ msg: 'a\nb' }], [{ msg: 'ab' }]);
    check(item("msg|re|m: '^b$'"), [{ msg: 'a\nb\nc' }, { msg: 'b' }], [{ msg: 'a b c' }]);
    check(item("msg|re: '(?i)^[A-C]+$'"), [{ msg: 'aBc' }], [{ msg: 'abd' }]);
    check(item("msg|re|i: '[^A]x'"), [{ msg: 'bX' }], [{ msg: 'ax' }, { msg: 'AX' }]);
    check(item(String.raw`msg|re: '"\d+" <a&b@c#~>'`), [{ msg: '"12" <a&b@c#~>' }], [{ msg: '12 a' }]);
  });

  test('encode values', () => {
    check(item('msg|base64|contains|cased: foobar'), [{ msg: 'x Zm9vYmFy y' }], [{ msg: 'zm9vymfy' }]);
    for (const before of ['', 'x', 'xy'])
      check(
        item('msg|base64offset|contains|cased: foobar'),
        [{ msg: btoa(`${before}foobar!?`) }],
        [{ msg: btoa('foo bar') }],
      );
    check(item('msg|wide|base64|cased: ab'), [{ msg: 'YQBiAA==' }], [{ msg: 'YWI=' }]);
    check(item("msg|windash|contains: ' -x'"), [{ msg: 'a /x' }, { msg: 'a –x' }], [{ msg: 'a x' }]);
  });

  test('know networks of IPv4', () => {
    check(
      item('machine|cidr: 10.1.128.0/17'),
      [{ machine: '10.1.128.0' }, { machine: '10.1.255.9' }],
      [{ machine: '10.1.127.1' }, { machine: '10.1.128.256' }],
    );
  });

  test('know networks of IPv6 in all forms of an address, and single addresses', () => {
    check(
      item("machine|cidr: ['2001:DB8::/33', '::1', '::ffff:10.0.0.0/104']"),
      [
        { machine: '2001:db8::' },
        { machine: '2001:0DB8:7FFF:ffff:ffff:ffff:ffff:ffff' },
        { machine: '2001:db8:0::1' },
        { machine: '2001:db8::1.2.3.4' },
        { machine: '0:0:0:0:0:0:0:1' },
        { machine: '::FFFF:10.255.0.1' },
        { machine: '::ffff:aff:1' },
      ],
      [
        { machine: '2001:db8:8000::' },
        { machine: '2001:db7:ffff::1' },
        { machine: '2001:db8::1::1' },
        { machine: '2001:db8:::1' },
        { machine: '2001:db8::12345' },
        { machine: '2001:db8::1.2.3.256' },
        { machine: '2001:db8::1%eth0' },
        { machine: '[2001:db8::1]' },
        { machine: ':2001:db8::1' },
        { machine: '1:2:3:4:5:6:7:8:9' },
        { machine: '::2' },
        { machine: '10.0.0.1' },
        { msg: '::1' },
      ],
    );
    for (const all of ['::/0', '1:2:3:4:5:6:7:8/0'])
      check(item(`machine|cidr: '${all}'`), [{ machine: '::' }, { machine: 'f::1' }], [{ machine: 'f:1' }]);
    for (const none of ['fe80::/129', 'fe80::/', 'fe80', '1:2:3:4:5:6:7::8:9/3', ''])
      expect(refusal(item(`machine|cidr: '${none}'`))).toContain('is not a network');
  });

  test('compare fields with each other', () => {
    check(
      item('username|fieldref: machine'),
      [{ username: 'Ada', machine: 'aDA' }],
      [{ username: 'ada', machine: 'adam' }, { username: 'ada' }, { machine: 'ada' }, {}],
    );
    check(
      item('msg|fieldref|contains|cased: user'),
      [{ msg: 'of Ada', username: 'Ada' }],
      [{ msg: 'of ada', username: 'Ada' }, { msg: 'of ada' }],
    );
    check(
      item('msg|startswith|fieldref: [username, machine]'),
      [{ msg: 'ab', machine: 'A' }],
      [{ msg: 'ab', machine: 'b', username: 'c' }],
    );
    check(
      item('msg|endswith|all|fieldref: [username, machine]'),
      [{ msg: 'ab', machine: 'B', username: 'ab' }],
      [{ msg: 'ab', machine: 'b' }],
    );
    check(
      item('username|fieldref|neq: machine'),
      [{ username: 'a', machine: 'b' }, {}],
      [{ username: 'a', machine: 'a' }],
    );
    check(
      's: {Who|fieldref: Where}\ncondition: s',
      [{ username: 'a', machine: 'b', source: 'A' }],
      [{ username: 'a', machine: 'b' }],
      'fields: {Who: username, Where: [machine, source]}',
    );
  });

  test('compare parts of times, in UTC', () => {
    const times = (...texts: readonly string[]) => texts.map((text): Log => ({ time: Date.parse(text) }));
    check(item('time|hour: [22, 3]'), times('2025-03-12T22:59:59.999Z', '2025-03-13T03:00:00Z'), [
      ...times('2025-03-12T23:00:00Z', '2025-03-12T02:59:59.999Z'),
      {},
    ]);
    check(item('time|minute|gte: 58'), times('2025-03-12T22:58:00Z'), times('2025-03-12T22:57:59Z'));
    check(item('time|day|lt: 2'), times('2025-03-01T00:00:00Z'), times('2025-03-02T00:00:00Z'));
    // Weeks of ISO 8601: the first of a year has its first Thursday.
    check(
      item('time|week: 1'),
      times('2025-12-29T00:00:00Z', '2024-12-30T12:00:00Z', '2026-01-04T23:59:59Z', '1970-01-04T00:00:00Z'),
      times('2025-12-28T23:59:59Z', '2026-01-05T00:00:00Z', '2027-01-03T00:00:00Z'),
    );
    check(
      item('time|week|gt: 52'),
      times('2020-12-31T00:00:00Z', '2021-01-03T00:00:00Z'),
      times('2021-12-31T00:00:00Z'),
    );
    check(item('time|month|lte: 2'), times('2024-02-29T23:00:00Z'), times('2024-03-01T00:00:00Z'));
    check(item('time|year: 1969'), times('1969-12-31T23:59:59.999Z'), times('1970-01-01T00:00:00Z'));
  });

  test('expand placeholders of the mapping', () => {
    const mapping = 'placeholders: {Admins: [siteadmin, "a.*"]}';
    check(
      item("username|expand: '%Admins%'"),
      [{ username: 'SITEADMIN' }, { username: 'a.b' }],
      [{ username: 'b' }],
      mapping,
    );
    expect(refusal(item("username|expand: '%Others%'"), mapping)).toContain('"%Others%" has no values');
    check(item("username: '%Admins%'"), [{ username: '%admins%' }], [{ username: 'siteadmin' }], mapping);
  });
});

describe('keywords', () => {
  test('are parts of any text, numbers the code too', () => {
    check(
      'k: [dry, 7569]\ncondition: k',
      [{ msg: 'run DRY' }, { stackTraces: 'x dry' }, { logCode: 7569 }, { msg: 'code 75690' }],
      [{ msg: 'd ry', logCode: 75 }],
    );
    check("k:\n  '|all': [a, b]\ncondition: k", [{ msg: 'a', source: 'b' }], [{ msg: 'a' }]);
  });
});

describe('conditions', () => {
  const selections = 'a: {msg: a}\nb: {source: b}\nb2: {username: c}\n_d: {process: d}\n';
  const all: Log = { msg: 'a', source: 'b', username: 'c', process: 'd' };
  test.each<[string, readonly Log[], readonly Log[]]>([
    ['a or b and b2', [{ msg: 'a' }, { source: 'b', username: 'c' }], [{ source: 'b' }]],
    ['(a or b) and b2', [{ msg: 'a', username: 'c' }], [{ msg: 'a' }]],
    ['not a and b', [{ source: 'b' }], [{ msg: 'a', source: 'b' }, {}]],
    ['not (a or b)', [{}, { username: 'c' }], [{ msg: 'a' }]],
    ['NOT not a', [{ msg: 'a' }], [{}]],
    ['1 of them', [{ msg: 'a' }, { username: 'c' }], [{ process: 'd' }]],
    ['all of them', [{ ...all, process: 'x' }], [{ msg: 'a', source: 'b' }]],
    ['2 of them', [all, { msg: 'a', username: 'c' }], [{ msg: 'a', process: 'd' }, {}]],
    ['3 OF them', [all], [{ msg: 'a', username: 'c' }]],
    ['not 2 of b*', [{ source: 'b' }, {}], [all]],
    ['all of b*', [{ source: 'b', username: 'c' }], [{ source: 'b' }]],
    ['any of b* and not 1 of _*', [{ source: 'b' }], [all, { msg: 'a' }]],
  ])('%s', (condition, hits, misses) => check(`${selections}condition: ${condition}`, hits, misses));

  test('of a list are alternatives', () => {
    check(
      `${selections}condition: [a, b and b2]`,
      [{ msg: 'a' }, { source: 'b', username: 'c' }],
      [{ source: 'b' }],
    );
  });

  test.each([
    ['a and', 'ends too early'],
    ['a b', 'cannot go on with "b"'],
    ['(a', 'is not closed'],
    ['x', 'names "x"'],
    ['0 of them', '"0 of" is not supported'],
    ['two of them', '"two of" is not supported'],
    ['4 of them', '"4 of them" never holds: it selects 3 of the names'],
    ['1 of x*', 'selects none of'],
    ['"a | count() > 5"', 'a correlation rule must replace it'],
    [`${'('.repeat(60)}a${')'.repeat(60)}`, 'nests more than 50'],
  ])('%s is refused', (condition, reason) => {
    expect(refusal(`${selections}condition: ${condition}`)).toContain(reason);
  });
});

describe('what cannot be evaluated is reported with its reason', () => {
  test.each([
    ['EventID: 1', 'The field "EventID" is not mapped'],
    ['msg|fieldref: logCode', '"logCode" is a number'],
    ['time|fieldref: msg', '"time" is a time'],
    ['msg|fieldref: 3', 'requires the name of a field'],
    ['msg|fieldref: nothing', 'The field "nothing" is not mapped'],
    ['msg|fieldref|re: source', '"fieldref" and "re" exclude each other'],
    ['msg|fieldref|windash: source', '"windash" and "fieldref" exclude each other'],
    ["'|fieldref': source", 'Keywords cannot have'],
    ['msg|hour: 3', '"msg" is a text'],
    ['time|hour: 24', 'from 0 to 23, got "24"'],
    ['time|hour: 1.5', 'a whole number'],
    ['time|month: 0', 'from 1 to 12'],
    ['time|hour|day: 3', '"hour" and "day" exclude each other'],
    ['time|hour|contains: 3', '"hour" and "contains" exclude each other'],
    ["'|hour': 3", 'Keywords cannot have'],
    ['msg|re|base64: a', '"base64" and "re" exclude each other'],
    ['msg|contains|i: a', 'The modifier "i" requires "re"'],
    ['msg|nonsense: 3', 'The modifier "nonsense" is unknown'],
    ['msg|gt: 3', '"msg" is a text'],
    ['logCode|contains: 3', '"logCode" is a number'],
    ['logCode: 75*', 'which "75*" is not'],
    ['msg|contains|endswith: a', 'exclude each other'],
    ['msg|exists: maybe', 'requires true or false'],
    ['msg|wide: a', 'must be followed by "base64"'],
    ["machine|cidr: '10.0.0.0/33'", 'is not a network'],
    ["msg|re: '(?=a)'", 'look-around'],
    [String.raw`msg|re: '\ba'`, 'which is not supported'],
    [String.raw`msg|re: '(a)\1'`, 'which is not supported'],
    ["msg|re: '(^a|b)c'", 'has "^" or "$" inside'],
    ["msg|re: '(a'", 'is not closed'],
    ["msg|re: '['", 'is not closed'],
    ["msg|re: '(a|aa)+(b|bb)*.{900}c'", 'The regular expression is refused'],
    ["msg|re: 'a{1,3}{1,9999}{5,9999}'", 'The regular expression is refused'],
    ['msg: [[a]]', 'got a list'],
    ['msg: []', 'has no value'],
  ])('%s', async (line, reason) => {
    const time = await processorTime(() => expect(refusal(item(line))).toContain(reason));
    expect(time).toBeLessThan(5000);
  });

  test('for each document of each file', () => {
    const { rules, unsupported } = compileRules([
      {
        name: 'a.yml',
        text: 'title: A\n---\n- 1\n---\ntitle: B\naction: global\n---\ntitle: [x]\n---\ntitle: C\nlevel: odd\n---\ntitle: D\nfilter: {}',
      },
      { name: 'b.yml', text: 'a: [1' },
      { name: 'c.yml', text: 'title: A\ntitle: B' },
      { name: 'empty.yml', text: '# nothing\n' },
      { name: 'd.yml', text: `a: ${'['.repeat(100_000)}` },
      { name: 'e.yml', text: 'x'.repeat(1_100_000) },
    ]);
    expect(rules).toEqual([]);
    expect(unsupported.map(({ file, document, reason }) => `${file} ${document ?? ''} ${reason}`)).toEqual([
      expect.stringContaining('a.yml 2 A rule must be a map, got a list'),
      expect.stringContaining('a.yml 3 "action"'),
      expect.stringContaining('a.yml 4 "title" must be a text'),
      expect.stringContaining('a.yml 5 The level must be one of'),
      expect.stringContaining('b.yml 1 The document is not YAML'),
      expect.stringContaining('c.yml 1 The document is not YAML'),
      expect.stringContaining('d.yml  The file nests more than'),
      expect.stringContaining('e.yml  The file is too large'),
      expect.stringContaining('a.yml 6 The filter cannot be evaluated, nor can its rules'),
      expect.stringContaining('a.yml 1 Its filter "D" cannot be evaluated'),
    ]);
  });

  test('for aliases that expand beyond measure', () => {
    const bomb = [
      'a0: &a0 [x, x]',
      ...Array.from({ length: 30 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]`),
    ].join('\n');
    const { unsupported } = compileRules([{ name: 'a.yml', text: bomb }]);
    expect(unsupported).toMatchObject([{ reason: expect.stringContaining('The document is not YAML') }]);
  });
});

describe('correlations', () => {
  const base = 'title: Base\nname: base\ndetection: {s: {logCode: 1}, condition: s}\n---\n';
  const correlation = (lines: string) =>
    compileRules([
      { name: 'a.yml', text: `${base}title: C\nid: c\ncorrelation:\n${lines.replace(/^/gm, '  ')}` },
    ]);
  const good = 'type: event_count\nrules: [base]\ntimespan: 5m\ngroup-by: [User]\ncondition: {gte: 3}';

  test('hide the rules that they name, unless they generate them', () => {
    expect(correlation(good).rules.map(({ title }) => title)).toEqual(['C']);
    expect(correlation(`${good}\ngenerate: true`).rules.map(({ title }) => title)).toEqual(['Base', 'C']);
    expect(correlation(good).rules).toMatchObject([
      { timespan: 300_000, groupBy: [[['username']]], limits: { gte: 3 } },
    ]);
  });

  test('compute sums, averages, medians and percentiles of numbers', () => {
    const sum = good.replace('event_count', 'value_sum').replace('{gte', '{field: elapsed, gte');
    const percentile = good
      .replace('event_count', 'value_percentile')
      .replace('{gte', '{field: logCode, percentile: 95, gte');
    for (const text of [sum, percentile]) expect(correlation(text).unsupported).toEqual([]);
    expect(correlation(percentile).rules).toMatchObject([
      { type: 'value_percentile', percentile: 95, counted: [['logCode']], limits: { gte: 3 } },
    ]);
  });

  test.each([
    [good.replace('event_count', 'value_mode'), 'The type of correlation "value_mode" is not supported'],
    [good.replace('event_count', 'value_sum'), 'The condition of value_sum requires "field"'],
    [
      good.replace('event_count', 'value_avg').replace('{gte', '{field: msg, gte'),
      'requires a field with numbers, and "msg" is none',
    ],
    [
      good.replace('event_count', 'value_percentile').replace('{gte', '{field: elapsed, gte'),
      'requires "percentile", a number from 0 to 100',
    ],
    [
      good
        .replace('event_count', 'value_percentile')
        .replace('{gte', '{field: elapsed, percentile: 101, gte'),
      'requires "percentile", a number from 0 to 100',
    ],
    [
      good.replace('event_count', 'value_sum').replace('{gte', '{field: elapsed, percentile: 5, gte'),
      'has no "percentile"',
    ],
    [good.replace('[base]', '[other]'), 'The rule "other" that it correlates is in none of the files'],
    [good.replace('[base]', '[c]'), 'correlates itself'],
    [good.replace('5m', '5 minutes'), '"timespan" must be a duration'],
    [good.replace('gte: 3', 'about: 3'), 'The limit "about"'],
    [good.replace('{gte: 3}', '{gte: many}'), 'must be a number'],
    [good.replace('User', 'EventID'), 'The field "EventID" is not mapped'],
    [good.replace('event_count', 'value_count'), 'requires "field"'],
    [good.replace('event_count', 'temporal_ordered'), 'temporal_ordered is not supported'],
    ['type: event_count\nrules: [base]\ntimespan: 5m', 'requires a condition'],
  ])('%s', (lines, reason) => {
    const { unsupported } = correlation(lines);
    expect(unsupported).toMatchObject([{ title: 'C', reason: expect.stringContaining(reason) }]);
  });
});

describe('a mapping', () => {
  test('renames fields, and one name can stand for several', () => {
    const mapping = 'fields: {EventID: logCode, Details: [msg, stackTraces]}';
    check(
      's: {EventID: 1, Details|contains: x}\ncondition: s',
      [{ logCode: 1, stackTraces: 'ax' }],
      [{ logCode: 1 }],
      mapping,
    );
    check('s: {Details: null}\ncondition: s', [{}], [{ msg: 'a' }], mapping);
  });

  test('limits log sources, and adds their conditions', () => {
    const mapping = 'logsources: [{product: arcgis, conditions: {source: Sharing}}]';
    expect(refusal(item('msg: a'), mapping)).toContain('The log source (none) is not in the mapping');
    const text = 'title: T\nlogsource: {product: arcgis, service: x}\ndetection: {s: {msg: a}, condition: s}';
    const [rule] = compileRules([{ name: 'a', text }], readMapping(mapping)).rules;
    if (rule?.kind !== 'detection') throw new Error('No rule');
    expect(match(rule.filter, { msg: 'a', source: 'Sharing' })).toBe(true);
    expect(match(rule.filter, { msg: 'a', source: 'Other' })).toBe(false);
  });

  test.each([
    ['[]', 'must be one map'],
    ['a: 1', 'must not have "a"'],
    ['fields: {A: nothing}', 'which is none of'],
    ['fields: {A: {field: msg, extract: "a("}}', 'with one group'],
    ['fields: {A: {field: msg, extract: "a"}}', 'with one group'],
  ])('%s is refused', (text, reason) => {
    expect(() => readMapping(text)).toThrow(reason);
  });
});

describe('filters', () => {
  const rule = (name: string, more = '') =>
    `title: ${name}\nname: ${name}\nlogsource: {product: arcgis${more}}\ndetection: {s: {logCode: 7569}, condition: s}`;
  const filter = (rules: string, body: string, more = '') =>
    `title: F\nlogsource: {product: arcgis${more}}\nfilter: {${rules}${body}}`;
  const notBackup = 'own: {source|startswith: Backup}, condition: not own';
  const compileAll = (...documents: readonly string[]) =>
    compileRules([{ name: 'a.yml', text: documents.join('\n---\n') }]);
  const sources = (text: readonly string[]) => {
    const { rules, unsupported } = compileAll(...text);
    expect(unsupported).toEqual([]);
    return rules.map((each) => {
      if (each.kind !== 'detection') throw new Error('No rule on single logs');
      return ['Maps', 'Backup/A'].filter((source) => match(each.filter, { source, logCode: 7569 }));
    });
  };

  test('take logs out of the rules that they name, or of those of their log source', () => {
    const [all, some] = [['Maps', 'Backup/A'], ['Maps']];
    expect(sources([rule('a'), rule('b'), filter('rules: [a], ', notBackup)])).toEqual([some, all]);
    expect(sources([filter('', notBackup), rule('a'), rule('b')])).toEqual([some, some]);
    expect(
      sources([filter('rules: any, ', notBackup, ', service: x'), rule('a'), rule('b', ', service: x')]),
    ).toEqual([all, some]);
  });

  test('that cannot be evaluated refuse their rules, which would find too much', () => {
    const bad = 'own: {source|unheard: Backup}, condition: not own';
    const { rules, unsupported } = compileAll(rule('a'), rule('b'), filter('rules: [a], ', bad));
    expect(rules.map(({ title }) => title)).toEqual(['b']);
    expect(unsupported.map(({ title, reason }) => [title, reason])).toEqual([
      ['F', expect.stringContaining('The modifier "unheard" is unknown')],
      ['a', expect.stringContaining('Its filter "F" cannot be evaluated: The modifier "unheard" is unknown')],
    ]);
    expect(compileAll(rule('a'), filter('rules: [z], ', notBackup)).unsupported).toMatchObject([
      { title: 'F', reason: 'The rule "z" that it filters is in none of the files' },
    ]);
  });
});

test('brackets within texts are no nesting', () => {
  const many = '['.repeat(60);
  check(`s:\n  msg: '${many}'\ncondition: s`, [{ msg: many }], [{ msg: '[' }]);
  check(`s:\n  msg: "a \\" ${many}"\ncondition: s`, [{ msg: `a " ${many}` }], []);
  check(`s:\n  msg: don't ${many}\ncondition: s`, [{ msg: `don't ${many}` }], []);
  expect(compileRules([{ name: 'a.yml', text: `a: ${'['.repeat(5000)}` }]).unsupported).toMatchObject([
    { reason: expect.stringContaining('nests more than 40') },
  ]);
});
