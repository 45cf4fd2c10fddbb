import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { format, match, parse, print, resolve } from '../../src/index.ts';
import { engineNames, engines, type Filter, validate } from '../../src/meaning.ts';
import {
  brokenQuery,
  doubtfulQuery,
  filter,
  filterOver,
  formatsSafely,
  log,
  logOver,
  queryTree,
  roundTrips,
  type Selection,
  sameSelection,
  schema,
  validQuery,
} from '../../src/testing.ts';
import { rounds } from '../effort.ts';

const runs = { numRuns: rounds(2000, 100) };

const select: Selection = async (text, logs) =>
  logs.map((values) => match(resolve(parse(text).query, { now: 0 }), values));

describe('this language holds its own properties', () => {
  test('round trips', () => {
    fc.assert(roundTrips({ parse: (text) => parse(text).query, print }), runs);
  });

  test.each(['documented', 'lucene'] as const)('formatting, %s', (dialect) => {
    fc.assert(
      formatsSafely((text) => format(parse(text).query), { dialect }),
      runs,
    );
  });

  test.each(['documented', 'lucene'] as const)('selection, %s', async (dialect) => {
    await fc.assert(sameSelection(select, { dialect }), runs);
  });
});

describe('another that is wrong is found, with a short example', () => {
  const many = { numRuns: 2000, seed: 1 };

  test('a parser that loses blanks', () => {
    const property = roundTrips({ parse: (text) => text.split(/\s+/), print: (words) => words.join(' ') });
    const { failed, counterexample } = fc.check(property, many);
    expect(failed).toBe(true);
    expect(counterexample?.[0].length).toBeLessThanOrEqual(2);
  });

  test('a formatter that sorts operators otherwise', () => {
    const property = formatsSafely((text) => text.replace(/ OR /g, ' AND '));
    const { failed, counterexample } = fc.check(property, many);
    expect(failed).toBe(true);
    expect(counterexample?.[0].length).toBeLessThanOrEqual(30);
  });

  test('an engine in which AND binds before OR', async () => {
    const ordinary: Selection = async (text, logs) =>
      logs.map((values) => match(resolve(parse(text).query, { now: 0, reading: 'ordinary' }), values));
    const { failed, counterexample } = await fc.check(sameSelection(ordinary), many);
    expect(failed).toBe(true);
    expect(counterexample?.[1]).toHaveLength(1);
    expect(counterexample?.[0].length).toBeLessThanOrEqual(40);
  });
});

test.each([
  ['too few', 0, (answers: readonly boolean[]) => answers.slice(1)],
  ['too many', 2, (answers: readonly boolean[]) => [...answers, true]],
])('an engine that gives %s answers is found', async (_, count, change) => {
  const wrong: Selection = async (text, logs) => change(await select(text, logs));
  const { failed, errorInstance } = await fc.check(sameSelection(wrong), { numRuns: 5, seed: 1 });
  expect(failed).toBe(true);
  expect(String(errorInstance)).toMatch(new RegExp(`^Error: "." has ${count} answers for 1 logs$`));
});

describe('queries shrink to the short one of their kind, whatever stood beside and around it', () => {
  const kinds = [
    ['a phrase', 'documented', /"timed/, '"timed out"'],
    ['any phrase', 'documented', /"/, '"a"'],
    ['a range', 'documented', /\[/, '[1 TO 5]'],
    ['a negation', 'lucene', /\bNOT\b/, 'NOT a'],
    ['a regular expression', 'lucene', /\/ti/, '/ti(m|n)e?/'],
    ['an alternative', 'documented', /\bOR\b/, 'a OR a'],
    ['a field', 'documented', /msg:/, 'msg:a'],
    ['parentheses', 'documented', /\(/, '(a)'],
    ['parentheses in parentheses', 'documented', /\(\(/, '((a))'],
    ['a slop', 'lucene', /~3/, '"a b"~3'],
  ] as const;

  test.each(kinds)('%s, %s', (_, dialect, cause, shortest) => {
    const shrunk = Array.from({ length: 25 }, (_, seed) => {
      const property = fc.property(validQuery({ dialect }), (text) => !cause.test(text));
      return fc.check(property, { seed, numRuns: 2000 }).counterexample?.[0];
    });
    for (const text of shrunk) expect(text?.length, text).toBeLessThanOrEqual(shortest.length);
  });

  test('a query that is doubtful or a tree', () => {
    for (let seed = 0; seed < 25; seed++) {
      const doubtful = fc.property(doubtfulQuery, (text) => !/DOMAIN/.test(text));
      expect(fc.check(doubtful, { seed, numRuns: 2000 }).counterexample).toEqual(['DOMAIN\\bob']);
      const tree = fc.property(queryTree(), (query) => !/9003/.test(print(query)));
      const [query] = fc.check(tree, { seed, numRuns: 2000 }).counterexample ?? [];
      expect(query && print(query)).toMatch(/^(9003|\[\* TO 9003\])$/);
    }
  });
});

test.each(['phrase', 'regexp', 'range', 'termRange', 'exists', 'fuzzy'])(
  'filters shrink to one %s',
  (kind) => {
    for (let seed = 0; seed < 25; seed++) {
      const holds = (each: Filter): boolean => {
        if (each.kind === 'bool') return [...each.must, ...each.should, ...each.mustNot].every(holds);
        return each.kind === 'disMax' ? each.filters.every(holds) : each.kind !== kind;
      };
      const [shrunk] = fc.check(fc.property(filter, holds), { seed, numRuns: 2000 }).counterexample ?? [];
      expect(shrunk?.kind).toBe(kind);
    }
  },
);

describe('what is drawn is what it is called', () => {
  test('valid queries are refused by no engine that they are drawn for', () => {
    for (const engine of engineNames)
      fc.assert(
        fc.property(validQuery({ dialect: 'lucene', engine }), (text) => {
          const findings = validate(parse(text).query, {
            dialect: 'lucene',
            engine: engines[engine],
            now: 0,
          });
          expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
        }),
        { numRuns: rounds(1000, 50) },
      );
  });

  test('trees of valid queries are those of their text', () => {
    fc.assert(
      fc.property(queryTree({ dialect: 'lucene' }), (query) => {
        expect(parse(print(query)).query).toEqual(query);
      }),
      runs,
    );
  });

  test('broken queries are refused', () => {
    fc.assert(
      fc.property(brokenQuery, (text) => {
        expect(parse(text).findings).not.toEqual([]);
      }),
      runs,
    );
  });

  test('doubtful queries have findings, most of them', () => {
    const texts = fc.sample(doubtfulQuery, { numRuns: 200, seed: 1 });
    const doubtful = texts.filter((text) => {
      const { query, findings } = parse(text);
      return 0 < findings.length || 0 < validate(query, { now: 0 }).length;
    });
    expect(doubtful.length).toBeGreaterThan(150);
  });

  test('filters select some logs and not others', () => {
    const pairs = fc.sample(fc.tuple(filter, log), { numRuns: 500, seed: 1 });
    const selected = pairs.filter(([each, values]) => match(each, values)).length;
    expect(selected).toBeGreaterThan(75);
    expect(selected).toBeLessThan(425);
  });

  test('filters and logs over any schema have its fields alone', () => {
    const drawn = schema.chain((fields) =>
      fc.tuple(fc.constant(fields), filterOver(fields, { patterns: true }), logOver(fields)),
    );
    fc.assert(
      fc.property(drawn, ([fields, each, values]) => {
        for (const name of Object.keys(values)) expect(fields.fields.has(name)).toBe(true);
        expect(typeof match(each, values)).toBe('boolean');
      }),
      runs,
    );
  });
});
