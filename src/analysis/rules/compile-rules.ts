import {
  type BoolFilter,
  complexityOf,
  documentedSchema,
  type Filter,
  type RangeFilter,
  toDuckdbStatement,
} from '../../language/index.ts';
import { allOf, anyOf, compileCondition } from './condition.ts';
import { type MappedField, mappedField, ownMapping, type RuleMapping } from './mapping.ts';
import {
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
import {
  type CorrelationRule,
  type CorrelationType,
  type CountLimits,
  type DetectionRule,
  type Rule,
  type RuleHead,
  type RuleSet,
  ruleLevels,
  type UnsupportedRule,
} from './rule.ts';
import { compileSelection } from './selection.ts';

/** A file with rules. */
export interface RuleFile {
  /** Its name, for messages. */
  readonly name: string;
  readonly text: string;
}

/** Correlations of correlations nest at most this deep. */
const maxChain = 10;

/** A document that is a rule by its head. */
interface Draft {
  readonly head: RuleHead;
  readonly document: YamlMap;
}

/**
 * Compiles the Sigma rules of some files. A rule that cannot be evaluated is among `unsupported`
 * with its reason; none is left out in silence. Does not throw.
 *
 * ```ts
 * compileRules([{ name: 'a.yml', text: 'title: A\ndetection: {s: {logCode: 7569}, condition: s}' }]);
 * ```
 */
export function compileRules(files: readonly RuleFile[], mapping: RuleMapping = ownMapping): RuleSet {
  const unsupported: UnsupportedRule[] = [];
  const documents = files.flatMap((file) => readDrafts(file, unsupported));
  const drafts = documents.filter(({ document }) => !document.has('filter'));
  const filters = readFilters(
    documents.filter(({ document }) => document.has('filter')),
    { drafts, mapping, unsupported },
  );
  const compiled = compileDrafts(drafts, { mapping, filters, unsupported });
  const correlated = new Set(drafts.flatMap(correlatedNames));
  const rules = compiled.filter(
    ({ name, id }) => ![name, id].some((reference) => reference !== undefined && correlated.has(reference)),
  );
  return { rules, unsupported };
}

function readDrafts({ name: file, text }: RuleFile, unsupported: UnsupportedRule[]): readonly Draft[] {
  const drafts: Draft[] = [];
  try {
    for (const [index, document] of readYaml(text).entries()) {
      try {
        if (document instanceof RuleRefusal) throw document;
        if (!isMap(document)) throw new RuleRefusal(`A rule must be a map, got ${kindOf(document)}`);
        drafts.push({ head: readHead(document, { file, document: index + 1 }), document });
      } catch (error) {
        unsupported.push({ ...titleOf(document), file, document: index + 1, reason: reasonOf(error) });
      }
    }
  } catch (error) {
    unsupported.push({ file, reason: reasonOf(error) });
  }
  return drafts;
}

/** A Sigma filter (specification 2.1): what the logs of some rules must match besides. */
interface RuleFilter {
  readonly title: string;
  /** Names and ids of its rules; undefined for all rules of its log source. */
  readonly rules: readonly string[] | undefined;
  readonly source: YamlMap;
  /** The condition; for a filter that cannot be evaluated the reason, as its rules would find too much without it. */
  readonly condition: Filter | RuleRefusal;
}

interface FilterContext {
  readonly drafts: readonly Draft[];
  readonly mapping: RuleMapping;
  readonly unsupported: UnsupportedRule[];
}

/** Reads filters; what is wrong with one is reported for itself, and refuses its rules. */
function readFilters(
  documents: readonly Draft[],
  { drafts, mapping, unsupported }: FilterContext,
): readonly RuleFilter[] {
  return documents.map(({ head, document }) => {
    let rules: readonly string[] | undefined;
    let source: YamlMap = new Map();
    try {
      source = mapMember(document, 'logsource') ?? source;
      const body = mapMember(document, 'filter') ?? refuseRule('The filter has no conditions');
      const named = textsMember(body, 'rules');
      rules = named.length === 0 || named.join().toLowerCase() === 'any' ? undefined : named;
      const [unknown] = (rules ?? []).filter((rule) => !drafts.some((draft) => isNamed(draft, rule)));
      const selections = new Map([...body].filter(([name]) => name !== 'rules'));
      const condition = detectionFilter(selections, mapping);
      if (unknown !== undefined)
        unsupported.push({
          ...head,
          reason: `The rule "${unknown}" that it filters is in none of the files`,
        });
      return { title: head.title, rules, source, condition };
    } catch (error) {
      const reason = `The filter cannot be evaluated, nor can its rules: ${reasonOf(error)}`;
      unsupported.push({ ...head, reason });
      return { title: head.title, rules, source, condition: new RuleRefusal(reasonOf(error)) };
    }
  });
}

function isNamed({ head }: Draft, reference: string): boolean {
  return head.name === reference || head.id === reference;
}

/** The conditions of the filters of a rule. Throws `RuleRefusal` if one of them cannot be evaluated. */
function filtersOf(draft: Draft, filters: readonly RuleFilter[]): readonly Filter[] {
  const source = mapMember(draft.document, 'logsource') ?? new Map<string, YamlValue>();
  const isMeant = ({ rules, source: own }: RuleFilter) =>
    (rules === undefined || rules.some((rule) => isNamed(draft, rule))) &&
    [...own].every(([key, value]) => key === 'definition' || source.get(key) === value);
  return filters
    .filter(isMeant)
    .map(({ title, condition }) =>
      condition instanceof RuleRefusal
        ? refuseRule(`Its filter "${title}" cannot be evaluated: ${condition.message}`)
        : condition,
    );
}

function titleOf(document: unknown): { readonly title?: string } {
  const title: unknown = document instanceof Map ? document.get('title') : undefined;
  return typeof title === 'string' ? { title } : {};
}

function readHead(document: YamlMap, origin: Pick<RuleHead, 'file' | 'document'>): RuleHead {
  if (document.has('action')) refuseRule('"action" is of Sigma 1: collections of rules are not supported');
  const [title, level] = [textMember(document, 'title'), textMember(document, 'level')];
  const [id, name] = [textMember(document, 'id'), textMember(document, 'name')];
  const description = textMember(document, 'description');
  const known = ruleLevels.find((ruleLevel) => ruleLevel === level?.toLowerCase());
  if (title === undefined || title.trim() === '') refuseRule('The rule has no title');
  if (level !== undefined && !known)
    refuseRule(`The level must be one of ${ruleLevels.join(', ')}, got "${level}"`);
  return {
    ...origin,
    title: title ?? '',
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    ...(known && { level: known }),
    ...(description !== undefined && { description }),
  };
}

/** Compiles rules in their order; those that a correlation names are compiled on its demand. */
function compileDrafts(
  drafts: readonly Draft[],
  {
    mapping,
    filters,
    unsupported,
  }: Omit<FilterContext, 'drafts'> & { readonly filters: readonly RuleFilter[] },
): readonly Rule[] {
  const results = new Map<Draft, Rule | RuleRefusal>();
  const open: Draft[] = [];
  const compileDraft = (draft: Draft): Rule => {
    const known = results.get(draft);
    if (known instanceof RuleRefusal) throw known;
    if (known) return known;
    if (open.includes(draft)) refuseRule(`The rule "${draft.head.title}" correlates itself`);
    if (maxChain < open.length) refuseRule(`Correlations nest more than ${maxChain} levels`);
    open.push(draft);
    try {
      const rule = compileOne(draft);
      results.set(draft, rule);
      return rule;
    } catch (error) {
      results.set(draft, error instanceof RuleRefusal ? error : new RuleRefusal(reasonOf(error)));
      throw error;
    } finally {
      open.pop();
    }
  };
  const compileOne = (draft: Draft): Rule => {
    const { head, document } = draft;
    const correlation = mapMember(document, 'correlation');
    return correlation
      ? compileCorrelation(head, correlation, { find, mapping })
      : compileDetection(document, head, { mapping, filters: filtersOf(draft, filters) });
  };
  const find = (reference: string): Rule => {
    const named = drafts.filter((draft) => isNamed(draft, reference));
    const [first] = named;
    if (!first) return refuseRule(`The rule "${reference}" that it correlates is in none of the files`);
    if (1 < named.length)
      refuseRule(`The rule "${reference}" that it correlates is there ${named.length} times`);
    try {
      return compileDraft(first);
    } catch (error) {
      return refuseRule(`The rule "${reference}" that it correlates cannot be evaluated: ${reasonOf(error)}`);
    }
  };
  return drafts.flatMap((draft) => {
    try {
      return [compileDraft(draft)];
    } catch (error) {
      unsupported.push({ ...draft.head, reason: reasonOf(error) });
      return [];
    }
  });
}

/** Names of the rules that a correlation uses, which have no results of their own unless it generates them. */
function correlatedNames({ document }: Draft): readonly string[] {
  try {
    const correlation = mapMember(document, 'correlation');
    if (!correlation || correlation.get('generate') === true || document.get('generate') === true) return [];
    return textsMember(correlation, 'rules');
  } catch {
    return [];
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof RuleRefusal) return error.message;
  // A bug must not pass for a property of the rule.
  throw error;
}

/** Finds a rule by its name or id. Throws `RuleRefusal` if there is none that can be evaluated. */
type FindRule = (reference: string) => Rule;

/** The types that compute a number of the values of a field; `value_count` counts any values. */
const numericTypes = ['value_sum', 'value_avg', 'value_percentile', 'value_median'] as const;
const types: readonly CorrelationType[] = [
  'event_count',
  'value_count',
  ...numericTypes,
  'temporal',
  'temporal_ordered',
];

/** Limit of the rules of one correlation, and of fields that it groups by. */
const [maxRules, maxGroupFields] = [50, 10];

/** Compiles a correlation. Throws `RuleRefusal` for what cannot be evaluated. */
function compileCorrelation(
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
  const { limits, field, percentile } = readCondition(type, correlation);
  const numbersOf = (name: string, rule: readonly [string, Rule]) =>
    checkNumeric(type, name, fieldOf(name, rule));
  return {
    ...head,
    kind: 'correlation',
    type,
    rules,
    groupNames,
    groupBy: rules.map((rule, index) =>
      groupNames.map((name) => fieldOf(name, [references[index] ?? '', rule])),
    ),
    timespan: readTimespan(correlation),
    ...(limits && { limits }),
    ...(field !== undefined && {
      counted: rules.map((rule, index) => numbersOf(field, [references[index] ?? '', rule])),
    }),
    ...(percentile !== undefined && { percentile }),
  };
}

function readType(correlation: YamlMap): CorrelationType {
  const name = textMember(correlation, 'type') ?? refuseRule('The correlation has no type');
  return (
    types.find((type) => type === name) ??
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
    const names = [reference, rule.name, rule.id].filter((ruleName) => ruleName !== undefined);
    const own = names.map((name) => alias.get(name)).find((field) => field !== undefined);
    if (typeof own !== 'string')
      return refuseRule(`The alias "${name}" has no field for the rule "${reference}"`);
    return mappedField(mapping, own);
  };
}

/** A field whose values are numbers, or a part of one, which may be: others are left out as logs without a value are. */
function checkNumeric(type: CorrelationType, name: string, field: MappedField): MappedField {
  const isNumeric =
    !numericTypes.some((each) => each === type) ||
    'extract' in field ||
    field.every((each) => ['integer', 'decimal'].includes(documentedSchema.fields.get(each)?.type ?? ''));
  return isNumeric
    ? field
    : refuseRule(`A condition of the type ${type} requires a field with numbers, and "${name}" is none`);
}

interface Condition {
  readonly limits?: CountLimits;
  readonly field?: string;
  readonly percentile?: number | undefined;
}

function readCondition(type: CorrelationType, correlation: YamlMap): Condition {
  const value = correlation.get('condition');
  const isTemporal = type === 'temporal' || type === 'temporal_ordered';
  if (value === undefined && isTemporal) return {};
  if (value === undefined) return refuseRule(`A correlation of the type ${type} requires a condition`);
  if (type === 'temporal_ordered')
    return refuseRule('A condition of the type temporal_ordered is not supported');
  if (!isMap(value)) return refuseRule(`The condition of a correlation must be a map, got ${kindOf(value)}`);
  const field = textMember(value, 'field');
  const isOfValues = type.startsWith('value_');
  if (isOfValues && field === undefined) refuseRule(`The condition of ${type} requires "field"`);
  if (!isOfValues && field !== undefined) refuseRule(`A condition of the type ${type} has no "field"`);
  const percentile = readPercentile(type, value.get('percentile'));
  const limits = Object.fromEntries(
    [...value].filter(([key]) => key !== 'field' && key !== 'percentile').map(toLimit),
  );
  if (Object.keys(limits).length === 0)
    refuseRule('The condition of the correlation has no limit such as "gte"');
  return { limits, percentile, ...(field !== undefined && { field }) };
}

function readPercentile(type: CorrelationType, value: YamlValue | undefined): number | undefined {
  if (type !== 'value_percentile')
    return value === undefined
      ? undefined
      : refuseRule(`A condition of the type ${type} has no "percentile"`);
  return typeof value === 'number' && 0 <= value && value <= 100
    ? value
    : refuseRule('The condition of value_percentile requires "percentile", a number from 0 to 100');
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

/** Compiles a rule on single logs to a filter. Throws `RuleRefusal` for what cannot be evaluated. */
function compileDetection(
  document: YamlMap,
  head: RuleHead,
  { mapping, filters }: { readonly mapping: RuleMapping; readonly filters: readonly Filter[] },
): DetectionRule {
  const detection =
    mapMember(document, 'detection') ?? refuseRule('The rule has neither "detection" nor "correlation"');
  const filter = allOf([
    ...logSourceFilters(mapMember(document, 'logsource') ?? new Map(), mapping),
    detectionFilter(detection, mapping),
    ...filters,
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
  ).map((condition) =>
    typeof condition === 'string' ? condition : refuseRule('A condition of the list is no text'),
  );
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

/**
 * A query in the documented language for exactly the logs of a filter; undefined where it has
 * none. Only comparisons of codes have one: the language compares words of texts, rules compare
 * whole values.
 */
function filterQuery(filter: Filter): string | undefined {
  switch (filter.kind) {
    case 'range':
      return rangeQuery(filter);
    case 'disMax':
      return joinedQuery(filter.filters, ' OR ');
    case 'bool':
      return boolQuery(filter);
    default:
      return undefined;
  }
}

function rangeQuery({ field, lower, upper }: RangeFilter): string | undefined {
  if (field.type !== 'integer' || !lower?.inclusive || !upper?.inclusive) return undefined;
  if (lower.value < 0) return undefined;
  return lower.value === upper.value
    ? `${field.name}:${lower.value}`
    : `${field.name}:[${lower.value} TO ${upper.value}]`;
}

function boolQuery({ must, should, mustNot }: BoolFilter): string | undefined {
  if (0 < should.length || must.length === 0) return undefined;
  const [required, excluded] = [must.map(filterQuery), mustNot.map(filterQuery)];
  if ([...required, ...excluded].includes(undefined)) return undefined;
  const clauses = [...required, ...excluded.map((clause) => `NOT ${clause}`)];
  return clauses.length === 1 ? clauses[0] : `(${clauses.join(' AND ')})`;
}

function joinedQuery(filters: readonly Filter[], operator: string): string | undefined {
  const queries = filters.map(filterQuery);
  return queries.includes(undefined) ? undefined : `(${queries.join(operator)})`;
}
