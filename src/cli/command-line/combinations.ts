import { type OptionSpecs, optionFlag } from './option.ts';
import { UsageError } from './usage-error.ts';

/**
 * Options refused together, by the name of one of them, because they contradict each other or one
 * would have no effect. Harmless combinations are allowed.
 */
export interface Exclusions {
  readonly [option: string]: readonly string[];
}

/** Options that require another one, by name. */
export interface Requirements {
  readonly [option: string]: string;
}

/**
 * Refuses contradicting options. Looks at `written`, so that defaults contradict nothing. Throws
 * `UsageError`.
 */
export function checkCombination(
  options: OptionSpecs,
  { excludes = {}, requires = {} }: { readonly excludes?: Exclusions; readonly requires?: Requirements },
  written: { readonly [option: string]: readonly string[] },
): void {
  const isGiven = (name: string) => 0 < (written[name] ?? []).length;
  for (const [name, others] of Object.entries(excludes)) {
    const other = isGiven(name) ? others.find(isGiven) : undefined;
    if (other !== undefined)
      throw new UsageError(`${optionFlag(name)} and ${optionFlag(other)} exclude each other`);
  }
  for (const [name, needed] of Object.entries(requires)) {
    if (!isGiven(name) || isGiven(needed)) continue;
    const value = options[needed]?.value;
    throw new UsageError(
      `${optionFlag(name)} requires ${optionFlag(needed)}${value === undefined ? '' : ` ${value}`}`,
    );
  }
}

/** Exclusions that allow at most one of the named options. */
export function mutuallyExclusive(...names: readonly string[]): Exclusions {
  return Object.fromEntries(names.slice(0, -1).map((name, at) => [name, names.slice(at + 1)]));
}
