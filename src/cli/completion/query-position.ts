import type { CommandSpec } from '../command-line/command.ts';
import { type OptionSpec, optionFlag } from '../command-line/option.ts';
import { shortFlag } from '../command-line/short-options.ts';
import { queryArguments, queryValue } from './offers.ts';
import type { ShellLine } from './shell-line.ts';

/** A query on a command line, as far as the cursor. */
export interface QueryPosition {
  readonly query: string;
  /** Text of the word in front of the query, such as `--search=`. */
  readonly prefix: string;
  /** Other arguments and the values of `--case`: files that may have values for the query. */
  readonly sources: readonly string[];
}

/** Returns the query at the cursor of a command line; undefined if something else stands there. */
export function findQuery(line: ShellLine, specs: readonly CommandSpec[]): QueryPosition | undefined {
  const words = [...line.before.slice(1)];
  const spec = specs
    .filter(({ name }) => `${words.join(' ')} `.startsWith(`${name} `))
    .toSorted((one, other) => other.name.length - one.name.length)[0];
  if (!spec) return undefined;
  const given = words.slice(spec.name.split(' ').length);
  const before = readArguments(given, spec);
  const after = readArguments(line.after, spec);
  const sources = [...before.texts, ...after.texts, ...before.cases, ...after.cases];
  const written = line.current.value;
  const [, flag = '', value = ''] = /^(--[\w-]+=)([\s\S]*)$/.exec(written) ?? [];
  if (flag !== '') {
    const option = optionOf(flag.slice(0, -1), spec);
    return option?.value === queryValue ? { query: value, prefix: flag, sources } : undefined;
  }
  const isAsked = before.open
    ? before.open.value === queryValue
    : !written.startsWith('-') && isQueryArgument(before.texts.length, spec);
  return isAsked ? { query: written, prefix: '', sources } : undefined;
}

/** True if the next argument after some number of them is a query. */
function isQueryArgument(number: number, { arguments: taken }: CommandSpec): boolean {
  const names = Object.keys(taken);
  const last = names.at(-1);
  const isRepeated = last !== undefined && taken[last]?.times !== 'one';
  const name = names[number] ?? (isRepeated ? last : undefined);
  return name !== undefined && queryArguments.has(name);
}

interface GivenArguments {
  /** Arguments without options. */
  readonly texts: readonly string[];
  /** The values of `--case`. */
  readonly cases: readonly string[];
  /** The option whose value comes next. */
  readonly open: OptionSpec<unknown> | undefined;
}

function readArguments(words: readonly string[], spec: CommandSpec): GivenArguments {
  const texts: string[] = [];
  const cases: string[] = [];
  let open: OptionSpec<unknown> | undefined;
  for (const word of words) {
    if (open) {
      if (open === spec.options.case) cases.push(word);
      open = undefined;
    } else if (/^--case=/.test(word)) cases.push(word.slice('--case='.length));
    else if (/^-./.test(word)) open = word.includes('=') ? undefined : valueOption(word, spec);
    else texts.push(word);
  }
  return { texts, cases, open };
}

function valueOption(flag: string, spec: CommandSpec): OptionSpec<unknown> | undefined {
  const option = optionOf(flag, spec);
  return option?.value === undefined ? undefined : option;
}

function optionOf(flag: string, { options }: CommandSpec): OptionSpec<unknown> | undefined {
  const found = Object.entries(options).find(
    ([name]) => optionFlag(name) === flag || shortFlag(name) === flag,
  );
  return found?.[1];
}
