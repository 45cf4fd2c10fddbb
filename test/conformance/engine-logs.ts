import type { FieldValues } from '../../src/language/meaning/match.ts';

/** Logs that engines tell apart: texts without a token, and more near terms than a fuzzy term stands for. */
export const engineLogs: readonly FieldValues[] = [
  {},
  { msg: '---' },
  { msg: '' },
  { msg: 'a', source: '...', logCode: 5 },
  { msg: 'b', source: 'a', logCode: 7, elapsed: 0.5 },
  { msg: 'a b (c)', machine: 'out' },
  { logCode: -1 },
  ...['tile', 'tiles', 'tine', 'til', 'ti', 'mile', 'itle', 'xtile', 'tilexx'].map((msg) => ({ msg })),
  // 78 terms of which each is one edit from "node0", and two from "nodes".
  ...Array.from({ length: 26 }, (_, place) => ({ msg: `node${String.fromCharCode(97 + place)}` })),
  ...Array.from({ length: 26 }, (_, place) => ({ msg: `${String.fromCharCode(97 + place)}ode0` })),
  ...Array.from({ length: 26 }, (_, place) => ({ msg: `NODE0${String.fromCharCode(97 + place)} up` })),
];

/** Queries that engines read differently, and some that they do not. */
export const engineQueries: readonly string[] = [
  ...[
    'msg:*',
    'source:*',
    'logCode:*',
    '*',
    '*:*',
    'NOT msg:*',
    'msg:[* TO *]',
    '_exists_:msg',
    '_exists_:"msg"',
  ],
  ...[
    'NOT a',
    'NOT a AND NOT b',
    'a OR (NOT b)',
    'NOT (NOT a)',
    'b AND NOT a',
    '*:* AND NOT a',
    '(NOT a) AND b',
  ],
  ...[
    'logCode:>5',
    'elapsed:<=0.5',
    'msg:>a',
    's\\*:a',
    'ms\\*:a',
    'msg:["*" TO a]',
    'msg:[\\* TO a]',
    'msg:[* TO a]',
  ],
  ...['*ile', '?ile', 'ti*', 'ti?e', '\\*a*', '\\?a*', '**', 'msg:/.*ile/'],
  ...['tile~', 'ti~', 'til~', 'tilexx~', 'tile~0', 'tile~1', 'tile~2', 'a~'],
  ...['node0~1', 'node0~2', 'msg:nodes~2', 'msg:node~2', 'NOT msg:node0~1', 'node0~1 AND msg:nodez'],
];
