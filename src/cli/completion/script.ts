import type { CompletionOffer, OptionOffer } from './offers.ts';

/** Quotes a text as one word of bash and zsh. */
export function shellQuoted(text: string): string {
  return `'${text.replace(/'/g, "'\\''")}'`;
}

/**
 * Keys to look up the words of a command line in order: the words of the command or group so far, a
 * blank, and its next word.
 */
export function namedCalls(offers: readonly CompletionOffer[]): string[] {
  return offers
    .filter(({ called }) => called !== '')
    .map(({ called }) => (called.includes(' ') ? called : ` ${called}`));
}

/** Each command with each of its options that take a given kind of value, separated by a blank. */
export function optionsWith(value: OptionOffer['value'], offers: readonly CompletionOffer[]): string[] {
  return offers.flatMap(({ called, options }) =>
    options
      .filter((option) => option.value === value)
      .flatMap(flagsOf)
      .map((flag) => `${called} ${flag}`),
  );
}

/** The flags of an option, the long one first. */
export function flagsOf({ word, short }: OptionOffer): readonly string[] {
  return short === undefined ? [word] : [word, short];
}

/** Each command with each flag of its options that take one of some words, and these words. */
export function choicesOf(offers: readonly CompletionOffer[]): (readonly [string, readonly string[]])[] {
  return offers.flatMap(({ called, options }) =>
    options.flatMap((option) => {
      const { value } = option;
      return typeof value === 'string'
        ? []
        : flagsOf(option).map((flag) => [`${called} ${flag}`, value] as const);
    }),
  );
}
