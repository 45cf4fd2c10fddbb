import { analyze } from './analyzer/analyze.ts';
import type { Field } from './fields.ts';
import type { NumberValue } from './number-value.ts';

/** The value of one field of a log: text, or a number (dates in milliseconds since the epoch; a `bigint` beyond ±(2^53 - 1)). */
export type FieldValue = string | NumberValue;

/** The values of a log by the names of their fields; a field without a value is absent. */
export type FieldValues = { readonly [field: string]: FieldValue | undefined };

/** A log made ready to be matched against many filters. */
export interface Document {
  /** The tokens of a text field, or the one term of a keyword field; none where the field has no value. */
  readonly terms: (field: Field) => readonly string[];
  /** Whether the field has a value, of a text field also one without any token. */
  readonly hasValue: (field: Field) => boolean;
  /** The number in an integer, decimal or date field. A negative zero is zero, as in JSON without a fraction. */
  readonly number: (field: Field) => NumberValue | undefined;
}

/** A document over the values of a log. A text is analysed when a filter first asks for it, and once. */
export function toDocument(values: FieldValues): Document {
  const analysed = new Map<string, readonly string[]>();
  return {
    terms: (field) => {
      const value = values[field.name];
      if (value === undefined) return [];
      if (field.type !== 'text') return [String(value)];
      const known = analysed.get(field.name);
      if (known) return known;
      const terms = analyze(String(value));
      analysed.set(field.name, terms);
      return terms;
    },
    hasValue: ({ name }) => values[name] !== undefined,
    number: ({ name }) => {
      const value = values[name];
      return typeof value === 'number' ? value + 0 : typeof value === 'bigint' ? value : undefined;
    },
  };
}
