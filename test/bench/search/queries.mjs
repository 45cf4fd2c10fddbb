/**
 * The queries in the language of each tool. All tokenizers cut their words alike. A tool that cannot express a query is left out;
 * the bench shows the count of a tool that finds other logs.
 */

/** The length of a histogram interval in milliseconds. The logs of 36 hours make 60. */
export const bucket = 36 * 60_000;

const from = Date.UTC(2025, 2, 12, 0);
const to = Date.UTC(2025, 2, 12, 6);

/** A word in the message of a line of NDJSON. */
const inMessage = (expression) => [`"msg":"(?:[^"\\\\]|\\\\.)*${expression}`];

const term = (name, word) => ({
  name: `${name} term`,
  own: `msg:${word}`,
  lucene: `msg:${word}`,
  fts: `msg : ${word}`,
  like: `lower(msg) LIKE '%${word}%'`,
  rg: inMessage(`\\b${word}\\b`),
});

export const queries = [
  term('rare', 'hydrants'),
  term('medium', 'simplify'),
  term('frequent', 'request'),
  {
    name: 'phrase',
    own: 'msg:"timed out"',
    lucene: 'msg:"timed out"',
    fts: 'msg : "timed out"',
    like: "lower(msg) LIKE '%timed out%'",
    rg: inMessage('\\btimed out\\b'),
  },
  {
    name: 'boolean with range',
    own: 'msg:request AND NOT msg:completed AND time:[2025-03-12T00:00:00.000Z TO 2025-03-12T06:00:00.000Z]',
    lucene: '+msg:request -msg:completed',
    ...{ from, to },
    fts: '(msg : request) NOT (msg : completed)',
    like: `lower(msg) LIKE '%request%' AND lower(msg) NOT LIKE '%completed%' AND time BETWEEN ${from} AND ${to}`,
  },
  {
    name: 'pure NOT',
    own: 'NOT msg:request',
    lucene: '*:* -msg:request',
    not: 'msg : request',
    like: "coalesce(lower(msg) NOT LIKE '%request%', true)",
    rg: ['-v', ...inMessage('\\brequest\\b')],
  },
  {
    name: 'regular expression',
    own: 'msg:/simpl[ia-f]+y/',
    lucene: 'msg:/simpl[ia-f]+y/',
    like: "regexp_matches(lower(msg), '\\bsimpl[ia-f]+y\\b')",
    rg: inMessage('\\bsimpl[ia-f]+y\\b'),
  },
  {
    name: 'wildcard',
    own: 'msg:comp*ed',
    lucene: 'msg:comp*ed',
    like: "regexp_matches(lower(msg), '\\bcomp\\w*ed\\b')",
    rg: inMessage('\\bcomp\\w*ed\\b'),
  },
];
