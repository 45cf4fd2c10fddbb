import { describe, expect, test } from 'vitest';
import { analyze, analyzeSpans, codePointWidth, lowerCase } from '../../src/language/meaning/analyze.ts';
import { processorTime } from '../processor-time.ts';

/** The tokens of the texts, between bars. */
function checkTokens(examples: readonly (readonly [text: string, tokens: string])[]): void {
  test.each(examples)('%j', (text, tokens) => {
    expect(analyze(text).join('|')).toBe(tokens);
  });
}

describe('what logs are made of', () => {
  checkTokens([
    ['foo-bar', 'foo|bar'],
    ['550e8400-e29b-41d4-a716-446655440000', '550e8400|e29b|41d4|a716|446655440000'],
    ['10.1.2.3:8080', '10.1.2.3|8080'],
    ['at com.foo.Bar(Bar.java:42)', 'at|com.foo.bar|bar.java|42'],
    ['rel_11.2_4567', 'rel_11.2_4567'],
    ['error:timeout host:6443', 'error:timeout|host|6443'],
    ['2024-01-05T10:00:00.123Z', '2024|01|05t10|00|00.123z'],
    ['foo/bar.txt user@example.com', 'foo|bar.txt|user|example.com'],
    ['1,000 1;2 1.45195 0x80004005 1e5 1.5e-3', '1,000|1;2|1.45195|0x80004005|1e5|1.5e|3'],
    ['1.x x.1 v1.2.3 x.y a1.2b', '1|x|x|1|v1.2.3|x.y|a1.2b'],
    ['key=value a,b a;b a&b a|b Foo$Bar', 'key|value|a|b|a|b|a|b|a|b|foo|bar'],
    ["don't O'Neil’s 'quoted'", "don't|o'neil’s|quoted"],
    ['C++ C# -5', 'c|c|5'],
    ['OBJECTID%3D1', 'objectid|3d1'],
    ['', ''],
    ['--- !!! ... _ __', ''],
  ]);
});

describe('joiners', () => {
  checkTokens([
    ['_a_ a__b _1 1_a カ_a', '_a_|a__b|_1|1_a|カ_a'],
    ['a_.b 1_.2', 'a_|b|1_|2'],
    ['a.:b 1.,2', 'a|b|1|2'],
    ['a:1 1:a 1,a', 'a|1|1|a|1|a'],
  ]);
});

describe('scripts', () => {
  checkTokens([
    ['中国 あい 中a', '中|国|あ|い|中|a'],
    ['カタカナ aカ カ1', 'カタカナ|a|カ|カ|1'],
    ['한국어 한국a', '한국어|한국a'],
    ['々々 a々', '々々|a々'],
    ['สวัสดีครับ กa aก', 'สวัสดีครับ|ก|a|a|ก'],
    ['a\u0e31ก \u0e31', 'a\u0e31|ก|\u0e31'],
    ['½ ² Ⅳ', 'ⅳ'],
    ['５５ ５a', '５５|５a'],
    ['e\u0301te\u0301 co\u00adop a\u200db \u0301', 'e\u0301te\u0301|co\u00adop|a\u200db'],
    ['𝒳𝒴 𐐀', '𝒳𝒴|𐐨'],
  ]);
});

describe('Hebrew quotes', () => {
  checkTokens([
    [`א' א"ב א"`, `א'|א"ב|א`],
    [`צה"ל`, `צה"ל`],
    [`א"ב"ג`, `א"ב|ג`],
    [`א"ב.ג א.ב.ג`, `א"ב|ג|א.ב.ג`],
    [`a.א"ב a_א"ב`, `a.א|ב|a_א"ב`],
  ]);
});

describe('emoji', () => {
  checkTokens([
    ['a😀b', 'a|😀|b'],
    ['😀😀', '😀|😀'],
    ['👍🏻 😀🏻 🏻', '👍🏻|😀|🏻|🏻'],
    ['👩\u200d👩\u200d👧', '👩\u200d👩\u200d👧'],
    ['❤\ufe0f\u200d🔥 ❤\ufe0e', '❤\ufe0f\u200d🔥|❤'],
    ['👩\u200d', '👩\u200d'],
    ['\u200d\u200d😀 \u200d🏻', '\u200d\u200d😀|🏻'],
    ['😀\ufe0f\u200d\u200d🏻', '😀\ufe0f|🏻'],
    ['🇩🇪🇫🇷🇩', '🇩🇪|🇫🇷'],
    ['1\ufe0f\u20e3 #\ufe0f\u20e3 #\u20e3 *', '1\ufe0f\u20e3|#\ufe0f\u20e3|#\u20e3'],
    ['🏴\u{e0067}\u{e0062}\u{e007f}', '🏴\u{e0067}\u{e0062}\u{e007f}'],
    ['😀\ufe0f\u{e0067}\u{e007f} 😀\ufe0f\u{e0067}', '😀\ufe0f\u{e0067}\u{e007f}|😀\ufe0f'],
    ['😀\ufe0f\u{e007f}', '😀\ufe0f'],
    ['#a\u20e3 #\ufe0ea', 'a\u20e3|a'],
    ['Ⓜa Ⓜ\u200d😀 Ⓜ', 'ⓜa|ⓜ\u200d😀|ⓜ'],
  ]);
});

describe('a token longer than the window of the engine', () => {
  const lengths = (text: string) => analyzeSpans(text).map(({ from, to }) => [from, to]);

  test('is cut in pieces of 255', () => {
    expect(lengths('a'.repeat(600))).toEqual([
      [0, 255],
      [255, 510],
      [510, 600],
    ]);
  });

  test('is cut before a character that does not fit', () => {
    expect(lengths(`${'a'.repeat(254)}𝒳b`)).toEqual([
      [0, 254],
      [254, 257],
    ]);
  });

  test.each(['ก', '中\u0301', '\u{1f1e9}\u0301'])('is cut in a run of %j, whatever extends it', (lead) => {
    const run = lead + (lead === 'ก' ? lead : '\u0301').repeat(300);
    expect(lengths(lead.startsWith('\u{1f1e9}') ? `${lead}${run}` : run)[0]).toEqual([0, 255]);
  });

  test('is none where its last character stands beyond', () => {
    const marks = '\u0301'.repeat(253);
    expect(lengths(`#${marks.slice(1)}\ufe0f\u20e3`)).toEqual([[0, 255]]);
    expect(lengths(`#${marks}\ufe0f\u20e3`)).toEqual([]);
    expect(lengths(`\u{1f1e9}${marks}\u{1f1eb}`)).toEqual([]);
  });

  test('is cut where it may end', () => {
    expect(lengths(`${'a'.repeat(254)}.a`)).toEqual([
      [0, 254],
      [255, 256],
    ]);
  });

  test('starts as late as it must when joiners lead it', () => {
    expect(lengths(`${'_'.repeat(300)}ab`)).toEqual([
      [46, 301],
      [301, 302],
    ]);
    expect(lengths(`${'\u200d'.repeat(300)}😀`)).toEqual([[47, 302]]);
    expect(lengths('_'.repeat(1_000))).toEqual([]);
  });
});

test.each([
  ['_', ''],
  ['_', 'ab'],
  ['\u200d', ''],
  ['\u200d', '😀'],
  ['_\u200d', ''],
])('a run of %j before %j takes no longer than as many letters', async (lead, end) => {
  const units = 20_000;
  const fastest = async (text: string) => {
    const times = [];
    for (let count = 0; count < 4; count += 1) times.push(await processorTime(() => analyze(text)));
    return Math.min(...times);
  };
  // From each joiner on, the window of 255 units would be read again.
  const expected = await fastest('a'.repeat(units));
  expect(await fastest(lead.repeat(units / lead.length) + end)).toBeLessThan(40 * expected);
});

test('a code point beyond the first 65,536 takes two units', () => {
  expect([0x41, 0xffff, 0x10000, 0x10ffff].map(codePointWidth)).toEqual([1, 1, 2, 2]);
});

describe('lower case', () => {
  test.each([
    ['ΣΊΣΥΦΟΣ', 'σίσυφοσ'],
    ['İstanbul', 'istanbul'],
    ['ÀÉ ẞ \u212a \u2126', 'àé ß k ω'],
    ['\ud800A\udc00', '\ud800a\udc00'],
  ])('%s', (text, lower) => {
    expect(lowerCase(text)).toBe(lower);
  });
});

test('the place of a token is where it stands in the text, which may be in capitals', () => {
  expect(analyzeSpans('At  com.Foo, 😀')).toEqual([
    { term: 'at', from: 0, to: 2 },
    { term: 'com.foo', from: 4, to: 11 },
    { term: '😀', from: 13, to: 15 },
  ]);
});
