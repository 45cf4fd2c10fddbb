import fc from 'fast-check';
import {
  boolFilter,
  documentedSchema,
  type Field,
  type FieldValue,
  type FieldValues,
  type Filter,
  type FilterBound,
  matchAllFilter,
  matchNoneFilter,
  type NumberValue,
  type Schema,
  toSchema,
} from '../language/index.ts';
import { edgeBounds, edgeValues } from './edge-numbers.ts';
import { shrinkingTo } from './shorter-queries.ts';

/**
 * Random filters and random logs that are likely to meet: both draw from the
 * same few words and numbers.
 */

/** Words that analysis leaves as they are: what filters ask for, and what logs are made of. */
export const words = [
  'timed',
  'out',
  'error',
  'tile',
  'a',
  'b',
  '9003',
  '10.1.2.3',
  'rel_11.2',
  '中',
] as const;

/** Values of keyword fields, with blanks and in upper case too. */
export const keywords = ['out', 'Out', 'SEVERE', 'WARNING', 'timed out', 'a'] as const;

/** The usual values of number fields by type; the bounds of ranges lie on and between them. `edge-numbers.ts` has the others. */
const numbers = {
  integer: [-1, 0, 1, 9002, 9003, 9004],
  decimal: [-0.5, 0, 0.5, 1, 1.5],
  date: [0, 1, 86_399_999, 86_400_000, 1_700_000_000_000],
} as const;

const bounds = {
  integer: [...numbers.integer, 0.5, 9002.5],
  decimal: [...numbers.decimal, 0.25, 0.75],
  date: [...numbers.date, 43_200_000],
} as const;

/** The documented fields, of which the levels and the service types are keywords. */
export const keywordSchema: Schema = toSchema(
  [...documentedSchema.fields.values()].map((field) =>
    ['logLevel', 'serviceTypes', 'requestID'].includes(field.name) ? { ...field, type: 'keyword' } : field,
  ),
  documentedSchema.defaults.map(({ name }) => name),
);

const textOfWords = fc
  .array(fc.tuple(fc.constantFrom(...words), fc.boolean(), fc.constantFrom(' ', ' ', ' ', '-', ', ', '\n')), {
    // An empty text is no value to a case file.
    minLength: 1,
    maxLength: 6,
  })
  .map((pieces) =>
    pieces.map(([word, upper, after]) => (upper ? word.toUpperCase() : word) + after).join(''),
  );

/** A text made of a few of the words, with the case and the punctuation of real ones; now and then one without a token. */
export const textValue = fc.oneof(
  { arbitrary: textOfWords, weight: 9 },
  { arbitrary: fc.constant('---'), weight: 1 },
);

function valueFor({ type, values }: Field): fc.Arbitrary<FieldValue> {
  if (type === 'text') return values ? fc.oneof(textValue, fc.constantFrom(...values)) : textValue;
  if (type === 'keyword') return fc.constantFrom(...keywords, ...(values ?? []));
  return numberOf(numbers[type], edgeValues[type]);
}

/** One of the usual numbers, or now and then one of the edges. */
function numberOf(usual: readonly number[], edges: readonly NumberValue[]): fc.Arbitrary<NumberValue> {
  return fc.oneof(
    { arbitrary: fc.constantFrom<NumberValue>(...usual), weight: 3 },
    { arbitrary: fc.constantFrom(...edges), weight: 2 },
  );
}

/**
 * Logs with some of the fields of a schema.
 *
 * ```ts
 * const fields = toSchema([{ name: 'status', type: 'integer', about: 'HTTP status' }], ['status']);
 * const names = logOver(fields).map((log) => Object.keys(log));
 * fc.assert(fc.property(names, (found) => found.every((name) => name === 'status')));
 * ```
 */
export function logOver(schema: Schema): fc.Arbitrary<FieldValues> {
  const fields = [...schema.fields.values()];
  return fc.record(Object.fromEntries(fields.map((field) => [field.name, valueFor(field)])), {
    requiredKeys: [],
  });
}

/** Kinds of filters to make. */
export interface FilterOptions {
  /** True if prefixes, wildcards, regular expressions, fuzzy terms and slops occur, which the documented language lacks. */
  readonly patterns: boolean;
}

/**
 * Filters over the fields of a schema; the fewer fields, the more often their parts meet.
 *
 * ```ts
 * const selections = filterOver(documentedSchema, { patterns: false });
 * const logs = logOver(documentedSchema);
 * fc.assert(fc.property(selections, logs, (each, log) => match(each, log) === match(simplify(each), log)));
 * ```
 */
export function filterOver(schema: Schema, options: FilterOptions): fc.Arbitrary<Filter> {
  const leaf = leafOver([...schema.fields.values()], options);
  const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
    filter: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      { arbitrary: leaf, weight: 4 },
      { arbitrary: fc.constantFrom<Filter>(matchAllFilter, matchNoneFilter), weight: 1 },
      {
        arbitrary: fc
          .array(tie('filter'), { minLength: 1, maxLength: 3 })
          .map((filters): Filter => ({ kind: 'disMax', filters })),
        weight: 1,
      },
      {
        arbitrary: fc
          .record({ must: some(tie('filter')), should: some(tie('filter')), mustNot: some(tie('filter')) })
          .map(boolFilter),
        weight: 4,
      },
    ),
  }));
  return shrinkingTo(filter, smallerFilters);
}

/** Each part of a filter alone, the filter without one of them or with a smaller one, and ranges with one end. */
function smallerFilters(filter: Filter): readonly Filter[] {
  switch (filter.kind) {
    case 'bool': {
      const { must, should, mustNot } = filter;
      return [
        ...must,
        ...should,
        ...mustNot,
        ...smallerLists(must).map((smaller) => boolFilter({ must: smaller, should, mustNot })),
        ...smallerLists(should).map((smaller) => boolFilter({ must, should: smaller, mustNot })),
        ...smallerLists(mustNot).map((smaller) => boolFilter({ must, should, mustNot: smaller })),
      ];
    }
    case 'disMax': {
      const lists = smallerLists(filter.filters).filter(({ length }) => 0 < length);
      return [...filter.filters, ...lists.map((filters): Filter => ({ kind: 'disMax', filters }))];
    }
    case 'range': {
      const { lower, upper, ...rest } = filter;
      return lower && upper
        ? [
            { ...rest, lower },
            { ...rest, upper },
          ]
        : [];
    }
    case 'termRange': {
      const { lower, upper, ...rest } = filter;
      return lower && upper
        ? [
            { ...rest, lower },
            { ...rest, upper },
          ]
        : [];
    }
    default:
      return [];
  }
}

function smallerLists(filters: readonly Filter[]): readonly (readonly Filter[])[] {
  return filters.flatMap((filter, index) => [
    filters.toSpliced(index, 1),
    ...smallerFilters(filter).map((smaller) => filters.with(index, smaller)),
  ]);
}

function some(arbitrary: fc.Arbitrary<Filter>): fc.Arbitrary<Filter[]> {
  return fc.array(arbitrary, { maxLength: 3 });
}

function leafOver(fields: readonly Field[], options: FilterOptions): fc.Arbitrary<Filter> {
  return fc.constantFrom(...fields).chain((field) => {
    const exists = fc.constant<Filter>({ kind: 'exists', field });
    const byNorms = fc.constant<Filter>({ kind: 'exists', field, byNorms: true });
    if (field.type === 'text')
      return fc.oneof({ arbitrary: onText(field, options), weight: 9 }, exists, byNorms);
    if (field.type === 'keyword')
      return fc.oneof({ arbitrary: onKeyword(field, options), weight: 9 }, exists);
    return fc.oneof({ arbitrary: onNumber(field, field.type), weight: 9 }, exists);
  });
}

function onText(field: Field, { patterns }: FilterOptions): fc.Arbitrary<Filter> {
  const term = fc.constantFrom(...words, ...(field.values ?? []).map((value) => value.toLowerCase()));
  const slop = patterns ? fc.constantFrom(0, 0, 1, 2) : fc.constant(0);
  return fc.oneof(
    { arbitrary: term.map((word): Filter => ({ kind: 'term', field, term: word })), weight: 4 },
    {
      arbitrary: fc
        .tuple(fc.array(term, { minLength: 2, maxLength: 3 }), slop)
        .map(([terms, moves]): Filter => ({ kind: 'phrase', field, terms, slop: moves })),
      weight: 3,
    },
    { arbitrary: termRange(field, words), weight: 2 },
    ...(patterns ? [{ arbitrary: pattern(field), weight: 2 }] : []),
  );
}

function onKeyword(field: Field, { patterns }: FilterOptions): fc.Arbitrary<Filter> {
  const term = fc.constantFrom(...keywords, ...(field.values ?? []));
  return fc.oneof(
    { arbitrary: term.map((keyword): Filter => ({ kind: 'term', field, term: keyword })), weight: 5 },
    { arbitrary: termRange(field, keywords), weight: 2 },
    ...(patterns ? [{ arbitrary: pattern(field), weight: 2 }] : []),
  );
}

function onNumber(field: Field, type: keyof typeof bounds): fc.Arbitrary<Filter> {
  return fc.oneof(
    numberOf(numbers[type], edgeBounds[type]).map((value): Filter => {
      const bound = { value, inclusive: true };
      return { kind: 'range', field, lower: bound, upper: bound };
    }),
    ends(numberOf(bounds[type], edgeBounds[type])).map(
      (range): Filter => ({ kind: 'range', field, ...range }),
    ),
  );
}

function termRange(field: Field, terms: readonly string[]): fc.Arbitrary<Filter> {
  return ends(fc.constantFrom(...terms)).map((range): Filter => ({ kind: 'termRange', field, ...range }));
}

/** The ends of a range, open ones and reversed ones included. */
function ends<V>(value: fc.Arbitrary<V>): fc.Arbitrary<{ lower?: FilterBound<V>; upper?: FilterBound<V> }> {
  return fc.record(
    {
      lower: fc.record({ value, inclusive: fc.boolean() }),
      upper: fc.record({ value, inclusive: fc.boolean() }),
    },
    { requiredKeys: [] },
  );
}

function pattern(field: Field): fc.Arbitrary<Filter> {
  return fc.oneof(
    fc
      .constantFrom('', 'o', 'ou', 'out', '10.', 'S', '中')
      .map((prefix): Filter => ({ kind: 'prefix', field, prefix })),
    fc
      .constantFrom('*', 'o?t', 't*', '*e?', '\\*', '??')
      .map((text): Filter => ({ kind: 'wildcard', field, pattern: text })),
    fc
      .constantFrom('out', 'o.t', 't(imed|ile)', '[a-b]', '[0-9.]+', '.*')
      .map((text): Filter => ({ kind: 'regexp', field, pattern: text })),
    fc
      .tuple(
        fc.constantFrom('out', 'tine', 'timed', 'errro'),
        fc.constantFrom<0 | 1 | 2>(0, 1, 2),
        // More terms than there are words: `match` knows no limit. Those that bind are in near-terms.test.ts.
        fc.constantFrom<object>({}, { maxExpansions: 50 }),
      )
      .map(([term, edits, limit]): Filter => ({ kind: 'fuzzy', field, term, edits, ...limit })),
  );
}

/** Few fields, one of each type that the documented schema has: filters over them meet more often. */
export const smallSchema: Schema = toSchema(
  ['msg', 'source', 'logCode', 'elapsed', 'time'].flatMap((name) => documentedSchema.fields.get(name) ?? []),
  ['msg', 'source', 'logCode'],
);

/** Filters over the documented fields, patterns and slops included. */
export const filter = fc.oneof(
  filterOver(documentedSchema, { patterns: true }),
  filterOver(smallSchema, { patterns: true }),
);

/**
 * Logs with some of the documented fields.
 *
 * ```ts
 * fc.assert(fc.property(filter, log, (selection, values) => match(selection, values) || true));
 * ```
 */
export const log = logOver(documentedSchema);

/**
 * Schemas of one to five fields of all types, the first of which is searched by queries without a field.
 *
 * ```ts
 * fc.assert(fc.property(schema.chain((fields) => logOver(fields)), (values) => Object.keys(values).length <= 5));
 * ```
 */
export const schema: fc.Arbitrary<Schema> = fc
  .uniqueArray(
    fc.record({
      name: fc.constantFrom('msg', 'source', 'logCode', 'elapsed', 'time', 'a', 'user name', 'F-1'),
      type: fc.constantFrom<Field['type']>('text', 'keyword', 'integer', 'decimal', 'date'),
      about: fc.constant('a field'),
    }),
    { minLength: 1, maxLength: 5, selector: ({ name }) => name },
  )
  .map((fields) => toSchema(fields, [fields[0]?.name ?? '']));
