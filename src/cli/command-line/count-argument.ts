import type { ArgumentSpec } from './argument.ts';
import { UsageError } from './usage-error.ts';

/** A required argument with a whole number of at least 1; `name` is that of the help. */
export function countArgument(name: string, about: string): ArgumentSpec<number> {
  return {
    about,
    times: 'one',
    read([written = '']) {
      if (/^[1-9]\d{0,14}$/.test(written)) return Number(written);
      throw new UsageError(`${name} must be a whole number of at least 1, got "${written}"`);
    },
  };
}
