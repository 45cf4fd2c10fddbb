import fc from 'fast-check';

/** Few characters, so that patterns find something: of one, two, three and four bytes. */
const letter = fc.constantFrom('a', 'b', 'c', 'a', 'b', '1', '0', 'é', '文', '😀');

/** A term of an index. */
export const term = fc.string({ unit: letter, maxLength: 8 });

/** A term that a query can have. */
export const nonEmptyTerm = fc.string({ unit: letter, minLength: 1, maxLength: 12 });

/** A term of few characters, of any length in UTF-8, that come back. */
export const repetitiveTerm = fc
  .uniqueArray(fc.oneof(letter, fc.constantFrom('a', '\u00e9', '\u65e5', '\u0800', '\uffff', '\u{10ffff}')), {
    minLength: 1,
    maxLength: 7,
  })
  .chain((units) => fc.string({ unit: fc.constantFrom(...units), minLength: 1, maxLength: 20 }));

/** A value of a keyword field, with characters that mean something in patterns or in SQL. */
export const value = fc.string({
  unit: fc.oneof(letter, fc.constantFrom(' ', '\n', '.', '*', '\\', "'", '%', '_', '$')),
  maxLength: 6,
});

/** A wildcard pattern, escapes included. */
export const wildcardPattern = fc
  .array(fc.oneof(letter, fc.constantFrom('?', '*', '*', '\\*', '\\?', '\\a', '\\\\', ' ', '.')), {
    minLength: 1,
    maxLength: 8,
  })
  .map((parts) => parts.join(''));

const count = fc.nat({ max: 4 });
const quantifier = fc.oneof(
  fc.constantFrom('?', '*', '+'),
  count.map((n) => `{${n}}`),
  count.map((n) => `{${n},}`),
  fc.tuple(count, count).map(([n, m]) => `{${n},${m}}`),
);

const sharedQuantifier = fc.oneof(
  fc.constantFrom('?', '*', '+'),
  count.map((n) => `{${n}}`),
  count.map((n) => `{${n},}`),
  fc.tuple(count, count).map(([n, m]) => `{${n},${n + m}}`),
);

const range = fc.tuple(letter, letter).map(([a, b]) => (a < b ? `${a}-${b}` : `${b}-${a}`));
const brackets = fc
  .tuple(fc.constantFrom('[', '[^'), fc.array(fc.oneof(letter, range), { minLength: 1, maxLength: 3 }))
  .map(([open, parts]) => `${open}${parts.join('')}]`);

const bound = fc.constantFrom('0', '1', '9', '10', '11', '001', '100', '101', '010', '110', '1100');
const atom = fc.oneof(
  { arbitrary: letter, weight: 6 },
  { arbitrary: brackets, weight: 2 },
  { arbitrary: fc.constantFrom('.', '@', '#', '()', '\\.', '""'), weight: 2 },
  { arbitrary: fc.string({ unit: letter, maxLength: 3 }).map((text) => `"${text}"`), weight: 1 },
  { arbitrary: fc.tuple(bound, bound).map(([a, b]) => `<${a}-${b}>`), weight: 1 },
);

/** A regular expression that uses all of the engine's syntax. */
export const regexpText: fc.Arbitrary<string> = fc.letrec<{ tree: string }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    atom,
    fc.tuple(tie('tree'), tie('tree')).map(([a, b]) => a + b),
    fc.tuple(tie('tree'), tie('tree')).map(([a, b]) => a + b),
    fc.tuple(tie('tree'), tie('tree')).map(([a, b]) => `(${a}|${b})`),
    fc.tuple(tie('tree'), tie('tree')).map(([a, b]) => `(${a}&${b})`),
    fc.tuple(tie('tree'), tie('tree')).map(([a, b]) => `${a}|${b}`),
    tie('tree').map((a) => `~(${a})`),
    tie('tree').map((a) => `~${a}`),
    fc.tuple(tie('tree'), quantifier).map(([a, many]) => `(${a})${many}`),
    fc.tuple(atom, quantifier).map(([a, many]) => a + many),
  ),
})).tree;

const sharedAtom = fc.oneof(
  fc.constantFrom('a', 'b', 'c', '😀', '.', '(a)'),
  fc
    .tuple(
      fc.constantFrom('[', '[^'),
      fc.array(fc.constantFrom('a', 'b', 'a-c', 'b-😀', '😀'), { minLength: 1, maxLength: 3 }),
    )
    .map(([open, parts]) => `${open}${parts.join('')}]`),
);

/** A regular expression that means the same to JavaScript. */
export const sharedRegexp: fc.Arbitrary<string> = fc.letrec<{ tree: string }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    sharedAtom,
    fc.tuple(tie('tree'), tie('tree')).map(([a, b]) => a + b),
    fc.tuple(tie('tree'), tie('tree')).map(([a, b]) => `(${a}|${b})`),
    fc.tuple(tie('tree'), sharedQuantifier).map(([a, many]) => `(${a})${many}`),
    fc.tuple(sharedAtom, sharedQuantifier).map(([a, many]) => a + many),
  ),
})).tree;

/** Any text of the characters that mean something in a regular expression. */
export const regexpJunk = fc.string({
  unit: fc.constantFrom(...'ab1|&~?*+{},.#@"<>-[]^()\\ 23'),
  maxLength: 12,
});

const one = fc.constantFrom(
  'a',
  '[ab]',
  '.',
  '[^a]',
  '[^é]',
  '[a-文]',
  '[é-😀]',
  '(a|bc)',
  '(ab)?',
  '<1-15>',
  '@',
);
const many = fc
  .tuple(
    one,
    fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: 300 }), fc.integer({ min: 980, max: 1100 })),
    fc.constantFrom('', ','),
  )
  .map(([part, n, open]) => `${part}{${n}${open}}`);
const some = fc.oneof(
  many,
  many,
  fc.constantFrom('.*', 'a', '(a|b)*', '~a', '@', '.*a', 'é', '文文'),
  fc.tuple(one, fc.nat({ max: 300 })).map(([part, n]) => `${part}{0,${n}}`),
);

/** A regular expression about as large as the engine allows. */
export const largeRegexp = fc
  .tuple(some, fc.constantFrom('', '', '|', '&'), some, fc.constantFrom('', '', '~', '&'), some)
  .map((parts) => parts.join(''))
  .chain((text) => fc.constantFrom(text, `(${text}){3}`, `~(${text})`));

/** A wildcard pattern about as large as the engine allows. */
export const largeWildcard = fc
  .oneof(
    fc.tuple(
      fc.constantFrom('', '*', 'a*'),
      fc.constantFrom('a', 'b*a', 'é', ''),
      fc.nat({ max: 14 }).map((ones) => '?'.repeat(ones)),
      fc.constantFrom('', '*', 'b', '*b'),
    ),
    fc.tuple(
      fc.constantFrom('a', ''),
      fc.integer({ min: 990, max: 1010 }).map((ones) => '?'.repeat(ones)),
      fc.constantFrom('*', 'b', '', '*b'),
    ),
    // One asterisk more or less in a row makes a difference at the start only, and to the number of states only.
    fc.tuple(
      fc.integer({ min: 0, max: 6 }).map((runs) => '*'.repeat(runs)),
      fc.constantFrom('a', 'b?a', 'éa'),
      fc.integer({ min: 0, max: 300 }).map((runs) => '*'.repeat(runs)),
      fc.constantFrom('', 'b'),
      fc.nat({ max: 13 }).map((ones) => '?'.repeat(ones)),
    ),
  )
  .map((parts) => parts.join(''))
  .filter((pattern) => pattern !== '');

/** Text that may stand after a `~`. */
export const tilde = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '1',
    '2',
    '3',
    '0.5',
    '.5',
    '1.',
    '1.0',
    '1.5',
    '-1',
    '-0',
    '+1',
    '1e0',
    '5e-1',
    '1e9',
    '3e9',
    '1e40',
    'NaN',
    'Infinity',
    '1f',
    '0.5d',
    '0.5x',
    'x',
    '٣',
    '2147483648',
    '2147483649',
  ),
  fc.double({ min: 0, max: 3, noNaN: true }).map(String),
  fc.float({ min: 0, max: 1, noNaN: true }).map((number) => number.toFixed(2)),
);

/** A text of few different words, and a phrase to look for in such texts. */
export const word = fc.constantFrom('a', 'b', 'c', 'd', 'e');
export const words = fc.array(word, { minLength: 1, maxLength: 14 });
export const phrase = fc.array(word, { minLength: 2, maxLength: 7 });
