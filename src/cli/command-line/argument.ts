import { UsageError } from './exit-code.ts';

/** One positional argument of a command. In the help its key stands in capitals. */
export interface ArgumentSpec<V> {
  /** One line for the help. */
  readonly about: string;
  /** Number of times it is written: once, at least once, or any number of times. */
  readonly times: 'one' | 'many' | 'any';
  /** The form in the usage line, if it differs from what `times` implies. */
  readonly usage?: string;
  /** The permitted words, if they are limited. */
  readonly choices?: readonly string[];
  readonly read: (args: readonly string[]) => V;
}

/** The arguments of a command, in order. */
export type ArgumentSpecs = { readonly [name: string]: ArgumentSpec<unknown> };

/** The values of the arguments of a command. */
export type ArgumentValues<A extends ArgumentSpecs> = {
  readonly [K in keyof A]: A[K] extends ArgumentSpec<infer V> ? V : never;
};

/** A required argument. */
export function requiredArgument(about: string): ArgumentSpec<string> {
  return { about, times: 'one', read: (args) => args[0] ?? '' };
}

/** A required argument with a fixed set of words. */
export function choiceArgument<const C extends string>(
  about: string,
  choices: readonly C[],
): ArgumentSpec<C> {
  return {
    about: `${about}: ${choices.join(', ')}`,
    times: 'one',
    choices,
    read([text]) {
      const found = choices.find((choice) => choice === text);
      if (found !== undefined) return found;
      throw new UsageError(`The argument must be one of ${choices.join(', ')}, got "${text}"`);
    },
  };
}

/** The last argument of a command, written at least once. */
export function repeatedArgument(about: string): ArgumentSpec<readonly string[]> {
  return { about, times: 'many', read: (args) => args };
}

/** The last argument of a command, which may be absent. */
export function optionalArguments(about: string): ArgumentSpec<readonly string[]> {
  return { about, times: 'any', read: (args) => args };
}

/** A required argument with a whole number of at least 1; `name` is that of the help. */
export function countArgument(name: string, about: string): ArgumentSpec<number> {
  return {
    about,
    times: 'one',
    read([text = '']) {
      if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
      throw new UsageError(`${name} must be a whole number of at least 1, got "${text}"`);
    },
  };
}
