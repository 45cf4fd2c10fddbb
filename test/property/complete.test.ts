import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Completion,
  complete,
  type Suggestion,
  wantedValues,
} from '../../src/language/assist/complete.ts';
import type { Filter } from '../../src/language/meaning/filter.ts';
import { type FieldValue, match } from '../../src/language/meaning/match.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { documentedSchema, type Field, toSchema } from '../../src/language/meaning/schema.ts';
import { lex } from '../../src/language/parse/lex.ts';
import { parse } from '../../src/language/parse/parse.ts';
import type { Clause, Span } from '../../src/language/parse/tree.ts';
import { edgeValues } from '../../src/testing/edge-numbers.ts';
import { anyText, documentedQuery, luceneQuery } from '../../src/testing/query-text.ts';
import { rounds } from '../effort.ts';

const strange: readonly Field[] = [
  { name: 'kind of', type: 'keyword', about: '', values: ['a b', 'AND', 'x', '"', '*', 'a]', 'TO'] },
  { name: 'AND', type: 'text', about: '', values: ['---', 'foo-bar', 'a.1', '\\', ''] },
  { name: 'count', type: 'integer', about: '' },
  { name: 'source', type: 'keyword', about: '', values: ['Sharing'] },
];
const schemas = [
  documentedSchema,
  toSchema([...documentedSchema.fields.values(), ...strange], ['msg', 'source', 'logCode']),
];

/** A text with a cursor in it: anywhere, and at the end of what is being typed. */
const typed = fc
  .oneof(anyText, documentedQuery, luceneQuery)
  .chain((text) =>
    fc.record({
      text: fc.constant(text),
      cursor: fc.oneof(fc.nat({ max: text.length }), fc.constant(text.length)),
    }),
  )
  .map(({ text, cursor }) => ({ text, cursor }));

const value = fc.oneof(
  fc.constantFrom(
    'Sharing',
    'Roads/Traffic.MapServer',
    'a b',
    'NOT',
    'x:y',
    '"',
    '\\',
    '-5',
    '3.5',
    '😀',
    '\ud800',
  ),
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.integer(),
  fc.constantFrom(...edgeValues.integer, ...edgeValues.decimal, ...edgeValues.date),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

const request = fc.record({
  typed,
  schema: fc.constantFrom(...schemas),
  dialect: fc.constantFrom('documented' as const, 'lucene' as const),
  given: fc.array(value, { maxLength: 5 }),
});
type Request = typeof request extends fc.Arbitrary<infer R> ? R : never;

function ask({ typed: { text, cursor }, schema, dialect, given }: Request): Completion {
  const field = wantedValues(text, cursor, schema)?.field.name ?? 'msg';
  const values = new Map([[field, given.map((each) => ({ value: each, count: 1 }))]]);
  return complete(text, cursor, { schema, dialect, values, limit: 12 });
}

const applied = (text: string, { from, to }: Span, insert: string) =>
  text.slice(0, from) + insert + text.slice(to);

describe('a completion', () => {
  test('takes the place of something around the cursor, whatever the text', () => {
    fc.assert(
      fc.property(request, (asked) => {
        const { text, cursor } = asked.typed;
        const { from, to } = ask(asked);
        expect([0 <= from, from <= cursor, cursor <= to, to <= text.length]).toEqual([
          true,
          true,
          true,
          true,
        ]);
      }),
      { numRuns: rounds(2000) },
    );
  });

  test('breaks no text: it can be finished without a new problem', () => {
    fc.assert(
      fc.property(request, (asked) => {
        const { text } = asked.typed;
        const completion = ask(asked);
        for (const { insert } of completion.suggestions) {
          const texts = endings.map((ending) => applied(text, completion, insert + ending));
          const some = texts.some((each) => isNoWorse(text, each));
          expect(some, `${JSON.stringify(insert)} makes ${JSON.stringify(texts[0])}`).toBe(true);
        }
      }),
      { numRuns: rounds(2000) },
    );
  });

  test('breaks no text that goes on behind it, and takes nothing of it in, at any cursor', () => {
    let offered = 0;
    fc.assert(
      fc.property(fc.oneof(anyText, documentedQuery, luceneQuery), request, (text, asked) => {
        const isSound = parse(text).findings.length === 0;
        for (let cursor = 0; cursor <= text.length; cursor += 1) {
          const completion = ask({ ...asked, typed: { text, cursor } });
          const behind = text.slice(completion.to);
          for (const { insert } of completion.suggestions) {
            const made = applied(text, completion, insert);
            const about = `${JSON.stringify(insert)} at ${cursor} of ${JSON.stringify(text)}`;
            offered += 1;
            // At the end of the text or of a group people go on: an operator is not the last thing they write.
            const goesOn = !/^[\s)\]}]*$/.test(behind);
            if (isSound && goesOn) expect(parse(made).findings, about).toEqual([]);
            if (isSound)
              expect(tokensBehind(made, made.length - behind.length), about).toEqual(
                tokensBehind(text, completion.to),
              );
          }
        }
      }),
      { numRuns: rounds(2000) },
    );
    expect(offered).toBeGreaterThan(0);
  });

  test('of a value makes a clause that selects the logs that have it', () => {
    fc.assert(
      fc.property(request, (asked) => {
        const { text } = asked.typed;
        const completion = ask(asked);
        for (const suggestion of completion.suggestions) {
          if (suggestion.kind !== 'value') continue;
          const { clause, filter } = clauseOf(asked, completion, suggestion);
          const [name, has] = valueSuggested(asked, clause, suggestion);
          const made = applied(text, completion, suggestion.insert);
          expect(filter && match(filter, { [name]: has }), `${JSON.stringify(made)} for ${name}`).toBe(true);
        }
      }),
      { numRuns: rounds(2000) },
    );
  });

  test('says nothing twice', () => {
    fc.assert(
      fc.property(request, (asked) => {
        const labels = ask(asked).suggestions.map(({ insert }) => insert);
        expect(new Set(labels).size).toBe(labels.length);
      }),
    );
  });
});

/** The tokens of a text from an offset on, as what they are and say. */
function tokensBehind(text: string, from: number): readonly string[] {
  return lex(text)
    .filter((token) => from <= token.from)
    .map((token) => `${token.kind} ${token.text}`);
}

/** Texts with which people go on. */
const endings = ['', 'x ', '1 TO 2] ', 'x" ', 'x) ', '1 '];

function isNoWorse(text: string, changed: string): boolean {
  const count = (of: string) => {
    const counts = new Map<string, number>();
    for (const { code } of parse(of).findings) counts.set(code, (counts.get(code) ?? 0) + 1);
    return counts;
  };
  const before = count(text);
  return [...count(changed)].every(([code, times]) => times <= (before.get(code) ?? 0));
}

/** The clause that a suggestion makes, and its filter. */
function clauseOf({ typed: { text }, schema }: Request, completion: Completion, { insert }: Suggestion) {
  const { query } = parse(applied(text, completion, insert));
  const place = completion.from + insert.length - insert.trimStart().length;
  let found: { clause: Clause | undefined; filter: Filter | undefined } = {
    clause: undefined,
    filter: undefined,
  };
  resolve(query, {
    schema,
    onClause: (clause, filter) => {
      if (clause.item.kind !== 'Group' && clause.from <= place && place < clause.to)
        found = { clause, filter };
    },
  });
  return found;
}

/** The field and the value that a suggestion is about. */
function valueSuggested(
  asked: Request,
  clause: Clause | undefined,
  { label }: Suggestion,
): [string, FieldValue] {
  const { text, cursor } = asked.typed;
  const field = wantedValues(text, cursor, asked.schema)?.field;
  const [, name = '', known = ''] = field ? [] : (/^([^:]+):([\s\S]*)$/.exec(label) ?? []);
  if (!field) return [name, known];
  const isNumber = field.type !== 'text' && field.type !== 'keyword';
  const isWritten = field.type === 'date' && !/^-?\d+$/.test(label);
  const date = isWritten ? Date.parse(label) : Number(label);
  const isLarge = field.type === 'integer' && /^-?\d{16,}$/.test(label);
  expect(clause).toBeDefined();
  return [field.name, isLarge ? BigInt(label) : isNumber ? date : label];
}
