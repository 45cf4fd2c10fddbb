import fc from 'fast-check';

/** Clauses as administrators write them, those that Lucene's own parser reads as well. */
const clauses = fc.constantFrom(
  ...['timeout', 'refused', 'connection', 'pool', 'Sharing', 'secret', 'rotated', 'request', 'MapServer'],
  ...['msg:timeout', 'msg:"timed out"', '"connection refused"', 'logLevel:SEVERE', 'logLevel:WARNING'],
  ...['logCode:9003', 'logCode:[9000 TO 9999]', 'elapsed:[1.5 TO 30]', 'source:Sharing'],
  ...['source:"Roads/Traffic.MapServer"', 'requestID:"550e8400-e29b-41d4-a716-446655440000"'],
);

const { level } = fc.letrec((tie) => ({
  level: fc
    .tuple(
      tie('clause'),
      fc.array(fc.tuple(fc.constantFrom(' AND ', ' OR ', ' '), tie('clause')), { maxLength: 3 }),
    )
    .map(([first, rest]) => first + rest.flat().join('')),
  clause: fc.oneof(
    { depthSize: 'small' },
    clauses,
    clauses.map((clause) => `NOT ${clause}`),
    tie('level').map((inner) => `(${inner})`),
  ),
}));

/** A thousand queries, always the same ones. */
export const queries = fc.sample(level, { numRuns: 1000, seed: 20 });

/** A hundred short ones, to be asked of logs. */
export const shortQueries = queries.filter((query) => query.length < 80).slice(0, 100);

const word = fc.constantFrom(
  ...[
    'connection',
    'refused',
    'timed',
    'out',
    'request',
    'for',
    'service',
    'Traffic',
    'pool',
    'is',
    'exhausted',
  ],
  ...[
    'secret',
    'rotated',
    'by',
    'admin',
    'tile',
    'cache',
    'miss',
    'after',
    '1,204',
    'milliseconds',
    '10.1.2.3:6443',
  ],
);

const log = fc.record(
  {
    msg: fc.array(word, { minLength: 4, maxLength: 20 }).map((words) => words.join(' ')),
    source: fc.constantFrom('Sharing', 'Roads/Traffic.MapServer', 'Enterprise Admin', 'Rest'),
    className: fc.constantFrom('com.vendor.geo.Worker', 'org.postgresql.jdbc.PgConnection'),
    logLevel: fc.constantFrom('SEVERE', 'WARNING', 'INFO', 'FINE'),
    logCode: fc.integer({ min: 8900, max: 9100 }),
    elapsed: fc.integer({ min: 0, max: 40_000 }).map((milliseconds) => milliseconds / 1000),
    requestID: fc.uuid(),
  },
  { requiredKeys: ['msg', 'source', 'logLevel', 'logCode'] },
);

/** A thousand logs, always the same ones. */
export const logs = fc.sample(log, { numRuns: 1000, seed: 21 });

/** Texts that are large in one way each. */
export const largeTexts = {
  '1 MB of queries': queries
    .join(' AND ')
    .repeat(12)
    .slice(0, 2 ** 20),
  '100,000 clauses': Array.from({ length: 100_000 }, (_, at) => `word${at % 1000}`).join(' OR '),
};

const count = 100_000;
const many = (clauseOf, joint = ' OR ') => Array.from({ length: count }, (_, at) => clauseOf(at)).join(joint);
const megabyte = (piece) => piece.repeat(Math.ceil(2 ** 20 / piece.length)).slice(0, 2 ** 20);

/** Texts of about a megabyte that are nothing but one thing. */
export const monotonousTexts = {
  'clauses of one field': many(() => 'logLevel:SEVERE'),
  numbers: many((at) => `${9000 + at}`, ' '),
  'ranges of numbers': many((at) => `logCode:[${at} TO ${at + 5}]`).slice(0, 2 ** 20),
  'broad groups': many((at) => `(a${at} b)`),
  'deep groups': many((at) => `${'('.repeat(190)}a${at}${')'.repeat(190)}`).slice(0, 2 ** 20),
  'mixed operators in groups': many((at) => `(a${at} AND b OR c)`, ' AND ').slice(0, 2 ** 20),
  'one word': 'a'.repeat(2 ** 20),
  'one phrase': `msg:"${megabyte('timed out ')}"`,
  'phrases of a word': megabyte('"timed" '),
  'quotation marks': megabyte('"'),
  'open parentheses': '('.repeat(count),
  'open brackets': megabyte('[1 TO '),
  'closing brackets': megabyte(']'),
  wildcards: megabyte('a*b? '),
  'runs of asterisks': many((at) => `a${at}${'*'.repeat(1500)}`).slice(0, 2 ** 20),
  'costly wildcards': many((at) => `*a${at}a${'?'.repeat(12)}`).slice(0, 2 ** 20),
  'costly regular expressions': many((at) => `/a${at}~(.*a.{11})/`).slice(0, 2 ** 20),
  'regular expressions': megabyte('/a[b-c]+/ '),
  'paths without quotes': megabyte('a/b/c '),
  'field names without a value': megabyte('a:b:c '),
  'words of one letter': megabyte('a '),
  'lines of a log': megabyte(
    '2024-01-05T10:00:00 SEVERE java.lang.NullPointerException at com.foo.Bar(Bar.java:42) ',
  ),
};
