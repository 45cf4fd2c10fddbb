import fc from 'fast-check';
import {
  type Dialect,
  type EngineName,
  engines,
  hasErrors,
  parse,
  type Query,
  type Schema,
  validate,
} from '../language/index.ts';
import { edgeNumberText, edgeRange } from './edge-numbers.ts';
import { shrinkingByTree } from './shorter-queries.ts';

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
export const documentedQuery = shrinkingByTree(
  fc.letrec<{ query: string; clause: string; item: string }>((tie) => ({
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
  })).query,
);

/** Text of valid queries in the engine's whole syntax. */
export const luceneQuery = shrinkingByTree(
  fc.letrec<{ query: string; clause: string; item: string }>((tie) => ({
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
  })).query,
);

/** Texts of which people mean something else than the server, each acceptable to the engine where it stands. */
const pitfalls = [
  ...[
    'a',
    'b',
    'timed',
    '9003',
    '9004',
    'foo-bar',
    'x.y',
    'and',
    'or',
    'not',
    'And',
    'to',
    '&',
    '|',
    '...',
    '"--"',
    '- ',
  ],
  ...[
    '“a',
    'b”',
    '“timed out”',
    "'a",
    "b'",
    'don’t',
    '“',
    '\\AND',
    'DOMAIN\\bob',
    '"C:\\temp"',
    'a\\ b',
    '\\u0041',
  ],
  ...[
    'http://x.y/a/b',
    'localhost:8080',
    '12:34',
    'C:\\temp\\a.txt',
    'Foo.java:42',
    'error:timeout',
    'levle:SEVERE',
    'path:/a/b',
  ],
  ...['/a/b', '/opt and /usr', 'msg:/a/b', '/ti(m|n)e/', '/a b/', '/a+/'],
  ...[
    'logLevel=SEVERE',
    'elapsed > 5',
    'elapsed>=5',
    'logCode != 9003',
    'msg="a b"',
    '> 5',
    '>5',
    'elapsed:> 5',
    'elapsed:>5',
    '> 2024-01-01',
    'log\\*:> 5',
  ],
  ...[
    '9000 TO 9999',
    'logCode:9000 to 9999',
    'logCode:[5 TO 1]',
    'logCode:{1 TO 2}',
    'elapsed:{5 TO 5}',
    'msg:[a TO b]',
    '[1 TO 5]',
    'log\\*:[1 TO 5]',
    '2024-01-01 TO 2024-02-01',
  ],
  ...[
    'time:2024-01',
    'time:[* TO 2024-02]',
    'time:{2024 TO *}',
    'time:yesterday',
    'time:[2024-05-01 TO 2024-04-01]',
    'time:1700000000',
  ],
  ...[
    'logCode:9007199254740992',
    'logCode:9007199254740993',
    'logCode:[9223372036854775807 TO *]',
    'logCode:{9223372036854775807 TO *]',
    'logCode:[* TO 9223372036854775808]',
    'logCode:[9007199254740993 TO 9007199254740992]',
    'logCode:1e19',
    'elapsed:1e30',
    'elapsed:1e400',
    'elapsed:[0 TO -0]',
    'elapsed:"-0"',
    'time:[8640000000000001 TO *]',
  ],
  ...[
    'logCode:abc',
    'elapsed:5s',
    'elapsed:1,5',
    'logCode:9000-9003',
    'logCode:9000,9003',
    'logCode:1.5',
    'logCode:(9003 9004)',
  ],
  ...[
    'logLevel:WARN',
    'logLevel:ERROR',
    'logLevel:severe',
    'logLevel:SEVERE,WARNING',
    'logLevel:[WARNING TO SEVERE]',
    'logLevel:SEVERE',
  ],
  ...[
    'logCode:9003',
    'logCode:9004',
    'logLevel:WARNING',
    'msg:connection refused',
    'msg:a',
    'elapsed:[1 TO 2]',
    'elapsed:[5 TO *]',
  ],
  ...[
    'tim*',
    't?me',
    '*',
    'a^2',
    'tine~1',
    '"a b"~3',
    'C++',
    'NullPointerException',
    'java.lang.NullPointerException',
  ],
];

/** Queries in which such texts stand beside each other. Not all of them are accepted. */
export const doubtfulQuery = shrinkingByTree(
  fc.letrec<{ query: string; clause: string }>((tie) => ({
    query: fc
      .tuple(
        tie('clause'),
        fc.array(fc.tuple(fc.constantFrom(' ', ' ', ' AND ', ' OR ', '\n', ' && ', ' || '), tie('clause')), {
          maxLength: 4,
        }),
      )
      .map(([first, rest]) => first + rest.flat().join('')),
    clause: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      {
        weight: 6,
        arbitrary: fc
          .tuple(fc.constantFrom('', '', '', 'NOT ', '+', '-', '!'), fc.constantFrom(...pitfalls))
          .map((pieces) => pieces.join('')),
      },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.constantFrom('', 'NOT ', 'msg:', 'logCode:', 'logLevel:'), tie('query'))
          .map(([head, query]) => `${head}(${query})`),
      },
    ),
  })).query,
);

/** What makes a query valid. */
export interface QueryOptions {
  /** The permitted syntax; `documented` unless given. */
  readonly dialect?: Dialect;
  /** The engine that takes the query; that of the deployment unless given. */
  readonly engine?: EngineName;
  /** The fields; the documented ones unless given. */
  readonly schema?: Schema;
}

/**
 * Texts of queries that the engine takes, in the documented or in the whole syntax.
 *
 * ```ts
 * fc.assert(fc.property(validQuery({ dialect: 'lucene' }), (text) => parse(text).findings.length === 0));
 * ```
 */
export function validQuery(options: QueryOptions = {}): fc.Arbitrary<string> {
  const { dialect = 'documented', engine = 'deployment', schema } = options;
  const text = dialect === 'documented' ? documentedQuery : luceneQuery;
  const context = { dialect, engine: engines[engine], now: 0, ...(schema && { schema }) };
  return text.filter((candidate) => {
    const { query, findings } = parse(candidate);
    return findings.length === 0 && !hasErrors(validate(query, context));
  });
}

/**
 * Texts that are no queries: the engine refuses each of them.
 *
 * ```ts
 * fc.assert(fc.property(brokenQuery, (text) => 0 < parse(text).findings.length));
 * ```
 */
export const brokenQuery: fc.Arbitrary<string> = fc
  .oneof(nearQuery, fc.tuple(luceneQuery, fc.constantFrom(...'():[]{}"/~^'), fc.nat()).map(insertInto))
  .filter((text) => 0 < parse(text).findings.length);

function insertInto([text, piece, index]: [string, string, number]): string {
  const position = index % (text.length + 1);
  return text.slice(0, position) + piece + text.slice(position);
}

/**
 * Trees of valid queries.
 *
 * ```ts
 * fc.assert(fc.property(queryTree(), (query) => parse(print(query)).findings.length === 0));
 * ```
 */
export function queryTree(options: QueryOptions = {}): fc.Arbitrary<Query> {
  return validQuery(options).map((text) => parse(text).query);
}
