import { analyze } from '../analyzer/analyze.ts';
import { lowerCase } from '../analyzer/lower-case.ts';
import type { Field } from './fields.ts';
import type { NumberValue } from './number-value.ts';

/**
 * The value of one field of a log: text, or a number. A date is in milliseconds since the epoch; a
 * number beyond ±(2^53 - 1) is a `bigint`.
 */
export type FieldValue = string | NumberValue;

/** The values of a log by field name; a field without a value is absent. */
export type FieldValues = { readonly [field: string]: FieldValue | undefined };

/** A log prepared for matching against many filters. */
export interface Document {
  /** The tokens of a text field, or the one term of a keyword field; empty if the field has no value. */
  readonly terms: (field: Field) => readonly string[];
  /** Returns whether the field has a value, which may be a text without tokens. */
  readonly hasValue: (field: Field) => boolean;
  /**
   * The number in an integer, decimal or date field. A negative zero is zero, as in JSON without a
   * fraction.
   */
  readonly number: (field: Field) => NumberValue | undefined;
}

/**
 * A document over the values of a log. Each text is analysed once, when a filter first reads it.
 *
 * ```ts
 * matchDocument(filter, toDocument(log));
 * ```
 */
export function toDocument(values: FieldValues): Document {
  const analysed = new Map<string, readonly string[]>();
  return {
    terms: (field) => {
      const value = values[field.name];
      if (value === undefined) return [];
      if (field.type !== 'text')
        return [field.normalizer === 'lowercase' ? lowerCase(String(value)) : String(value)];
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
