import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quote, withoutEscapes, withoutQuotes } from '../../src/language/parse/lex.ts';
import { parse } from '../../src/language/parse/parse.ts';
import { rounds } from '../effort.ts';

test.each([
  ['Roads/Traffic.MapServer', '"Roads/Traffic.MapServer"'],
  ['C:\\temp', '"C:\\\\temp"'],
  ['say "hi"', '"say \\"hi\\""'],
  ['>5 AND NOT *', '">5 AND NOT *"'],
  ['', '""'],
])('%s becomes %s', (value, quoted) => {
  expect(quote(value)).toBe(quoted);
});

test('any text is one phrase that says just that text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      const { query, findings } = parse(`source:${quote(value)}`);
      expect(findings).toEqual([]);
      expect(query.parts).toHaveLength(1);
      const [clause] = query.parts;
      const item = clause?.kind === 'Clause' ? clause.item : undefined;
      expect(item?.kind).toBe('Phrase');
      const text = item?.kind === 'Phrase' ? item.term.text : '';
      expect(withoutEscapes(withoutQuotes(text)).text).toBe(value);
    }),
    { numRuns: rounds(2000) },
  );
});
