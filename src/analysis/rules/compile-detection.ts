import type { Filter } from '../../language/index.ts';
import { complexityOf, toDuckdbStatement } from '../../language/index.ts';
import { allOf, anyOf, compileCondition } from './condition.ts';
import { filterQuery } from './filter-query.ts';
import type { RuleMapping } from './mapping.ts';
import { kindOf, mapMember } from './members.ts';
import type { YamlMap } from './read-yaml.ts';
import { refuseRule } from './refusal.ts';
import type { DetectionRule, RuleHead } from './rule.ts';
import { compileSelection } from './selection.ts';

/** Compiles a rule on single logs to a filter. Throws `RuleRefusal` for what cannot be evaluated. */
export function compileDetection(document: YamlMap, head: RuleHead, mapping: RuleMapping): DetectionRule {
  const detection =
    mapMember(document, 'detection') ?? refuseRule('The rule has neither "detection" nor "correlation"');
  const filter = allOf([
    ...logSourceFilters(mapMember(document, 'logsource') ?? new Map(), mapping),
    detectionFilter(detection, mapping),
  ]);
  const complexity = complexityOf(filter);
  if (complexity !== undefined) refuseRule(`The rule is too complex: ${complexity}`);
  const query = filterQuery(filter);
  const { sql, losses } = toDuckdbStatement({ filter, boosts: new Map() });
  return {
    ...head,
    kind: 'detection',
    filter,
    ...(query !== undefined && { query }),
    ...(losses.length === 0 && { sql }),
  };
}

function detectionFilter(detection: YamlMap, mapping: RuleMapping): Filter {
  if (detection.has('timeframe')) refuseRule('"timeframe" is of Sigma 1: a correlation rule must replace it');
  const conditions = detection.get('condition') ?? refuseRule('The detection has no condition');
  const texts = (
    typeof conditions === 'string' ? [conditions] : Array.isArray(conditions) ? conditions : []
  ).map((each) => (typeof each === 'string' ? each : refuseRule('A condition of the list is no text')));
  if (texts.length === 0)
    refuseRule(`"condition" must be a text or a list of texts, got ${kindOf(conditions)}`);
  const selections = new Map(
    [...detection]
      .filter(([name]) => name !== 'condition')
      .map(([name, value]) => [name, compileSelection(value, mapping)] as const),
  );
  return anyOf(texts.map((text) => compileCondition(text, selections)));
}

/** Conditions of the mapping for the log source of a rule. Throws `RuleRefusal` for an unmapped source. */
function logSourceFilters(source: YamlMap, mapping: RuleMapping): readonly Filter[] {
  if (mapping.logSources.length === 0) return [];
  const found = mapping.logSources.find(({ keys }) =>
    [...keys].every(([key, value]) => source.get(key) === value),
  );
  if (!found) {
    const keys = [...source]
      .filter(([key]) => key !== 'definition')
      .map(([key, value]) => `${key} ${String(value)}`);
    return refuseRule(`The log source (${keys.join(', ') || 'none'}) is not in the mapping`);
  }
  return found.conditions ? [compileSelection(found.conditions, mapping)] : [];
}
