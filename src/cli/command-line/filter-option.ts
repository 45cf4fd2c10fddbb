import { listOption, type OptionSpec } from './option.ts';
import { UsageError } from './usage-error.ts';

/** An option with a text to filter by. An empty text would filter nothing and is refused. */
export function filterOption(value: string, about: string): OptionSpec<string | undefined> {
  return {
    value,
    about,
    read(written, flag) {
      const last = written.at(-1);
      if (last === undefined || last.trim() !== '') return last;
      throw new UsageError(`${flag} must not be empty`);
    },
  };
}

/** An option with a list to filter by. An empty list would filter nothing and is refused. */
export function filterListOption(value: string, about: string): OptionSpec<readonly string[]> {
  const { read, ...rest } = listOption(value, about);
  return {
    ...rest,
    read(written, flag) {
      const items = read(written, flag);
      if (written.length === 0 || 0 < items.length) return items;
      throw new UsageError(`${flag} must not be empty`);
    },
  };
}

/** An option with one of a fixed set of words in capitals; matches in any case. */
export function upperCaseChoiceOption<const C extends string>(
  value: string,
  about: string,
  choices: readonly C[],
): OptionSpec<C | undefined> {
  return {
    value,
    about: `${about}: ${choices.join(', ')}`,
    choices,
    read(written, flag) {
      const last = written.at(-1);
      const found = choices.find((each) => each === last?.trim().toUpperCase());
      if (last === undefined || found !== undefined) return found;
      throw new UsageError(`${flag} must be one of ${choices.join(', ')}, got "${last}"`);
    },
  };
}
