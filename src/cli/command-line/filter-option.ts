import { parseInteger } from '../../language/index.ts';
import { choiceOption, listOption, type OptionSpec } from './option.ts';
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
  return choiceOption(value, about, choices, (text) => text.trim().toUpperCase());
}

/** An option with texts to filter by, one for each use. An empty text would filter nothing and is refused. */
export function filterTextsOption(value: string, about: string): OptionSpec<readonly string[]> {
  return {
    value,
    about,
    read(written, flag) {
      if (written.every((each) => each.trim() !== '')) return written;
      throw new UsageError(`${flag} must not be empty`);
    },
  };
}

/** An option with a list of whole numbers of at most 64 bits, as they are written. */
export function integerListOption(value: string, about: string): OptionSpec<readonly string[]> {
  const { read, ...rest } = filterListOption(value, about);
  return {
    ...rest,
    read(written, flag) {
      const items = read(written, flag);
      const wrong = items.find((each) => !/^-?\d+$/.test(each) || parseInteger(each) === undefined);
      if (wrong === undefined) return items;
      throw new UsageError(`${flag} must be whole numbers separated by commas, got "${wrong}"`);
    },
  };
}

/** An option with a list of a fixed set of words in capitals; matches in any case. */
export function upperCaseChoicesOption<const C extends string>(
  value: string,
  about: string,
  choices: readonly C[],
): OptionSpec<readonly C[]> {
  const one = upperCaseChoiceOption(value, about, choices);
  const list = filterListOption(value, about);
  return {
    ...one,
    read: (written, flag) =>
      list.read(written, flag).flatMap((each) => {
        const found = one.read([each], flag);
        return found === undefined ? [] : [found];
      }),
  };
}
