import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  explain,
  explainLines,
  explainMatch,
  explainMatchLines,
  highlightMatches,
} from '../../src/language/assist/explain.ts';
import { analyze } from '../../src/language/meaning/analyze.ts';
import { match } from '../../src/language/meaning/match.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { filter, log, textValue, words } from '../../src/testing/filters.ts';
import { anyText, luceneQuery } from '../../src/testing/query-text.ts';
import { rounds } from '../effort.ts';

const runs = { numRuns: rounds(2000) };

test('highlights lie in the values in order, and only where the filter matches', () => {
  fc.assert(
    fc.property(filter, log, (asked, values) => {
      const found = highlightMatches(asked, values);
      if (!match(asked, values)) expect(found).toEqual([]);
      for (const { field, spans } of found) {
        let position = 0;
        for (const { from, to } of spans) {
          expect(position <= from && from < to && to <= String(values[field]).length).toBe(true);
          position = to;
        }
      }
    }),
    runs,
  );
});

test('what is marked of a text is what was asked for', () => {
  fc.assert(
    fc.property(fc.constantFrom(...words), textValue, (term, msg) => {
      const found = highlightMatches(resolve(parse(`msg:"${term}"`).query), { msg });
      const marked = found.flatMap(({ spans }) => spans.map(({ from, to }) => analyze(msg.slice(from, to))));
      const tokens = analyze(msg).filter((token) => token === term);
      expect(marked).toEqual(tokens.map((token) => [token]));
    }),
    runs,
  );
});

test('any text can be explained, and the verdict on a log is the one of the matcher', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, luceneQuery), log, (text, values) => {
      const { query } = parse(text);
      const explanation = explainMatch(query, values);
      expect(explanation.matches).toBe(match(resolve(query), values));
      expect(explainLines(explain(query)).every((line) => !/[\n\r]/.test(line))).toBe(true);
      expect(explainMatchLines(explanation).length).toBeGreaterThan(0);
    }),
    runs,
  );
});
