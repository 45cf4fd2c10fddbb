import { boolFilter, type Filter, matchNoneFilter } from '../meaning/filter.ts';
import { complexityOf, type FieldValue, isMatch, toDocument } from '../meaning/match.ts';
import { type FieldType, logLevels } from '../meaning/schema.ts';
import type { NumberValue } from '../meaning/values.ts';
import type { LeafFilter } from './diagram.ts';
import { cutInto, type Interval, keywordLine, numberLine, type ValueLine } from './theories.ts';

/** A query in the structured form of an export, and the rest of its work. */
export interface Plan {
  readonly necessary: Necessary;
  /** The filter for the exported logs; undefined if the structured form is exact. */
  readonly residual: Filter | undefined;
  /** True if certainly no log is selected, so that there is nothing to export. */
  readonly selectsNothing: boolean;
  readonly reasons: readonly PlanReason[];
}

/**
 * The reason why a parameter is not used although the query has a condition on its field, or the
 * assumption behind its use.
 */
export interface PlanReason {
  /** The name of the parameter on the wire. */
  readonly parameter: string;
  /** In plain words, no final stop. */
  readonly reason: string;
}

/** The assumptions of a plan. */
export interface PlanOptions {
  /**
   * True if every log has one of the six documented levels, in capitals, or none. True unless
   * given: the structured form has no others.
   */
  readonly knownLevels?: boolean;
}

/**
 * Derives the structured form of an export from a filter, so that no selected log is missed. The
 * form compares whole values, while a text field is searched word by word: `sharing` also finds
 * "Sharing API". A text field is therefore not used, except the level.
 *
 * The filter selects exactly the logs that pass `necessary` and `residual`.
 *
 * ```ts
 * const { residual } = plan(filter);
 * ```
 */
export function plan(filter: Filter, { knownLevels = true }: PlanOptions = {}): Plan {
  const leaves = leavesByField(filter);
  const tooComplex = complexityOf(filter);
  if (tooComplex !== undefined) return unplanned(filter, leaves, tooComplex);
  const uses = exportParameters.flatMap((parameter) => {
    const own = leaves.get(parameter.field);
    return own ? [useOf(parameter, own, { filter, knownLevels })] : [];
  });
  const selectsNothing = filter.kind === 'none' || uses.some(({ possible }) => possible?.length === 0);
  return {
    necessary: selectsNothing ? {} : Object.assign({}, ...uses.map(({ part }) => part)),
    residual: selectsNothing ? matchNoneFilter : residualOf(filter, uses),
    selectsNothing,
    reasons: uses.flatMap(({ reason }) => reason ?? []),
  };
}

/** The plan that leaves everything to the filter, because its patterns take too long. */
function unplanned(filter: Filter, leaves: ReadonlyMap<string, unknown>, reason: string): Plan {
  const reasons = exportParameters.flatMap(({ name, field }) =>
    leaves.has(field) ? [{ parameter: name, reason: `The query is too complex: ${reason}` }] : [],
  );
  return { necessary: {}, residual: filter, selectsNothing: false, reasons };
}

/** The use of a parameter. */
interface Use {
  readonly field: string;
  /** The values that a selected log can have; undefined if unknown. */
  readonly possible?: readonly ValueClass[];
  readonly part?: Necessary;
  /** The values that the parameter passes: all possible ones, and perhaps more. */
  readonly passing?: readonly ValueClass[];
  readonly reason?: PlanReason;
}

interface Planned {
  readonly filter: Filter;
  readonly knownLevels: boolean;
}

function useOf(
  { name, field, type, write }: ExportParameter,
  leaves: readonly LeafFilter[],
  { filter, knownLevels }: Planned,
): Use {
  const because = (reason: string): PlanReason => ({ parameter: name, reason });
  const byLevel = field === 'logLevel' && knownLevels;
  const actual = leaves[0]?.field.type;
  if (!byLevel && actual !== type) return { field, reason: because(unfit(field, actual)) };
  if (maxLeaves < leaves.length)
    return { field, reason: because(`The query has too many conditions on "${field}"`) };
  const classes = byLevel ? levelClasses : valueClasses(leaves);
  const possible = classes.filter((values) => judgeFilter(filter, field, values) !== false);
  if (possible.some(({ sample }) => sample === undefined)) {
    return { field, possible, reason: because(`Logs without a value of "${field}" can match as well`) };
  }
  const outcome = possible.length === 0 ? 'Nothing can match' : write(possible);
  if (typeof outcome === 'string') return { field, possible, reason: because(outcome) };
  const use = { field, possible, part: outcome.part, passing: classes.filter(outcome.passes) };
  return byLevel
    ? { ...use, reason: because('Every log is assumed to have a documented level or none') }
    : use;
}

/** The maximum number of leaves on one field: the time grows with the square of their number. */
const maxLeaves = 1000;

function unfit(field: string, type: string | undefined): string {
  return type === 'text'
    ? `"${field}" is searched word by word, so values other than the one asked for can match as well`
    : `"${field}" is of the type ${type}`;
}

/** The requirements of a filter that the parameters in use do not ensure. */
function residualOf(filter: Filter, uses: readonly Use[]): Filter | undefined {
  const left = requirements(filter).filter((part) => !isEnsured(part, uses));
  const [first, second] = left;
  return second ? boolFilter({ must: left }) : first;
}

function requirements(filter: Filter): readonly Filter[] {
  if (filter.kind === 'all') return [];
  if (filter.kind !== 'bool') return [filter];
  const { must, should, mustNot } = filter;
  return [
    ...must.flatMap(requirements),
    ...(must.length === 0 && 0 < should.length ? [boolFilter({ should })] : []),
    ...mustNot.map((filter) => boolFilter({ mustNot: [filter] })),
  ];
}

/** Returns whether a part is on one field only, and matches every value that the field's parameter passes. */
function isEnsured(part: Filter, uses: readonly Use[]): boolean {
  const [field, second] = leavesByField(part).keys();
  const passing = uses.find((use) => use.field === field)?.passing;
  if (field === undefined || second !== undefined || !passing) return false;
  return passing.every((values) => judgeFilter(part, field, values) === true);
}

/**
 * Filters of the structured form of an export (section 4.2.1 of the interface document) that every
 * log of a query passes. An absent one does not restrict; on the wire, an absent level means the
 * organisation's own instead.
 */
export interface Necessary {
  /** This level or a more severe one. */
  readonly logLevel?: string;
  /** One of these codes. */
  readonly logCodes?: readonly number[];
  readonly users?: string;
  /** One of these. */
  readonly requestIDs?: readonly string[];
  readonly serviceTypes?: string;
  readonly source?: string;
  /** The most recent time, inclusive, in milliseconds since the epoch: `startTime` on the wire. */
  readonly newest?: number;
  /** The oldest time, inclusive, in milliseconds since the epoch: `endTime` on the wire. */
  readonly oldest?: number;
}

/** A parameter of the structured form, and a function that writes it for given values of its field. */
export interface ExportParameter {
  /** The name on the wire. */
  readonly name: string;
  readonly field: string;
  /** The required type of the field; with any other the form has a different meaning than the query. */
  readonly type: FieldType;
  /** Writes a value that passes all possible classes, or returns why there is none. */
  readonly write: (possible: readonly ValueClass[]) => WrittenParameter | string;
}

/** A parameter that is written. */
export interface WrittenParameter {
  readonly part: Necessary;
  /** Returns whether the parameter passes any of these values. */
  readonly passes: (values: ValueClass) => boolean;
}

/** All parameters for which a query can imply a value. */
export const exportParameters: readonly ExportParameter[] = [
  { name: 'logLevel', field: 'logLevel', type: 'keyword', write: writeLevel },
  { name: 'logCode', field: 'logCode', type: 'integer', write: writeCodes },
  one('users', 'username', (users) => ({ users })),
  {
    name: 'requestIDs',
    field: 'requestID',
    type: 'keyword',
    write: (possible) => writeValues(possible, { max: maxList, part: (requestIDs) => ({ requestIDs }) }),
  },
  one('serviceTypes', 'serviceTypes', (serviceTypes) => ({ serviceTypes })),
  one('source', 'source', (source) => ({ source })),
  { name: 'startTime and endTime', field: 'time', type: 'date', write: writeWindow },
];

/** The maximum length of a list; a longer one makes a request hard to read and excludes little. */
const maxList = 200;

function one(name: string, field: string, part: (value: string) => Necessary): ExportParameter {
  return {
    name,
    field,
    type: 'keyword',
    write: (possible) => writeValues(possible, { max: 1, part: ([value = '']) => part(value) }),
  };
}

function writeLevel(possible: readonly ValueClass[]): WrittenParameter | string {
  const ranks = possible.map((values) => (values.single ? rankOf(values) : -1));
  if (ranks.includes(-1)) return 'Levels other than the documented ones can match as well';
  const min = Math.max(...ranks);
  const logLevel = logLevels[min];
  if (!logLevel) return 'No level can match';
  // A class of several values may contain levels that no part of the query mentions.
  return { part: { logLevel }, passes: (values) => !values.single || isWithin(rankOf(values), 0, min) };
}

const levels: readonly unknown[] = logLevels;

function rankOf({ sample }: ValueClass): number {
  return levels.indexOf(sample);
}

function writeCodes(possible: readonly ValueClass[]): WrittenParameter | string {
  const logCodes: number[] = [];
  for (const { from, to } of possible) {
    if (typeof from === 'bigint' || typeof to === 'bigint') return 'Codes beyond 2^53 can match';
    if (from === undefined || to === undefined || maxList < to - from + logCodes.length) {
      return `More than ${maxList} codes can match`;
    }
    for (let code = from; code < to; code += 1) logCodes.push(code);
  }
  return { part: { logCodes }, passes: (values) => possible.includes(values) };
}

function writeValues(
  possible: readonly ValueClass[],
  { max, part }: { readonly max: number; readonly part: (values: readonly string[]) => Necessary },
): WrittenParameter | string {
  if (!possible.every(({ single }) => single)) return 'Values that the query does not name can match as well';
  if (max < possible.length) return `More than ${max === 1 ? 'one value' : `${max} values`} can match`;
  const values = possible.map(({ sample }) => String(sample));
  const unwritable = values.find((value) => value.trim() !== value || value === '' || value.includes(','));
  if (unwritable !== undefined)
    return `${JSON.stringify(unwritable)} cannot be written in a list with commas`;
  return { part: part(values), passes: (valueClass) => possible.includes(valueClass) };
}

function writeWindow(possible: readonly ValueClass[]): WrittenParameter | string {
  const oldest = asTime(possible[0]?.from);
  const end = asTime(possible.at(-1)?.to);
  if (oldest === undefined && end === undefined) return 'The query bounds the time on neither side';
  const part = {
    ...(oldest !== undefined && { oldest }),
    ...(end !== undefined && { newest: end - 1 }),
  };
  return {
    part,
    passes: ({ sample }) =>
      isWithin(Number(sample ?? Number.NaN), oldest ?? -Infinity, (end ?? Infinity) - 1),
  };
}

/** Times are far below the numbers that need a `bigint`. */
function asTime(value: NumberValue | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}

function isWithin(value: number, min: number, greatest: number): boolean {
  return min <= value && value <= greatest;
}

/** Values of one field that a filter does not distinguish. */
interface ValueClass {
  /** One of the values; undefined for no value. */
  readonly sample: FieldValue | undefined;
  /** True if there is no other value. */
  readonly single: boolean;
  /** For numbers: the first one, and the first one after them; undefined for an open end. */
  readonly from?: NumberValue | undefined;
  readonly to?: NumberValue | undefined;
  /** Evaluates a leaf on the field for these values; undefined if the leaf may distinguish them. */
  readonly judge: (leaf: LeafFilter) => boolean | undefined;
}

/**
 * The classes of values that leaves on a field distinguish, including no value. The field is not a
 * text field.
 */
function valueClasses(leaves: readonly LeafFilter[]): readonly ValueClass[] {
  const type = leaves[0]?.field.type;
  if (!type || type === 'text') return [];
  return type === 'keyword'
    ? [absent, ...onLine(keywordLine, leaves, () => ({}))]
    : [absent, ...onLine(numberLine(type), leaves, ({ from, to }) => ({ from, to }))];
}

/** Each level and no level as classes. They are the same for a text and a keyword field. */
const levelClasses: readonly ValueClass[] = [undefined, ...logLevels].map((level) => ({
  sample: level,
  single: true,
  judge: (leaf) => isMatch(leaf, toDocument({ [leaf.field.name]: level })),
}));

const absent: ValueClass = { sample: undefined, single: true, judge: () => false };

function onLine<V extends FieldValue>(
  line: ValueLine<V>,
  leaves: readonly LeafFilter[],
  ends: (interval: Interval<V>) => Pick<ValueClass, 'from' | 'to'>,
): ValueClass[] {
  const intervals = leaves.map((leaf) => line.interval(leaf)).filter((interval) => interval !== undefined);
  return cutInto(intervals, line.compare).all.flatMap((interval) => {
    const [sample] = line.valuesIn(interval);
    if (sample === undefined) return [];
    const single = line.onlyValue(interval) !== undefined;
    const judge = (leaf: LeafFilter) => {
      const isConstant = single || leaf.kind === 'exists' || line.interval(leaf) !== undefined;
      return isConstant ? isMatch(leaf, toDocument({ [leaf.field.name]: sample })) : undefined;
    };
    return [{ sample, single, judge, ...ends(interval) }];
  });
}

/** The leaves of a filter by field name. */
function leavesByField(filter: Filter): ReadonlyMap<string, readonly LeafFilter[]> {
  const found = new Map<string, LeafFilter[]>();
  const visit = (filter: Filter): void => {
    if (filter.kind === 'all' || filter.kind === 'none') return;
    if (filter.kind === 'disMax') filter.filters.forEach(visit);
    else if (filter.kind === 'bool') [...filter.must, ...filter.should, ...filter.mustNot].forEach(visit);
    else if (!found.get(filter.field.name)?.push(filter)) found.set(filter.field.name, [filter]);
  };
  visit(filter);
  return found;
}

/**
 * Evaluates a filter for logs with these values in a field: true or false only if that holds for
 * any values of their other fields.
 */
function judgeFilter(filter: Filter, field: string, values: ValueClass): boolean | undefined {
  switch (filter.kind) {
    case 'all':
      return true;
    case 'none':
      return false;
    case 'disMax':
      return any(filter.filters.map((filter) => judgeFilter(filter, field, values)));
    case 'bool': {
      const { must, should, mustNot } = filter;
      const verdicts = must.map((filter) => judgeFilter(filter, field, values));
      if (must.length === 0 && 0 < should.length) {
        verdicts.push(any(should.map((filter) => judgeFilter(filter, field, values))));
      }
      for (const filter of mustNot) verdicts.push(not(judgeFilter(filter, field, values)));
      return not(any(verdicts.map(not)));
    }
    default:
      return filter.field.name === field ? values.judge(filter) : undefined;
  }
}

function any(verdicts: readonly (boolean | undefined)[]): boolean | undefined {
  if (verdicts.includes(true)) return true;
  return verdicts.includes(undefined) ? undefined : false;
}

function not(value: boolean | undefined): boolean | undefined {
  return value === undefined ? undefined : !value;
}
