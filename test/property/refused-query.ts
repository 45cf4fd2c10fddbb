import fc from 'fast-check';
import {
  anyText,
  documentedQuery,
  doubtfulQuery,
  luceneQuery,
  nearQuery,
} from '../../src/testing/query-text.ts';
import { regexpJunk, regexpText, tilde } from './pattern-text.ts';

/** Pieces of paths, addresses and patterns, with the characters that the deployment refuses and what protects them. */
const pieces = [
  ...[
    'a',
    'b',
    'msg',
    'path',
    'https',
    'logCode',
    'é',
    '中',
    '😀',
    '9003',
    '.',
    '-',
    ' ',
    ' OR ',
    ' AND ',
    'NOT ',
  ],
  ...['/', '/', '//', ':', '?', '*', '^', '+', '~', '\\', '"', '“', '”', '(', ')', '=', '<', '&', '|', '!'],
  ...[
    '\\*',
    '\\+',
    '\\\\',
    '"a*b"',
    '"?',
    '[',
    ' TO ',
    ']',
    '{',
    '}',
    '[* TO 5]',
    '[a? TO "b*"]',
    '~2',
    '^2',
    '+b',
  ],
];

const touching = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 12 })
  .map((parts) => parts.join(''));

/** Texts that people paste: paths and addresses, with a character in one of their parts that the deployment refuses. */
const pasted = fc
  .tuple(
    fc.constantFrom('', 'https://', 'path:/', '/', 'C:\\', 'msg:/', 'a', '“', "'", 'logLevel=', 'logCode: '),
    fc.array(fc.constantFrom('a', 'b c', 'd*', 'e?f=g', 'h+i', 'j^2', 'k.l', '{m}', '8080', 'n~+1', '\\*'), {
      minLength: 1,
      maxLength: 4,
    }),
    fc.constantFrom('/', '/', ':', '\\', ' TO '),
    fc.constantFrom('', '/', '”', "'", ' AND b', ' /c'),
  )
  .map(([start, parts, separator, end]) => start + parts.join(separator) + end);

/** Patterns and distances, some of which the engine refuses. */
const patterns = fc.oneof(
  regexpText.map((text) => `/${text}/`),
  regexpJunk.map((text) => `msg:/${text}/`),
  fc
    .tuple(fc.constantFrom('a', '"a b"', '"a"', 'logCode:5', 'nosuch:"a b"'), tilde)
    .map((parts) => parts.join('~')),
);

/** About as many clauses as the engine takes, written in as little as one character each. */
const numerous = fc
  .tuple(
    fc.constantFrom('', 'msg:', '\\*:', 'nosuch:', 'logCode:', 'NOT '),
    fc.constantFrom('a ', 'a OR ', 'a,', '中', 'msg:a OR ', '"a b" ', '[1 TO 2] ', '>5 ', '(a) '),
    fc.constantFrom(68, 73, 79, 127, 128, 129, 146, 147, 1023, 1024, 1025, 1100),
    fc.boolean(),
  )
  .map(([field, piece, count, isGroup]) => {
    const text = `${piece.repeat(count - 1)}${piece.replace(/ OR $/, '')}`;
    return field + (isGroup ? `(${text})` : text);
  });

/** Texts on both sides of what the deployment refuses. */
export const refusedQuery = fc.oneof(
  { weight: 4, arbitrary: touching },
  { weight: 4, arbitrary: pasted },
  { weight: 2, arbitrary: patterns },
  { weight: 1, arbitrary: numerous },
  { weight: 1, arbitrary: fc.oneof(nearQuery, anyText) },
  { weight: 2, arbitrary: fc.oneof(documentedQuery, luceneQuery, doubtfulQuery) },
);
