import { flagOf, type OptionSpecs } from './option.ts';
import { UsageError } from './usage-error.ts';

/**
 * Options that are refused together, by the name of one of them: they
 * contradict each other, or one of them would do nothing. What makes no
 * difference to what was asked for is let be.
 */
export interface Exclusions {
  readonly [option: string]: readonly string[];
}

/** Options that do nothing without another one, by their names. */
export interface Requirements {
  readonly [option: string]: string;
}

/** Refuses options that do not go together; by `written`, so that a default contradicts nothing. Throws `UsageError`. */
export function checkCombination(
  options: OptionSpecs,
  { excludes = {}, requires = {} }: { readonly excludes?: Exclusions; readonly requires?: Requirements },
  written: { readonly [option: string]: readonly string[] },
): void {
  const isGiven = (name: string) => 0 < (written[name] ?? []).length;
  for (const [name, others] of Object.entries(excludes)) {
    const other = isGiven(name) ? others.find(isGiven) : undefined;
    if (other !== undefined)
      throw new UsageError(`"${flagOf(name)}" and "${flagOf(other)}" exclude each other`);
  }
  for (const [name, needed] of Object.entries(requires)) {
    if (!isGiven(name) || isGiven(needed)) continue;
    const value = options[needed]?.value;
    throw new UsageError(
      `"${flagOf(name)}" requires "${flagOf(needed)}${value === undefined ? '' : ` ${value}`}"`,
    );
  }
}

/** Options of which at most one can be given. */
export function eachOther(...names: readonly string[]): Exclusions {
  return Object.fromEntries(names.slice(0, -1).map((name, at) => [name, names.slice(at + 1)]));
}
