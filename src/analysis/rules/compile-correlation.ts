import { type MappedField, mappedField, type RuleMapping } from './mapping.ts';
import { isMap, kindOf, mapMember, textMember, textsMember } from './members.ts';
import type { YamlMap, YamlValue } from './read-yaml.ts';
import { refuseRule } from './refusal.ts';
import type { CorrelationRule, CorrelationType, CountLimits, Rule, RuleHead } from './rule.ts';

/** Finds a rule by its name or id. Throws `RuleRefusal` if there is none that can be evaluated. */
export type FindRule = (reference: string) => Rule;

const types: readonly CorrelationType[] = ['event_count', 'value_count', 'temporal', 'temporal_ordered'];

/** Limit of the rules of one correlation, and of fields that it groups by. */
const [maxRules, maxGroupFields] = [50, 10];

/** Compiles a correlation. Throws `RuleRefusal` for what cannot be evaluated. */
export function compileCorrelation(
  head: RuleHead,
  correlation: YamlMap,
  { find, mapping }: { readonly find: FindRule; readonly mapping: RuleMapping },
): CorrelationRule {
  const type = readType(correlation);
  const references = textsMember(correlation, 'rules');
  if (references.length === 0) refuseRule('The correlation names no rules');
  if (maxRules < references.length) refuseRule(`The correlation names more than ${maxRules} rules`);
  const rules = references.map(find);
  const groupNames = textsMember(correlation, 'group-by');
  if (maxGroupFields < groupNames.length)
    refuseRule(`The correlation groups by more than ${maxGroupFields} fields`);
  const fieldOf = fieldFinder(correlation, mapping);
  const { limits, field } = readCondition(type, correlation);
  return {
    ...head,
    ...{ kind: 'correlation', type, rules, groupNames },
    groupBy: rules.map((rule, index) =>
      groupNames.map((name) => fieldOf(name, [references[index] ?? '', rule])),
    ),
    timespan: readTimespan(correlation),
    ...(limits && { limits }),
    ...(field !== undefined && {
      counted: rules.map((rule, index) => fieldOf(field, [references[index] ?? '', rule])),
    }),
  };
}

function readType(correlation: YamlMap): CorrelationType {
  const name = textMember(correlation, 'type') ?? refuseRule('The correlation has no type');
  return (
    types.find((each) => each === name) ??
    refuseRule(`The type of correlation "${name}" is not supported: it must be one of ${types.join(', ')}`)
  );
}

function readTimespan(correlation: YamlMap): number {
  const text = textMember(correlation, 'timespan') ?? textMember(correlation, 'timeframe') ?? '';
  const [, digits, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  const lengths: Readonly<Record<string, number>> = {
    s: 1_000,
    m: 60_000,
    h: 3_600_000,
    d: 86_400_000,
    w: 604_800_000,
  };
  const span = Number(digits) * (lengths[unit] ?? 0);
  return 0 < span
    ? span
    : refuseRule(`"timespan" must be a duration such as 30s, 5m, 1h or 1d, got "${text}"`);
}

/** Finds the field of a name for a rule: by the aliases of the correlation, then by the mapping. */
function fieldFinder(
  correlation: YamlMap,
  mapping: RuleMapping,
): (name: string, rule: readonly [reference: string, Rule]) => MappedField {
  const aliases = mapMember(correlation, 'aliases');
  return (name, [reference, rule]) => {
    const alias = aliases?.get(name);
    if (alias === undefined) return mappedField(mapping, name);
    if (!isMap(alias)) return refuseRule(`The alias "${name}" must be a map, got ${kindOf(alias)}`);
    const names = [reference, rule.name, rule.id].filter((each) => each !== undefined);
    const own = names.map((each) => alias.get(each)).find((each) => each !== undefined);
    if (typeof own !== 'string')
      return refuseRule(`The alias "${name}" has no field for the rule "${reference}"`);
    return mappedField(mapping, own);
  };
}

interface Condition {
  readonly limits?: CountLimits;
  readonly field?: string;
}

function readCondition(type: CorrelationType, correlation: YamlMap): Condition {
  const given = correlation.get('condition');
  const isTemporal = type === 'temporal' || type === 'temporal_ordered';
  if (given === undefined && isTemporal) return {};
  if (given === undefined) return refuseRule(`A correlation of the type ${type} requires a condition`);
  if (type === 'temporal_ordered')
    return refuseRule('A condition of the type temporal_ordered is not supported');
  if (!isMap(given)) return refuseRule(`The condition of a correlation must be a map, got ${kindOf(given)}`);
  const field = textMember(given, 'field');
  if (type === 'value_count' && field === undefined)
    refuseRule('The condition of value_count requires "field"');
  if (type !== 'value_count' && field !== undefined)
    refuseRule(`A condition of the type ${type} has no "field"`);
  const limits = Object.fromEntries([...given].filter(([key]) => key !== 'field').map(toLimit));
  if (Object.keys(limits).length === 0)
    refuseRule('The condition of the correlation has no limit such as "gte"');
  return { limits, ...(field !== undefined && { field }) };
}

function toLimit([key, value]: readonly [string, YamlValue]): [string, number] {
  if (!['gt', 'gte', 'lt', 'lte', 'eq'].includes(key))
    return refuseRule(
      `The limit "${key}" of the condition is not supported: it must be gt, gte, lt, lte or eq`,
    );
  if (typeof value !== 'number')
    return refuseRule(`The limit "${key}" must be a number, got ${kindOf(value)}`);
  return [key, value];
}
