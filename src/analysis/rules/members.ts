import type { YamlMap, YamlValue } from './read-yaml.ts';
import { refuseRule } from './refusal.ts';

/** Readers of the members of a map. Each throws `RuleRefusal` for a value of another type. */

/** The text of a member; undefined if it is absent or null. */
export function textMember(map: YamlMap, name: string): string | undefined {
  const value = map.get(name) ?? undefined;
  if (value === undefined || typeof value === 'string') return value;
  return refuseRule(`"${name}" must be a text, got ${kindOf(value)}`);
}

/** The texts of a member that is a text or a list of texts; empty if it is absent. */
export function textsMember(map: YamlMap, name: string): readonly string[] {
  const value = map.get(name) ?? [];
  if (typeof value === 'string') return [value];
  if (isList(value) && value.every((each) => typeof each === 'string')) return value;
  return refuseRule(`"${name}" must be a text or a list of texts, got ${kindOf(value)}`);
}

/** The map of a member; undefined if it is absent or null. */
export function mapMember(map: YamlMap, name: string): YamlMap | undefined {
  const value = map.get(name) ?? undefined;
  if (value === undefined || isMap(value)) return value;
  return refuseRule(`"${name}" must be a map, got ${kindOf(value)}`);
}

/** True for a map. */
export function isMap(value: YamlValue | undefined): value is YamlMap {
  return value instanceof Map;
}

/** True for a list. */
export function isList(value: YamlValue | undefined): value is readonly YamlValue[] {
  return Array.isArray(value);
}

/** The type of a value, for messages. */
export function kindOf(value: YamlValue): string {
  if (value === null) return 'nothing';
  if (isMap(value)) return 'a map';
  if (isList(value)) return 'a list';
  if (typeof value === 'string') return 'a text';
  return typeof value === 'boolean' ? 'true or false' : 'a number';
}
