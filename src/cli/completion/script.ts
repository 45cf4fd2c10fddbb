import type { Offer, OptionOffer } from './offers.ts';

/** A text as one word of bash and zsh, whatever is in it. */
export function quoted(text: string): string {
  return `'${text.replace(/'/g, "'\\''")}'`;
}

/**
 * What the words of a command line are looked up by, one after the other: the
 * words so far that name a command or group, a blank, and the next word of one.
 */
export function namedCalls(offers: readonly Offer[]): string[] {
  return offers
    .filter(({ called }) => called !== '')
    .map(({ called }) => (called.includes(' ') ? called : ` ${called}`));
}

/** Each command, a blank, and each of its options that such a value follows. */
export function optionsWith(value: OptionOffer['value'], offers: readonly Offer[]): string[] {
  return offers.flatMap(({ called, options }) =>
    options.filter((option) => option.value === value).map(({ word }) => `${called} ${word}`),
  );
}
