import type { ArgumentSpec } from '../command-line/argument.ts';
import type { Command, CommandSpec } from '../command-line/command.ts';
import { commandGroups } from '../command-line/command-groups.ts';
import { type OptionSpec, optionFlag, shortFlag } from '../command-line/option.ts';

/** A word for completion, with its description. */
export interface CompletionWord {
  readonly word: string;
  readonly about: string;
}

/** An option for completion. `value` is the kind of its value, or the permitted words. */
export interface OptionOffer extends CompletionWord {
  readonly value: 'nothing' | 'path' | 'query' | 'text' | readonly string[];
  /** Its short flag, such as `-n`, if it has one. */
  readonly short?: string | undefined;
}

/** Completions after the words of a command. */
export interface CompletionOffer {
  /** The command, such as `check` or `catalog info`; empty at the beginning. */
  readonly called: string;
  readonly words: readonly CompletionWord[];
  readonly options: readonly OptionOffer[];
  /** True if the command takes paths. */
  readonly takesPaths: boolean;
  /** True if the command takes a query. */
  readonly takesQuery: boolean;
}

/** Completions at the beginning, after each group and after each command. */
export function completionOffers(commands: readonly Command[]): readonly CompletionOffer[] {
  const specs = commands.map(({ spec }) => spec);
  const groups = Object.keys(commandGroups).filter((group) =>
    specs.some(({ name }) => name.startsWith(`${group} `)),
  );
  return [
    { ...groupOffer('', specs), options: [help, version] },
    ...groups.map((group) => groupOffer(group, specs)),
    ...specs.map((spec) => withSubcommands(commandOffer(spec), specs)),
  ];
}

/** A command that has others below it, such as `collect`, offers their names too. */
function withSubcommands(offer: CompletionOffer, specs: readonly CommandSpec[]): CompletionOffer {
  return { ...offer, words: [...groupOffer(offer.called, specs).words, ...offer.words] };
}

const help: OptionOffer = { word: '--help', about: 'Print this help', value: 'nothing', short: '-h' };
const version: OptionOffer = {
  word: '--version',
  about: 'Print the version',
  value: 'nothing',
  short: '-V',
};

/** The commands of a group; at the beginning, all groups and ungrouped commands. */
function groupOffer(called: string, specs: readonly CommandSpec[]): CompletionOffer {
  const prefix = called === '' ? '' : `${called} `;
  const words = new Map<string, string>();
  for (const { name, summary } of specs) {
    if (!name.startsWith(prefix)) continue;
    const [word = '', inner] = name.slice(prefix.length).split(' ');
    if (!words.has(word)) words.set(word, inner === undefined ? summary : (commandGroups[word] ?? ''));
  }
  const offered = [...words].map(([word, about]) => ({ word, about }));
  return { called, words: offered, options: [help], takesPaths: false, takesQuery: false };
}

function commandOffer({ name, arguments: taken, options }: CommandSpec): CompletionOffer {
  const argumentSpecs: readonly (readonly [string, ArgumentSpec<unknown>])[] = Object.entries(taken);
  const optionSpecs: readonly (readonly [string, OptionSpec<unknown>])[] = Object.entries(options);
  return {
    called: name,
    words: argumentSpecs.flatMap(([, { choices = [], about }]) => choices.map((word) => ({ word, about }))),
    options: [...optionSpecs.map(([option, spec]) => optionOffer(option, spec)), help],
    takesPaths: argumentSpecs.some(([argument]) => pathArguments.has(argument)),
    takesQuery: argumentSpecs.some(([argument]) => queryArguments.has(argument)),
  };
}

/** Names of the arguments that are paths. */
const pathArguments: ReadonlySet<string> = new Set(['file', 'case', 'config', 'source', 'old', 'new']);

/** Placeholder of the options that are queries. */
export const queryValue = 'QUERY';

/** Names of the arguments that are queries. */
export const queryArguments: ReadonlySet<string> = new Set(['query', 'a', 'b']);

/** Placeholders of the options that are paths. */
const pathValues: ReadonlySet<string> = new Set(['FILE', 'CASE', 'FOLDER', 'PROFILE']);

function optionOffer(name: string, { value, about, choices }: OptionSpec<unknown>): OptionOffer {
  const word = optionFlag(name);
  const short = shortFlag(name);
  if (value === undefined) return { word, about, short, value: 'nothing' };
  return { word, about, short, value: choices ?? kindOf(value) };
}

function kindOf(value: string): 'path' | 'query' | 'text' {
  if (value === queryValue) return 'query';
  return pathValues.has(value) ? 'path' : 'text';
}
