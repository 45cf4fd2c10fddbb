import fc from 'fast-check';

/** At least one character of every class that the analyzer knows, and pairs that its rules turn on. */
export const classSamples: readonly string[] = [
  ...[' ', 'a', 'İ', 'Σ', 'א', '1', '５', 'カ', '_', ':', '·', ',', ';', '.', '’', "'", '"'],
  ...['ก', '中', '々', 'あ', '한', '😀', '👍', 'Ⓜ', '🏻', '🇩', '#', '*'],
  ...['\u0301', '\u00ad', '\u0e31', '\u200d', '\u20e3', '\ufe0e', '\ufe0f', '\u{e0061}', '\u{e007f}'],
  ...['𝒳', '\r', '\n', '½', '\u2028', '\uffff'],
];

const sample = fc.constantFrom(...classSamples);

/** Short texts in which the rules for joining meet often. */
const dense = fc.string({ unit: sample, maxLength: 12 });

/** Texts of few pieces that are repeated often, so that tokens reach the end of the engine's window. */
const long = fc
  .array(fc.tuple(dense, fc.integer({ min: 1, max: 300 })), { maxLength: 5 })
  .map((pieces) => pieces.map(([piece, times]) => piece.repeat(times).slice(0, 600)).join(''));

const word = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'abcXYZ019._-:/$'), minLength: 1, maxLength: 20 }),
  fc.ipV4(),
  fc.uuid(),
  fc.webUrl(),
  fc.emailAddress(),
  fc.float().map(String),
  fc.constantFrom("don't", 'O’Neil', '2024-01-05T10:00:00.123Z', 'at com.foo.Bar(Bar.java:42)', '0x80004005'),
);

/** ASCII texts as logs have them. */
const logLike = fc
  .array(fc.tuple(word, fc.constantFrom(' ', ', ', '=', '="', '" ', ' - ', '\n\tat ', '|')), {
    maxLength: 30,
  })
  .map((words) => words.flat().join(''));

/** Emoji sequences, good and broken. */
const emoji = fc.string({
  unit: fc.constantFrom(
    ...['😀', '👩', '👍', '❤', '©', 'Ⓜ', '🏻', '🏿', '🏴', '🇩', '🇪', '#', '1', 'a', ' ', '\u0301'],
    ...['\u200d', '\ufe0f', '\ufe0e', '\u20e3', '\u{e0067}', '\u{e007f}'],
  ),
  maxLength: 20,
});

/** Any code points of any script, and any UTF-16 units. */
const anything = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({
    unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
    maxLength: 40,
  }),
  fc.string({
    unit: fc.oneof(
      fc.integer({ min: 0xd800, max: 0xdfff }).map((unit) => String.fromCharCode(unit)),
      sample,
    ),
    maxLength: 40,
  }),
);

/** Texts that an analyzer may find hard, of every kind. */
export const analyzerText = fc.oneof(dense, long, logLike, emoji, anything);
