import { parseInteger } from '../../language/index.ts';
import { type LogField, logFields } from '../../records/index.ts';
import type { ArgumentSpec } from './argument.ts';
import { UsageError } from './exit-code.ts';
import { choiceOption, listOption, type OptionSpec } from './option.ts';

/** An option with a text to filter by. An empty text would filter nothing and is refused. */
export function filterOption(value: string, about: string): OptionSpec<string | undefined> {
  return {
    value,
    about,
    read(args, flag) {
      const last = args.at(-1);
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
    read(args, flag) {
      const items = read(args, flag);
      if (args.length === 0 || 0 < items.length) return items;
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
    read(args, flag) {
      if (args.every((arg) => arg.trim() !== '')) return args;
      throw new UsageError(`${flag} must not be empty`);
    },
  };
}

/** An option with a list of whole numbers of at most 64 bits, as they are written. */
export function integerListOption(value: string, about: string): OptionSpec<readonly string[]> {
  const { read, ...rest } = filterListOption(value, about);
  return {
    ...rest,
    read(args, flag) {
      const items = read(args, flag);
      const wrong = items.find((item) => !/^-?\d+$/.test(item) || parseInteger(item) === undefined);
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
    read: (args, flag) =>
      list.read(args, flag).flatMap((item) => {
        const found = one.read([item], flag);
        return found === undefined ? [] : [found];
      }),
  };
}

/** The names of fields in tables, where they differ from the fields' own. */
const shownNames: ReadonlyMap<string, LogField> = new Map([
  ['level', 'logLevel'],
  ['code', 'logCode'],
  ['user', 'username'],
  ['message', 'msg'],
  ['request', 'requestID'],
]);

/** Returns the field of a name: its own, or the one in tables. Throws `UsageError`. */
function toField<F extends string>(text: string, flag: string, fields: readonly F[]): F {
  const name = shownNames.get(text) ?? text;
  const found = fields.find((field) => field === name);
  if (found !== undefined) return found;
  throw new UsageError(`${flag} must be one of ${namesOf(fields).join(', ')}, got "${text}"`);
}

/** All names of fields: their own, then those in tables. */
function namesOf(fields: readonly string[]): readonly string[] {
  const others = [...shownNames].filter(([, field]) => fields.includes(field)).map(([name]) => name);
  return [...fields, ...others];
}

/** A required argument with a field, by its own name or the one in tables. */
export function fieldArgument<const F extends string>(about: string, fields: readonly F[]): ArgumentSpec<F> {
  const choices = namesOf(fields);
  return {
    about: `${about}: ${choices.join(', ')}`,
    times: 'one',
    choices,
    read: ([text = '']) => toField(text, 'The argument', fields),
  };
}

/** An option with a field, by its own name or the one in tables. */
export function fieldOption<const F extends string>(
  about: string,
  fields: readonly F[],
): OptionSpec<F | undefined> {
  const choices = namesOf(fields);
  return {
    value: 'FIELD',
    about: `${about}: ${choices.join(', ')}`,
    choices,
    read: (args, flag) => args.map((arg) => toField(arg, flag, fields)).at(-1),
  };
}

/** The fields that a column can show. */
const columnFields = ['id', ...logFields] as const;

/** A field that a column can show. */
export type ColumnField = (typeof columnFields)[number];

/** Option with the columns of tables and CSV, and the fields of JSON; undefined for the default ones. */
export const columnsOption: OptionSpec<readonly ColumnField[] | undefined> = {
  value: 'NAMES',
  about: 'Columns of a table or CSV, fields of JSON, separated by commas, such as time,level,msg',
  read(args, flag) {
    const names = args
      .flatMap((arg) => arg.split(','))
      .map((name) => name.trim())
      .filter((name) => name !== '');
    if (0 < args.length && names.length === 0) throw new UsageError(`${flag} must name a field`);
    return names.length === 0
      ? undefined
      : [...new Set(names.map((name) => toField(name, flag, columnFields)))];
  },
};
