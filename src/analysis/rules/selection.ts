import type { Filter } from '../../language/index.ts';
import { documentedSchema, type Field } from '../../language/index.ts';
import { textFields } from '../../records/index.ts';
import { allOf, anyOf, noneOf } from './condition.ts';
import { fieldFilter, type Scalar, scalarText, textFilter } from './field-filter.ts';
import { comparableFields, type RuleMapping } from './mapping.ts';
import { isList, isMap, kindOf } from './members.ts';
import { type Modifiers, readModifiers } from './modifiers.ts';
import type { YamlMap, YamlValue } from './read-yaml.ts';
import { refuseRule } from './refusal.ts';
import { anyRun, parseValue, type ValuePart } from './value-pattern.ts';

/** Limit of the comparisons of one selection: a longer statement would take the database seconds. */
const maxValues = 1_000;

/**
 * Compiles a search identifier: a map of fields that must all match, or a list of maps and
 * keywords of which one must. Throws `RuleRefusal` for what cannot be evaluated.
 */
export function compileSelection(value: YamlValue, mapping: RuleMapping): Filter {
  if (isMap(value)) return mapFilter(value, mapping);
  const items = isList(value) ? value : [value];
  if (items.length === 0) refuseRule('A selection is an empty list');
  checkCount(items);
  return anyOf(
    items.map((item) => (isMap(item) ? mapFilter(item, mapping) : keywordFilter(toScalar(item), keywords))),
  );
}

const keywords: Modifiers = readModifiers([]);

function mapFilter(map: YamlMap, mapping: RuleMapping): Filter {
  if (map.size === 0) refuseRule('A selection is an empty map');
  return allOf(Array.from(map, ([key, value]) => itemFilter(key, value, mapping)));
}

/** The filter for one member of a map, such as `msg|contains: timeout`. */
function itemFilter(key: string, value: YamlValue, mapping: RuleMapping): Filter {
  const [name = '', ...names] = key.split('|').map((each) => each.trim());
  const modifiers = readModifiers(names);
  const values = (isList(value) ? value : [value]).map(toScalar);
  if (values.length === 0) refuseRule(`"${key}" has no value`);
  const texts = values.flatMap((each) => transformed(each, modifiers, mapping));
  checkCount(texts);
  const fields = name === '' ? undefined : comparableFields(mapping, name);
  const filters = texts.map((alternatives) =>
    anyOf(
      alternatives.map((each) =>
        fields
          ? anyField(
              fields.map((field) => fieldFilter(field, each, modifiers)),
              each,
              modifiers,
            )
          : keywordFilter(each, modifiers),
      ),
    ),
  );
  const filter = modifiers.all ? allOf(filters) : anyOf(filters);
  return modifiers.negated ? noneOf(filter) : filter;
}

/** A name that stands for several fields: any of them matches, and all of them lack a value. */
function anyField(filters: readonly Filter[], value: Scalar, { comparison }: Modifiers): Filter {
  const isAbsence = comparison === 'exists' ? value === false : value === null || value === '';
  return isAbsence ? allOf(filters) : anyOf(filters);
}

/** The texts that a value stands for; those of one value are alternatives, even with `all`. */
function transformed(value: Scalar, modifiers: Modifiers, mapping: RuleMapping): readonly Scalar[][] {
  if (typeof value !== 'string') return [[value]];
  const texts = modifiers.expand ? expanded(value, mapping) : [value];
  return [texts.flatMap((text) => modifiers.transform(text))];
}

/** A value with each combination of the values of its placeholders. */
function expanded(value: string, mapping: Pick<RuleMapping, 'placeholders'>): readonly string[] {
  const [, before = '', name = '', after = ''] = /^((?:\\%|[^%])*?)%([^%]+)%([\s\S]*)$/.exec(value) ?? [];
  if (name === '') return [value.replaceAll('\\%', '%')];
  const values = mapping.placeholders.get(name);
  if (!values)
    return refuseRule(`The placeholder "%${name}%" has no values: name them in a file with --mapping`);
  const rest = expanded(after, mapping);
  return values.flatMap((each) => rest.map((end) => `${before.replaceAll('\\%', '%')}${each}${end}`));
}

/** A keyword: a text anywhere in a log, in any field. A whole number can also be the code. */
function keywordFilter(value: Scalar, modifiers: Modifiers): Filter {
  if (value === null || value === '') return refuseRule('A keyword is empty');
  if (!['equals', 'contains'].includes(modifiers.comparison))
    return refuseRule(`Keywords cannot have the modifier "${modifiers.comparison}"`);
  const parts: readonly ValuePart[] = [anyRun, ...parseValue(scalarText(value)), anyRun];
  const code = /^\d{1,15}$/.test(scalarText(value)) ? [fieldFilter('logCode', value, keywords)] : [];
  return anyOf([...keywordFields.map((field) => textFilter(field, parts, modifiers.cased)), ...code]);
}

const keywordFields: readonly Field[] = textFields.flatMap((name) => {
  const field = documentedSchema.fields.get(name);
  return field ? [{ ...field, type: 'keyword' as const }] : [];
});

function checkCount(values: readonly unknown[]): void {
  if (maxValues < values.length)
    refuseRule(`A selection has ${values.length} values, at most ${maxValues} are supported`);
}

function toScalar(value: YamlValue): Scalar {
  return isMap(value) || isList(value)
    ? refuseRule(`A value must be a text, a number or null, got ${kindOf(value)}`)
    : value;
}
