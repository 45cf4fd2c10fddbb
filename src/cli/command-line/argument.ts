import { UsageError } from './usage-error.ts';

/** One positional argument of a command. Its name in the help is its key in the table, in capitals. */
export interface ArgumentSpec<V> {
  /** One line for the help. */
  readonly about: string;
  /** How often it is written: once, once or more, or as often as wanted. */
  readonly times: 'one' | 'many' | 'any';
  /** What can be written, where that is one of a few words. */
  readonly choices?: readonly string[];
  readonly read: (written: readonly string[]) => V;
}

/** The arguments of a command, in their order. */
export type ArgumentSpecs = { readonly [name: string]: ArgumentSpec<unknown> };

/** What the arguments of a command came to. */
export type ArgumentValues<A extends ArgumentSpecs> = {
  readonly [K in keyof A]: A[K] extends ArgumentSpec<infer V> ? V : never;
};

/** An argument that is required. */
export function one(about: string): ArgumentSpec<string> {
  return { about, times: 'one', read: (written) => written[0] ?? '' };
}

/** An argument that is required and one of a few words. */
export function oneOf<const C extends string>(about: string, choices: readonly C[]): ArgumentSpec<C> {
  return {
    about: `${about}: ${choices.join(', ')}`,
    times: 'one',
    choices,
    read([written]) {
      const found = choices.find((each) => each === written);
      if (found !== undefined) return found;
      throw new UsageError(`One of ${choices.join(', ')} is required, unlike "${written}"`);
    },
  };
}

/** The last argument of a command, at least once. */
export function many(about: string): ArgumentSpec<readonly string[]> {
  return { about, times: 'many', read: (written) => written };
}

/** The last argument of a command, which may be missing. */
export function any(about: string): ArgumentSpec<readonly string[]> {
  return { about, times: 'any', read: (written) => written };
}
