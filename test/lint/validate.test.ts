import { describe, expect, test } from 'vitest';
import { validate } from '../../src/language/lint/validate.ts';
import { mostFindings } from '../../src/language/parse/finding.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { processorTime } from '../processor-time.ts';

const codesIn = (text: string, options = {}) => validate(parse(text).query, options).map(({ code }) => code);

test('findings are in the order of the text, the longer first, then in that of the rules', () => {
  const findings = validate(parse('levle:WARN OR foo-bar AND “a b” logCode:abc').query);
  expect(findings.map(({ from, to, code }) => [from, to, code])).toEqual([
    [0, 5, 'unknown-field'],
    [14, 21, 'split-word'],
    [26, 31, 'wrong-quotes'],
    [40, 43, 'value-type'],
  ]);
});

test('a finding has what an editor needs', () => {
  expect(validate(parse('logLevel:WARN').query)).toEqual([
    {
      code: 'unknown-value',
      severity: 'warning',
      from: 9,
      to: 13,
      message:
        '"WARN" is none of the known values of "logLevel": SEVERE, WARNING, INFO, FINE, VERBOSE, DEBUG',
      fixes: [{ title: 'Change to WARNING', edits: [{ from: 9, to: 13, insert: 'WARNING' }] }],
    },
  ]);
});

describe('options', () => {
  test('a rule can be silenced, or taken more seriously', () => {
    expect(codesIn('foo-bar', { severities: new Map([['split-word', 'off']]) })).toEqual([]);
    const [finding] = validate(parse('foo-bar').query, { severities: new Map([['split-word', 'error']]) });
    expect(finding?.severity).toBe('error');
  });

  test('a rule that is off can be turned on', () => {
    expect(codesIn('elapsed:[* TO 5]')).toEqual([]);
    expect(codesIn('elapsed:[* TO 5]', { severities: new Map([['unmentioned-syntax', 'hint']]) })).toEqual([
      'unmentioned-syntax',
    ]);
  });

  test('the dialect is the documented one unless another one is given', () => {
    expect(codesIn('tim*')).toEqual(['refused-syntax']);
    expect(codesIn('tim*', { dialect: 'lucene' })).toEqual([]);
  });

  test('now decides what a date is', () => {
    const text = 'time:[2024-06-01 TO now]';
    expect(codesIn(text, { now: Date.UTC(2024, 0, 1) })).toEqual(['empty-range']);
    expect(codesIn(text, { now: Date.UTC(2025, 0, 1) })).toEqual([]);
  });
});

test.each([
  ['((a OR b AND c))', ['mixed-operators', 'optional-part']],
  ['((((a OR b AND c))))', ['mixed-operators', 'optional-part']],
  ['(NOT (a OR b AND c))', ['mixed-operators', 'optional-part']],
  ['(msg:(a OR b AND c))', ['mixed-operators', 'optional-part']],
  ['((a OR b AND c)^2)', ['mixed-operators', 'optional-part', 'refused-syntax']],
  ['(+(a OR b AND c))', ['mixed-operators', 'optional-part', 'refused-syntax']],
])('groups within groups are looked at once: %s', (text, codes) => {
  expect(codesIn(text).sort()).toEqual(codes);
});

describe('each thing is said once', () => {
  test.each([
    // An address, a path or a pair of quotes explains all of its pieces, save what the server refuses.
    ['http://host:6443/a/b-c', ['unknown-field']],
    ['http://host:6443/a/b-c?e=f', ['unknown-field', 'refused-syntax']],
    ['C:\\temp\\foo-bar.txt', ['unknown-field']],
    ['path:/a/b-c', ['unknown-field', 'slash-pair']],
    ['“foo-bar and baz AND x y”', ['wrong-quotes']],
    ['“see http://a/b now”', ['wrong-quotes']],
    ['DOMAIN\\foo-bar', ['lost-backslash']],
    ['logLevel=SEVERE', ['field-without-colon']],
    ['elapsed > 5 AND logLevel = SEVERE', ['field-without-colon', 'field-without-colon']],
    ['logCode:9000 TO 9999', ['range-without-brackets']],
    ['elapsed:> 5', ['lone-comparison']],
    ['logLevel:SEVERE,WARN', ['split-word']],
    ['a - b', ['empty-part']],
    ['msg:>5', ['range-on-text']],
    // A part that filters nothing is named beside the operator that is to blame.
    ['a OR b AND c', ['optional-part', 'mixed-operators']],
    ['a OR NOT b', ['loose-not']],
  ])('%s', (text, codes) => {
    expect(codesIn(text)).toEqual(codes);
  });

  test('of broken text the sound parts are looked at', () => {
    expect(codesIn('levle:a AND (foo-bar')).toEqual(['unknown-field', 'split-word']);
    expect(codesIn('a OR b AND')).toEqual([]);
    expect(codesIn('http://x.y/z')).toEqual([]);
    expect(codesIn('time:2024-01-01T00:00:00')).toEqual([]);
    expect(codesIn('')).toEqual([]);
    expect(codesIn('f:')).toEqual(['unknown-field']);
  });
});

describe('a phrase of a megabyte', () => {
  test.each([
    ['words, and a sign at the end', `msg:"${'a '.repeat(500_000)}-"`],
    ['a backslash at the end', `"${'a'.repeat(1_000_000)}\\"`],
    ['nothing but signs', `"${'-'.repeat(1_000_000)}"`],
  ])('is looked through once: %s', async (_, text) => {
    expect(await processorTime(() => validate(parse(text).query))).toBeLessThan(3000);
  });
});

describe('a text with very many findings', () => {
  test('has the first ones of each rule, and says how many more there are', () => {
    const text = `${'foo-bar OR '.repeat(421)}levle:x`;
    const findings = validate(parse(text).query).filter(({ code }) => code === 'split-word');
    expect(findings).toHaveLength(mostFindings);
    expect(findings[0]).toMatchObject({
      from: 0,
      message: '"foo-bar" is cut into "foo" and "bar", and any of them alone finds a log',
    });
    expect(findings.at(-1)).toMatchObject({
      from: 49 * 11,
      message:
        '"foo-bar" is cut into "foo" and "bar", and any of them alone finds a log (and 371 more like this)',
    });
    expect(codesIn(text)).toContain('unknown-field');
  });

  test('as many as there may be are all there', () => {
    const findings = validate(parse(`${'foo-bar OR '.repeat(mostFindings - 1)}foo-bar`).query);
    const found = findings.filter(({ code }) => code === 'split-word');
    expect(found).toHaveLength(mostFindings);
    expect(found.at(-1)?.message).not.toContain('more');
  });
});
