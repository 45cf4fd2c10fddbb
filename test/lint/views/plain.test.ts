import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPlainClause, isPlainItem } from '../../../src/lint/views/plain-clause.ts';
import { plainTermOf } from '../../../src/lint/views/plain-term.ts';
import { isPlainAt, isPlainText } from '../../../src/lint/views/plain-text.ts';
import { rounds } from '../../effort.ts';
import { searching, viewed } from './viewed.ts';

test('a plain text is ASCII letters and digits, no more than are one token', () => {
  const character = fc.oneof(fc.constantFrom(...'azAZ09'), fc.constantFrom(...'/:@[`{ é中_\u0080'));
  fc.assert(
    fc.property(
      fc.oneof(fc.array(character, { maxLength: 4 }), fc.array(fc.constantFrom('a', '9'))),
      (letters) => {
        const text = letters.join('');
        expect(isPlainText(text)).toBe(/^[A-Za-z0-9]+$/.test(text));
        for (let at = 0; at <= text.length; at += 1)
          expect(isPlainAt(text, at)).toBe(/[A-Za-z0-9]/.test(text.charAt(at)));
      },
    ),
    { numRuns: rounds(1000) },
  );
  expect(['', 'a'.repeat(255), 'a'.repeat(256)].map(isPlainText)).toEqual([false, true, false]);
});

test.each([
  ['a', true],
  ['9003', true],
  ['and', false],
  ['a.b', false],
  ['a~', false],
  ['a^2', false],
  ['"a b"', true],
  ['"--a--"', true],
  ['"--"', false],
  ['""', false],
  [String.raw`"a\"b"`, false],
  [String.raw`"\\a"`, false],
  ['"a"~2', false],
  ['(a)', true],
  ['(a)^2', false],
  ['[1 TO 5]', false],
  ['tim*', false],
  ['/a/', false],
])('the item %s is plain: %s', (text, expected) => {
  const [first] = viewed(text).clauses;
  expect(first && isPlainItem(first.clause.item)).toBe(expected);
});

test.each([
  ['AND b', true],
  ['OR b', true],
  ['NOT b', true],
  ['AND NOT b', true],
  ['&& b', false],
  ['|| b', false],
  ['-b', false],
  ['+b', false],
  ['!b', false],
  ['msg:b', true],
  ['nosuch:b', false],
  [String.raw`ms\g:b`, false],
  ['msg:tim*', false],
])('behind another one the clause %s is plain: %s', (text, expected) => {
  const last = viewed(`a ${text}`).clauses.at(-1);
  expect(last && isPlainClause(last.clause, last.sought)).toBe(expected);
});

test.each([
  ['Timeout', ['msg'], 'timeout'],
  ['9003', ['msg'], '9003'],
  ['9003', ['msg', 'code'], undefined],
  ['0', ['msg', 'code'], undefined],
  ['a9', ['msg', 'code'], 'a9'],
  ['A9', ['msg', 'code'], 'a9'],
  ['a', ['msg', 'kind'], undefined],
  ['a', ['code'], undefined],
  ['a~1', ['msg'], undefined],
  ['a.b', ['msg'], undefined],
  ['"a"', ['msg'], undefined],
  ['tim*', ['msg'], undefined],
  ['[1 TO 5]', ['msg'], undefined],
])('the plain term of %s in %j is %s', (text, defaults, expected) => {
  const [first] = viewed(text, searching(...defaults)).clauses;
  expect(first && plainTermOf(first.clause.item, first.sought)).toBe(expected);
});

/** What the clauses of a query search: the name, the fields, and of which types they are. */
function soughtIn(text: string, ...defaults: readonly string[]): string[] {
  const { view, query } = viewed(text, searching(...defaults));
  const found: string[] = [];
  collect(query.parts);
  return found;

  function collect(parts: typeof query.parts): void {
    for (const part of parts) {
      if (part.kind === 'Stray') continue;
      const { named, fields, hasText, hasKeyword, hasNumbers, isPlainName } = view.targets(part);
      const types = [
        hasText && 'text',
        hasKeyword && 'keyword',
        hasNumbers && 'numbers',
        isPlainName && 'plain',
      ];
      const names = fields.map(({ name }) => name).join('+');
      found.push(`${named ?? 'any'} ${names} ${types.filter(Boolean).join('+')}`.trim());
      if (part.item.kind === 'Group') collect(part.item.parts);
    }
  }
}

test.each([
  ['a', ['any msg+code text+numbers']],
  ['msg:a kind:a', ['msg msg text+plain', 'kind kind keyword+plain']],
  ['code:1 took:1 time:1', ['code code numbers+plain', 'took took numbers+plain', 'time time numbers+plain']],
  // The clauses of a group are on its field, unless they name one.
  [
    'msg:(a kind:b (c)) d',
    [
      'msg msg text+plain',
      'msg msg text+plain',
      'kind kind keyword+plain',
      'msg msg text+plain',
      'msg msg text+plain',
      'any msg+code text+numbers',
    ],
  ],
  [
    '(a (b))',
    [
      'any msg+code text+numbers',
      'any msg+code text+numbers',
      'any msg+code text+numbers',
      'any msg+code text+numbers',
    ],
  ],
  ['nosuch:a', ['nosuch']],
  [String.raw`ms\g:a`, ['msg msg text']],
])('%s searches %j', (text, expected) => {
  expect(soughtIn(text, 'msg', 'code')).toEqual(expected);
});

test('what a name stands for is looked up once, and what stands for nothing is the same list', () => {
  const { clauses } = viewed('nosuch:a OR nosuch:b OR other:c');
  const [one, again, other] = clauses.map(({ sought }) => sought);
  expect(one).toBe(again);
  expect(other).not.toBe(one);
  expect(other?.fields).toBe(one?.fields);
});
