import { expect, test } from 'vitest';
import { searching, viewed } from '../viewed.ts';

/** The targets of the clauses of a query: the name, the fields, and their types. */
function targetsIn(text: string, ...defaults: readonly string[]): string[] {
  const { view, query } = viewed(text, searching(...defaults));
  const found: string[] = [];
  collect(query.parts);
  return found;

  function collect(parts: typeof query.parts): void {
    for (const part of parts) {
      if (part.kind === 'Stray') continue;
      const { named, fields, hasText, hasKeyword, hasNumbers } = view.targets(part);
      const types = [hasText && 'text', hasKeyword && 'keyword', hasNumbers && 'numbers'];
      const names = fields.map(({ name }) => name).join('+');
      found.push(`${named ?? 'any'} ${names} ${types.filter(Boolean).join('+')}`.trim());
      if (part.item.kind === 'Group') collect(part.item.parts);
    }
  }
}

test.each([
  ['a', ['any msg+code text+numbers']],
  ['msg:a kind:a', ['msg msg text', 'kind kind keyword']],
  ['code:1 took:1 time:1', ['code code numbers', 'took took numbers', 'time time numbers']],
  // The clauses of a group are on its field, unless they name one.
  [
    'msg:(a kind:b (c)) d',
    [
      'msg msg text',
      'msg msg text',
      'kind kind keyword',
      'msg msg text',
      'msg msg text',
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
  expect(targetsIn(text, 'msg', 'code')).toEqual(expected);
});

test('each name is looked up once', () => {
  const { clauses } = viewed('nosuch:a OR nosuch:b OR other:c');
  const [one, again, other] = clauses.map(({ searchTargets }) => searchTargets);
  expect(one).toBe(again);
  expect(other).not.toBe(one);
});
