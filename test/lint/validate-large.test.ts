import { describe, expect, test } from 'vitest';
import { validate } from '../../src/language/lint/validate.ts';
import { applyFix, mostFindings } from '../../src/language/parse/finding.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { rounds } from '../effort.ts';
import { processorTime } from '../processor-time.ts';

const length = rounds(200_000, 60_000);

describe('a long text', () => {
  test.each([
    ['clauses joined by AND', 'timeout AND ', 'x'],
    ['clauses on a field', 'msg:abcd ', 'x'],
    ['words that are cut', 'foo-bar OR ', 'x'],
    ['phrases', '"x y" OR ', 'x'],
    ['values that conflict', 'logCode:5 AND ', 'logCode:6'],
    ['ranges of one field that do not', 'logCode:[1 TO 9] AND ', 'x'],
    ['mixed operators', 'a OR b AND c ', 'x'],
    ['small groups with mixed operators', '(a OR b AND c) ', 'x'],
    ['loose NOTs', '(a OR NOT b) ', 'x'],
    ['contradictions', 'a NOT a ', 'x'],
    ['quotes that do not quote', '“a b” ', 'x'],
    ['quotes that never close', '“a ', 'x'],
    ['paths', '/a/b ', 'x'],
    ['addresses', 'http://a/b/c/ ', 'x'],
    ['one path', '/a', '/'],
    ['unknown fields', 'nope:x ', 'x'],
    ['fields without a colon', 'logCode=5 ', 'x'],
    ['field names', 'logCode ', 'x'],
    ['wildcards', 'tim* ', 'x'],
    ['regular expressions', '/a(b/ ', 'x'],
    ['empty ranges', 'logCode:[9 TO 1] ', 'x'],
    ['backslashes', 'a\\b', 'x'],
    ['escaped backslashes', '\\\\', 'x'],
    ['typographic apostrophes', 'a’', 'a'],
    ['classes', 'IOException ', 'x'],
    ['empty parts', '"--" ', '"--"'],
    ['repeated groups', '(a b) OR ', 'x'],
    ['phrases of codes', '9003 ', 'x'],
    ['one long word', 'a', 'a'],
    ['one long cut word', 'a-', 'a'],
    ['numbers with commas', '1,', '1'],
  ])('of %s is checked in a moment', async (_title, piece, end) => {
    const { query } = parse(piece.repeat(Math.floor(length / piece.length)) + end);
    // It takes a tenth of this, whereas what grows with the square of the length takes far longer.
    expect(await processorTime(() => validate(query))).toBeLessThan(3000);
  });

  test('in groups within groups is checked in a moment', async () => {
    const text = `${'(a OR b AND '.repeat(199)}${'x AND '.repeat(30_000)}y${')'.repeat(199)}`;
    const { query } = parse(text);
    expect(await processorTime(() => validate(query))).toBeLessThan(3000);
    const findings = validate(query);
    expect(findings.length).toBeGreaterThan(mostFindings);
    for (const { fixes } of findings) for (const fix of fixes) expect(applyFix(text, fix)).not.toBe(text);
  });
});
