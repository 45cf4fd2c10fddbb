/** When colours are used: `auto` depends on the environment and the output. */
export const colourChoices = ['auto', 'always', 'never'] as const;

/** One of the choices of `--color`. */
export type ColourChoice = (typeof colourChoices)[number];

/** Facts by which colours are chosen. */
export interface ColourFacts {
  readonly choice: ColourChoice;
  readonly isTerminal: boolean;
  readonly environment: { readonly [name: string]: string | undefined };
}

/**
 * Reports if an output is coloured. `--color` comes first, then FORCE_COLOR (`0` and `false` turn
 * colours off), then NO_COLOR, as Node reads them; an empty variable counts as absent.
 */
export function hasColours({ choice, isTerminal, environment }: ColourFacts): boolean {
  const { FORCE_COLOR, NO_COLOR, TERM } = environment;
  if (choice !== 'auto') return choice === 'always';
  if (FORCE_COLOR) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isTerminal && !NO_COLOR && TERM !== 'dumb';
}
