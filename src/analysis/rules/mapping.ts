import { aliasOf, type LogField, logFields } from '../../records/index.ts';
import {
  isList,
  isMap,
  kindOf,
  mapMember,
  RuleRefusal,
  readYaml,
  refuseRule,
  textMember,
  textsMember,
  type YamlMap,
  type YamlValue,
} from './read-yaml.ts';

/** A part of the value of a field: the first group of a regular expression in RE2's syntax, found anywhere in it. */
export interface ExtractedField {
  readonly field: LogField;
  readonly extract: string;
}

/** Fields of the logs that a name of rules stands for: any of several, or a part of one. */
export type MappedField = readonly LogField[] | ExtractedField;

/** A log source whose rules apply, and a selection that its logs must match. */
export interface LogSourceMapping {
  /** Values of `product`, `category` and `service`. */
  readonly keys: ReadonlyMap<string, string>;
  readonly conditions?: YamlMap;
}

/** The translation of the names of rules into those of the logs. */
export interface RuleMapping {
  readonly fields: ReadonlyMap<string, MappedField>;
  /** Empty: rules of every log source apply. */
  readonly logSources: readonly LogSourceMapping[];
  /** Values for `%name%` in values with the modifier `expand`. */
  readonly placeholders: ReadonlyMap<string, readonly string[]>;
}

/** Names of rules that are the names of fields, or usual other names of them. */
export const ownMapping: RuleMapping = { fields: new Map(), logSources: [], placeholders: new Map() };

/**
 * Returns the fields that a name of rules stands for. Without an entry of the mapping, the names
 * and aliases of fields apply, as in records. Throws `RuleRefusal` for an unknown name.
 */
export function mappedField({ fields }: RuleMapping, name: string): MappedField {
  const field = aliasOf(name)?.field;
  return (
    fields.get(name) ??
    (field && [field]) ??
    refuseRule(`The field "${name}" is not mapped to a field of the logs: name it in a file with --mapping`)
  );
}

/** Returns the fields of a name that comparisons can use. Throws `RuleRefusal` for a part of a field. */
export function comparableFields(mapping: RuleMapping, name: string): readonly LogField[] {
  const mapped = mappedField(mapping, name);
  return 'extract' in mapped
    ? refuseRule(`The field "${name}" is a part of "${mapped.field}": it can be counted and grouped by only`)
    : mapped;
}

/**
 * Reads a mapping file. Throws `RuleRefusal` where it is none.
 *
 * ```ts
 * const mapping = readMapping('fields: {EventID: logCode}');
 * const { rules } = compileRules([{ name: 'own.yml', text: 'title: A\ndetection: {s: {logCode: 7569}, condition: s}' }], mapping);
 * ```
 */
export function readMapping(text: string): RuleMapping {
  const [document, ...others] = readYaml(text);
  if (document instanceof RuleRefusal) throw document;
  if (document === undefined || !isMap(document) || 0 < others.length)
    return refuseRule('The mapping must be one map with "fields", "logsources" or "placeholders"');
  const unknown = [...document.keys()].find((key) => !['fields', 'logsources', 'placeholders'].includes(key));
  if (unknown !== undefined) refuseRule(`The mapping must not have "${unknown}"`);
  return {
    fields: new Map(
      Array.from(mapMember(document, 'fields') ?? [], ([name, value]) => [name, toMapped(name, value)]),
    ),
    logSources: toLogSources(document.get('logsources') ?? []),
    placeholders: toPlaceholders(mapMember(document, 'placeholders') ?? new Map()),
  };
}

function toMapped(name: string, value: YamlValue): MappedField {
  if (isMap(value)) {
    const extract = textMember(value, 'extract');
    const groups = extract === undefined ? 0 : countGroups(extract);
    if (extract === undefined || groups !== 1)
      return refuseRule(
        `"extract" of the mapped field "${name}" must be a regular expression with one group`,
      );
    return { field: toLogField(name, textMember(value, 'field') ?? ''), extract };
  }
  const names = isList(value) ? value : [value];
  if (names.length === 0) refuseRule(`The field "${name}" is mapped to no field`);
  return names.map((fieldName) =>
    toLogField(name, typeof fieldName === 'string' ? fieldName : kindOf(fieldName)),
  );
}

/** Maximum length of an expression that extracts a part. */
const maxExpression = 1_000;

function countGroups(expression: string): number {
  if (maxExpression < expression.length) return 0;
  try {
    return (new RegExp(`${expression}|`, 'u').exec('')?.length ?? 1) - 1;
  } catch {
    return 0;
  }
}

function toLogField(name: string, value: string): LogField {
  const field = logFields.find((field) => field === value);
  return (
    field ??
    refuseRule(`The field "${name}" is mapped to "${value}", which is none of ${logFields.join(', ')}`)
  );
}

function toLogSources(value: YamlValue): readonly LogSourceMapping[] {
  if (!isList(value)) return refuseRule(`"logsources" must be a list, got ${kindOf(value)}`);
  return value.map((value) => {
    if (!isMap(value)) return refuseRule(`A log source must be a map, got ${kindOf(value)}`);
    const conditions = mapMember(value, 'conditions');
    const names = ['product', 'category', 'service'];
    const unknown = [...value.keys()].find((key) => key !== 'conditions' && !names.includes(key));
    if (unknown !== undefined) refuseRule(`A log source must not have "${unknown}"`);
    const keys = names.flatMap((key) => {
      const text = textMember(value, key);
      return text === undefined ? [] : [[key, text] as const];
    });
    return { keys: new Map(keys), ...(conditions && { conditions }) };
  });
}

function toPlaceholders(map: YamlMap): RuleMapping['placeholders'] {
  return new Map([...map.keys()].map((name) => [name, textsMember(map, name)] as const));
}
