import { flagOf } from './command.ts';
import { UsageError } from './usage-error.ts';

/** Refuses an option together with others, of which one would do nothing. Throws `UsageError`. */
export function refuseTogether<O extends object>(
  options: O,
  name: keyof O & string,
  others: readonly (keyof O & string)[],
): void {
  const other = isGiven(options[name]) ? others.find((each) => isGiven(options[each])) : undefined;
  if (other !== undefined)
    throw new UsageError(`"${flagOf(name)}" and "${flagOf(other)}" exclude each other`);
}

/** Whether an option was given: a switch, a text or number, or something of a list. */
function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? 0 < value.length : value !== undefined && value !== false;
}
