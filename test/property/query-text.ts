import fc from 'fast-check';
import { edgeNumberText, edgeRange } from './edge-numbers.ts';

/** Pieces that mean something to the lexer, and some that look as if they did. */
const pieces = [
  ...[
    'a',
    'B',
    'timeout',
    'msg',
    'logCode',
    'AND',
    'OR',
    'NOT',
    'TO',
    'and',
    'ANDROID',
    '9003',
    'foo-bar',
    '1.5',
  ],
  ...[
    '&&',
    '||',
    '!',
    '+',
    '-',
    ':',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '"',
    '/',
    '\\',
    '~',
    '^',
    '*',
    '?',
    '>',
    '<',
    '=',
  ],
  ...[
    '[1 TO 5]',
    '{a TO *}',
    '["a b" TO c]',
    '"a b"',
    '"a\\"b"',
    '9007199254740993',
    '[-0 TO 9223372036854775808]',
    '1e400',
    '/re/',
    '~2',
    '^2.5',
    '\\u0041',
    '\\u00',
    '\\"',
  ],
  ...[' ', '  ', '\t', '\n', '\u3000', '\u00a0', '\ufeff', '“', '”', 'é', '中国', '😀', '\ud800', '\u0000'],
];

/** Texts that are nearly queries. */
export const nearQuery = fc
  .array(fc.constantFrom(...pieces), { maxLength: 30 })
  .map((parts) => parts.join(''));

/** Texts of any kind. */
export const anyText = fc.oneof(nearQuery, fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));

const word = fc.oneof(
  {
    arbitrary: fc.constantFrom(
      ...['a', 'b', 'Timeout', 'foo-bar', '9003', 'to', '10.1.2.3', '\\AND', 'x\\ y', 'C#', '...'],
    ),
    weight: 8,
  },
  { arbitrary: edgeNumberText.map((text) => text.replace('-', '\\-')), weight: 1 },
);
const field = fc.constantFrom('msg', 'logCode', 'logLevel', 'elapsed', 'time', 'nosuch', 'source');
const phrase = fc.oneof(
  {
    arbitrary: fc.constantFrom('"timed out"', '"a"', '""', '"--"', '"a \\"b\\" c"', '"foo-bar baz"'),
    weight: 8,
  },
  { arbitrary: edgeNumberText.map((text) => `"${text}"`), weight: 1 },
);
const range = fc.oneof(
  {
    arbitrary: fc.constantFrom(
      ...['[1 TO 5]', '{1 TO 5}', '[1 TO 5}', '[* TO 9003]', '["a b" TO c]', '[b TO a]', '[ 1  TO 2 ]'],
    ),
    weight: 2,
  },
  { arbitrary: edgeRange, weight: 1 },
);

/** Text of valid queries in the documented dialect, escapes, open and mixed bounds included. */
export const documentedQuery = fc.letrec<{ query: string; clause: string; item: string }>((tie) => ({
  query: fc
    .tuple(
      tie('clause'),
      fc.array(fc.tuple(fc.constantFrom(' ', '  ', ' AND ', ' OR ', '\nAND\t'), tie('clause')), {
        maxLength: 4,
      }),
    )
    .map(([first, rest]) => first + rest.flat().join('')),
  clause: fc
    .tuple(fc.constantFrom('', '', '', 'NOT '), fc.option(field, { nil: undefined }), tie('item'))
    .map(([modifier, name, item]) => modifier + (name ? `${name}:` : '') + item),
  item: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    word,
    phrase,
    range,
    tie('query').map((query) => `(${query})`),
  ),
})).query;

/** Text of valid queries in the engine's whole syntax. */
export const luceneQuery = fc.letrec<{ query: string; clause: string; item: string }>((tie) => ({
  query: fc
    .tuple(
      tie('clause'),
      fc.array(fc.tuple(fc.constantFrom(' ', ' AND ', ' OR ', ' && ', ' || ', '\n'), tie('clause')), {
        maxLength: 4,
      }),
    )
    .map(([first, rest]) => first + rest.flat().join('')),
  clause: fc
    .tuple(
      fc.constantFrom('', '', '', 'NOT ', '!', '+', '-'),
      fc.option(field, { nil: undefined }),
      tie('item'),
    )
    .map(([modifier, name, item]) => modifier + (name ? `${name}:` : '') + item),
  item: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    word,
    phrase,
    range,
    fc.constantFrom(
      'tim*',
      't?m*',
      '*',
      '/ti(m|n)e?/',
      'tine~1',
      '"a b"~3',
      'a^2',
      '"a"~1^2',
      '>5',
      '<=b',
      '+ ',
      '- ',
    ),
    tie('query').map((query) => `(${query})`),
  ),
})).query;
