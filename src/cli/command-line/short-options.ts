/**
 * Letters of the most used options, by option name. A letter means the same in every command; they follow
 * grep, jq and gh. `-h` and `-V` belong to every command line.
 */
const shortOptions: Readonly<Record<string, string>> = {
  all: 'a',
  context: 'C',
  count: 'c',
  file: 'f',
  into: 'i',
  json: 'j',
  limit: 'n',
  out: 'o',
  profile: 'p',
  search: 's',
  user: 'u',
  yes: 'y',
};

/** The short flag of an option, such as `-n`; undefined if it has none. */
export function shortFlag(name: string): string | undefined {
  const letter = Object.hasOwn(shortOptions, name) ? shortOptions[name] : undefined;
  return letter === undefined ? undefined : `-${letter}`;
}
