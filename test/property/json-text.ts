import fc from 'fast-check';
import { fieldAliases, logFields } from '../../src/records/log.ts';
import { edgeNumberText } from '../../src/testing/edge-numbers.ts';

const otherKeys =
  'Request_Id,MSG ,\\u006dsg,pod,,__proto__,toJSON,\ufefftime,länge,a\\n,a\\"b,log,1,01,-1,1.5,10,2,4294967294,4294967295';

/** A key as it may stand in a text. */
export const jsonKey = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...logFields) },
  fc.constantFrom(...Object.values(fieldAliases).flat()),
  fc.constantFrom(...otherKeys.split(','), 'x'.repeat(64), 'x'.repeat(65)),
);

/** Numbers of JSON, and texts that only look like one. */
const numbers =
  '0 -0 7 01 00 -1 1.5 0.1 1.0 1. .5 1.2.3 1e3 1E-2 +1 1e999 0x1 NaN 123456789012345 1234567890123456 ' +
  '9007199254740993 1e400 1e300 -0.0 10e-1 0.30000000000000004 12345.6789012345 0.000000000000001 99999999999999.9 1741651202848 ' +
  '0.000001 0.0000009 1e-7 -1.50 0.0 20 1.10 1e21 1e+21 1741651202.848123';

/** Texts of JSON, and texts that only look like one. */
const texts =
  '"" "a" "INFO" "12" "2024-01-05T10:00:00Z" "2024-01-05" "ä😀" "\\n" "\\"" "\\\\" "\\ud800" "\\q" "\\ " "a ' +
  '"\u2028" "\x7f" "\ufeff" "\0" "\x1f" "\t" null true nul [] ["a","b"] [1] {} {"a":1}';

/** A number as it may stand in a text, or what is none. */
export const jsonNumber = fc.oneof(
  fc.constantFrom(...numbers.split(' ')),
  edgeNumberText,
  fc.double({ noNaN: true, min: 0, max: 1e9 }).map(String),
  fc.nat({ max: 999_999 }).map((thousandths) => String(thousandths / 1_000)),
);

/** Escapes, their meaning, look-alikes, and text between them. */
const escapes =
  '\\n \\t \\" \\\\ \\/ \\b \\f \\r \\u0000 \\u001f \\u000b \\u000A \\u0022 \\u005C \\u0041 \\u00e4 \\u20AC \\ud83d\\ude00 \\ud83d \\udE00 \\ufffd \\uFEFF \\uffff ' +
  '\\q \\u12 \\u12g4 \\N \\U0041 \\x41 a bc ä 😀 .';

const escapedText = fc
  .array(
    fc.oneof(fc.constantFrom(...escapes.split(' ')), fc.constantFrom('\\n', ' ', 'word', 'a'.repeat(16))),
    {
      minLength: 1,
      maxLength: 12,
    },
  )
  .map((pieces) => `"${pieces.join('')}"`);

/** A string as it may stand in a text, or what is none, and a few other values. */
export const jsonText = fc.oneof(
  fc.constantFrom(...texts.split(' '), `"${'long '.repeat(50)}"`),
  escapedText,
  fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 3 }).map((ab) => `"${ab}"`),
  fc.uint8Array({ maxLength: 4 }).map((bytes) => `"${Buffer.from(bytes).toString('latin1')}"`),
);

/** White space of JSON, or what is none; mostly nothing. */
export const jsonBlank = fc.oneof(
  { weight: 60, arbitrary: fc.constant('') },
  { weight: 4, arbitrary: fc.constantFrom(' ', '\t', '\r', ' \r ') },
  fc.constantFrom('\f', '\v', '\xa0', '\ufeff', '\0'),
);

const nested = fc.letrec<{ value: string; item: string; member: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.oneof(jsonText, jsonNumber, fc.constantFrom('true', 'false', 'null', 'tru', 'nulls')),
    fc.array(tie('item'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
    fc.array(tie('member'), { maxLength: 4 }).map((members) => `{${members.join(',')}}`),
  ),
  item: fc.tuple(jsonBlank, tie('value'), jsonBlank).map((parts) => parts.join('')),
  member: fc
    .tuple(
      fc.oneof({ weight: 4, arbitrary: fc.constantFrom('a', 'b', 'c') }, jsonKey),
      jsonBlank,
      tie('value'),
    )
    .map(([name, before, value]) => `"${name}"${before}:${value}`),
}));

/** A value as it may stand in a text, with others in it. */
export const jsonValue = nested.value;
