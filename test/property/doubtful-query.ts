import fc from 'fast-check';

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
export const doubtfulQuery = fc.letrec<{ query: string; clause: string }>((tie) => ({
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
})).query;
