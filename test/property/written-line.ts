import fc from 'fast-check';
import { fieldAliases } from '../../src/records/aliases.ts';
import { logFields } from '../../src/records/log.ts';
import { edgeNumberText } from './edge-numbers.ts';

const otherKeys = ['Request_Id', 'MSG ', '\\u006dsg', 'pod', '', '__proto__', '\ufefftime', 'länge', '1'];

const key = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...logFields) },
  fc.constantFrom(...Object.values(fieldAliases).flat()),
  fc.constantFrom(...otherKeys, 'x'.repeat(300)),
);

/** Numbers of JSON, and texts that only look like one. */
const numbers =
  '0 -0 7 01 00 -1 1.5 0.1 1.0 1. .5 1.2.3 1e3 1E-2 +1 1e999 0x1 NaN 123456789012345 1234567890123456 ' +
  '9007199254740993 1e400 1e300 -0.0 10e-1 0.30000000000000004 12345.6789012345 0.000000000000001 99999999999999.9 1741651202848';

/** Texts of JSON, and texts that only look like one. */
const texts =
  '"" "a" "INFO" "12" "2024-01-05T10:00:00Z" "2024-01-05" "ä😀" "\\n" "\\"" "\\\\" "\\ud800" "\\q" "\\ " "a ' +
  '"\u2028" "\x7f" "\ufeff" "\0" "\x1f" "\t" null true nul [] ["a","b"] [1] {} {"a":1}';

const number = fc.oneof(
  fc.constantFrom(...numbers.split(' ')),
  edgeNumberText,
  fc.double({ noNaN: true, min: 0, max: 1e9 }).map(String),
  fc.nat({ max: 999_999 }).map((thousandths) => String(thousandths / 1_000)),
);

/** Escapes, their meaning, look-alikes, and text between them. */
const escapes =
  '\\n \\t \\" \\\\ \\/ \\b \\f \\r \\u0000 \\u001f \\u0041 \\u00e4 \\u20AC \\ud83d\\ude00 \\ud83d \\udE00 \\ufffd \\uFEFF \\uffff ' +
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

const text = fc.oneof(
  fc.constantFrom(...texts.split(' '), `"${'long '.repeat(50)}"`),
  escapedText,
  fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 3 }).map((ab) => `"${ab}"`),
  fc.uint8Array({ maxLength: 4 }).map((bytes) => `"${Buffer.from(bytes).toString('latin1')}"`),
);

const blank = fc.oneof(
  { weight: 60, arbitrary: fc.constant('') },
  { weight: 4, arbitrary: fc.constantFrom(' ', '\t', '\r', ' \r ') },
  fc.constantFrom('\f', '\v', '\xa0', '\ufeff', '\0'),
);

const member = fc
  .tuple(
    blank,
    fc.oneof(
      fc.tuple(key, text),
      fc.tuple(fc.constantFrom('time', 'logCode', 'elapsed', 'code'), number),
      fc.tuple(key, number),
    ),
    blank,
  )
  .map(([before, [name, value], after]) => `${before}"${name}"${after}:${before}${value}${after}`);

/**
 * A line that is nearly a log of NDJSON, or is one: with all that may be
 * strange in its keys, its values and around them. Written as Latin 1, it has
 * bytes that are no UTF-8.
 */
export const writtenLine: fc.Arbitrary<Uint8Array> = fc
  .record({
    first: fc.constantFrom('"msg":"a"', '"msg":"ab"', '"time":1', '"source":"b"'),
    more: fc.array(member, { maxLength: 3 }),
    around: fc.tuple(blank, blank),
    end: fc.oneof({ weight: 30, arbitrary: fc.constant('}') }, fc.constantFrom('', ',}', '}}', '} x', '},')),
    encoding: fc.constantFrom('utf8' as const, 'utf8' as const, 'latin1' as const),
  })
  .map(({ first, more, around, end, encoding }) =>
    Buffer.from(`${around[0]}{${[first, ...more].join(',')}${end}${around[1]}`, encoding),
  );
