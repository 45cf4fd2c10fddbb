import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { page } from '../../grammar/diagram.ts';
import { ebnf } from '../../grammar/ebnf.ts';
import { type Expression, productions } from '../../grammar/productions.ts';
import { terminals } from '../../grammar/terminals.ts';
import { lex } from '../../src/language/parse/lex.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { rounds } from '../effort.ts';

const rules = productions();

test.each([
  ['searchquery.ebnf', ebnf(rules)],
  ['searchquery.html', page(rules)],
])('%s is what the parser says; `npm run grammar` writes it anew', (name, text) => {
  expect(readFileSync(new URL(`../../grammar/${name}`, import.meta.url), 'utf8')).toBe(text);
});

test('every token of a rule is described', () => {
  const named = new Set(rules.flatMap(({ expression }) => terminalsOf(expression)));
  expect([...named].sort()).toEqual(Object.keys(terminals).sort());
});

test('a text is refused exactly when the published grammar does not derive it', () => {
  const pieces = [
    ...[
      'a',
      'AND',
      'OR',
      'NOT',
      '+b',
      '-b',
      '- ',
      'f:',
      '*:',
      '*',
      't*',
      't?',
      '/r/',
      '"p"',
      '~1',
      '^2',
      '(',
      ')',
      ':',
    ],
    ...['[1 TO 5]', '{TO TO "x"}', '[1 5]', '[1 TO]', '[', ']', '"open', '^', '/'],
  ];
  const text = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => parts.join(' '));
  fc.assert(
    fc.property(text, (query) => {
      expect(parse(query).findings.length === 0).toBe(derives(query));
    }),
    { numRuns: rounds(20_000) },
  );
});

/** Returns whether the published grammar derives a text: an independent, naive recogniser over its tokens. */
function derives(text: string): boolean {
  const kinds = lex(text).map(({ kind }) => kind);
  const ends = (expression: Expression, starts: ReadonlySet<number>): Set<number> => {
    switch (expression.kind) {
      case 'terminal':
        return new Set([...starts].filter((at) => kinds[at] === expression.name).map((at) => at + 1));
      case 'rule': {
        const rule = rules.find(({ name }) => name === expression.name);
        return rule && 0 < starts.size ? ends(rule.expression, starts) : new Set();
      }
      case 'sequence':
        return new Set(expression.of.reduce<ReadonlySet<number>>((at, part) => ends(part, at), starts));
      case 'choice':
        return new Set(expression.of.flatMap((part) => [...ends(part, starts)]));
      case 'optional':
        return new Set([...starts, ...ends(expression.of, starts)]);
      case 'repeated': {
        const reached = new Set(starts);
        for (let fresh = ends(expression.of, starts); 0 < fresh.size; ) {
          for (const at of fresh) reached.add(at);
          fresh = new Set([...ends(expression.of, fresh)].filter((at) => !reached.has(at)));
        }
        return reached;
      }
    }
  };
  const start = rules[0];
  return start !== undefined && ends(start.expression, new Set([0])).has(kinds.length);
}

function terminalsOf(expression: Expression): string[] {
  switch (expression.kind) {
    case 'terminal':
      return [expression.name];
    case 'rule':
      return [];
    case 'sequence':
    case 'choice':
      return expression.of.flatMap(terminalsOf);
    default:
      return terminalsOf(expression.of);
  }
}
