import { boolFilter, type Filter, matchNoneFilter } from '../meaning/filter.ts';
import type { LeafFilter } from './boolean-logic.ts';
import { type ExportParameter, exportParameters, type Necessary } from './parameters.ts';
import { judgeFilter, leavesByField, levelClasses, type ValueClass, valueClasses } from './value-class.ts';

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
  const written = possible.length === 0 ? 'Nothing can match' : write(possible);
  if (typeof written === 'string') return { field, possible, reason: because(written) };
  const use = { field, possible, part: written.part, passing: classes.filter(written.passes) };
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
    ...mustNot.map((each) => boolFilter({ mustNot: [each] })),
  ];
}

/** Returns whether a part is on one field only, and matches every value that the field's parameter passes. */
function isEnsured(part: Filter, uses: readonly Use[]): boolean {
  const [field, second] = leavesByField(part).keys();
  const passing = uses.find((use) => use.field === field)?.passing;
  if (field === undefined || second !== undefined || !passing) return false;
  return passing.every((values) => judgeFilter(part, field, values) === true);
}
