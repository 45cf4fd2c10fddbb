import type { Filter, NumberValue } from '../../language/index.ts';
import {
  documentedSchema,
  type Field,
  lowerCase,
  parseDate,
  parseFieldNumber,
} from '../../language/index.ts';
import type { LogField } from '../../records/index.ts';
import { cidrPattern } from './cidr.ts';
import { noneOf } from './condition.ts';
import { kindOf } from './members.ts';
import type { Modifiers } from './modifiers.ts';
import type { YamlValue } from './read-yaml.ts';
import { refuseRule } from './refusal.ts';
import { regexpFilter } from './regexp.ts';
import { anyRun, literalText, parseValue, type ValuePart, wildcardPattern } from './value-pattern.ts';

/** A value of a rule that is no list. */
export type Scalar = Exclude<YamlValue, readonly YamlValue[] | ReadonlyMap<string, YamlValue>>;

/**
 * The filter for a field that is compared with one value. Texts are compared as whole values,
 * without regard to case unless `cased`. Null and an empty text stand for a missing value, since a
 * log has no empty one. Throws `RuleRefusal` for what a field of its type cannot be compared with.
 */
export function fieldFilter(field: LogField, value: Scalar, modifiers: Modifiers): Filter {
  const { comparison } = modifiers;
  if (comparison === 'exists') return existsFilter(field, value);
  if (value === null) return noneOf(isThere(field));
  const { type } = documented(field);
  if (comparison === 'lt' || comparison === 'lte' || comparison === 'gt' || comparison === 'gte')
    return orderFilter(documented(field), value, comparison);
  if (type !== 'text') return numberFilter(documented(field), value, modifiers);
  const keyword: Field = { ...documented(field), type: 'keyword' };
  if (comparison === 're')
    return regexpFilter(keyword, scalarText(value), {
      ignoreCase: modifiers.flags.i,
      multiLine: modifiers.flags.m,
      dotAll: modifiers.flags.s,
    });
  if (comparison === 'cidr')
    return { kind: 'regexp', field: keyword, pattern: cidrPattern(scalarText(value)) };
  return textFilter(keyword, surrounded(parseValue(scalarText(value)), comparison), modifiers.cased);
}

/** A value as a text, as a rule compares it. */
export function scalarText(value: Exclude<Scalar, null>): string {
  return String(value);
}

function existsFilter(field: LogField, value: Scalar): Filter {
  if (typeof value !== 'boolean')
    return refuseRule(`The modifier "exists" requires true or false, got ${kindOf(value)}`);
  return value ? isThere(field) : noneOf(isThere(field));
}

/** Reads the column of a text as a keyword: a text without words is a value. */
function isThere(field: LogField): Filter {
  const known = documented(field);
  return { kind: 'exists', field: known.type === 'text' ? { ...known, type: 'keyword' } : known };
}

function surrounded(parts: readonly ValuePart[], comparison: string): readonly ValuePart[] {
  const run: readonly ValuePart[] = [anyRun];
  const before = comparison === 'contains' || comparison === 'endswith' ? run : [];
  const behind = comparison === 'contains' || comparison === 'startswith' ? run : [];
  return [...before, ...parts, ...behind];
}

/** A keyword field whose whole value is this, with wildcards. */
export function textFilter(field: Field, parts: readonly ValuePart[], cased: boolean): Filter {
  const compared: Field = cased ? field : { ...field, normalizer: 'lowercase' };
  const cases = cased ? parts : parts.map((part) => (typeof part === 'string' ? lowerCase(part) : part));
  const text = literalText(cases);
  if (text === '') return noneOf({ kind: 'exists', field });
  if (text !== undefined) return { kind: 'term', field: compared, term: text };
  if (cases.every((part) => part === anyRun)) return { kind: 'exists', field };
  return { kind: 'wildcard', field: compared, pattern: wildcardPattern(cases) };
}

function numberFilter(field: Field, value: Exclude<Scalar, null>, { comparison }: Modifiers): Filter {
  if (comparison !== 'equals')
    return refuseRule(
      `The modifier "${comparison}" requires a text, but "${field.name}" is a ${kindOfField(field)}`,
    );
  const text = scalarText(value);
  if (text === '') return noneOf({ kind: 'exists', field });
  if (/^\*+$/.test(text)) return { kind: 'exists', field };
  const bound = { value: toNumber(field, text), inclusive: true };
  return { kind: 'range', field, lower: bound, upper: bound };
}

function orderFilter(field: Field, value: Scalar, comparison: 'lt' | 'lte' | 'gt' | 'gte'): Filter {
  if (field.type === 'text')
    return refuseRule(`The modifier "${comparison}" requires a number, but "${field.name}" is a text`);
  const bound = { value: toNumber(field, scalarText(value ?? '')), inclusive: comparison.endsWith('e') };
  return comparison.startsWith('g')
    ? { kind: 'range', field, lower: bound }
    : { kind: 'range', field, upper: bound };
}

function toNumber(field: Field, text: string): NumberValue {
  const number =
    field.type === 'date'
      ? parseDate(text.replace(' ', 'T'), { roundUp: false, now: 0 })
      : parseFieldNumber(field.type, text);
  return number ?? refuseRule(`"${field.name}" is a ${kindOfField(field)}, which "${text}" is not`);
}

function kindOfField({ type }: Field): string {
  return type === 'date' ? 'time' : 'number';
}

function documented(field: LogField): Field {
  return documentedSchema.fields.get(field) ?? refuseRule(`The logs have no field "${field}"`);
}
