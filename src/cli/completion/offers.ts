import type { ArgumentSpec } from '../command-line/argument.ts';
import type { Command, CommandSpec } from '../command-line/command.ts';
import { commandGroups } from '../command-line/command-groups.ts';
import { flagOf, type OptionSpec } from '../command-line/option.ts';

/** A word that a shell can offer, and what it stands for. */
export interface Word {
  readonly word: string;
  readonly about: string;
}

/** An option that a shell can offer, and what follows it: nothing, the path of a file, one of some words, or any text. */
export interface OptionOffer extends Word {
  readonly value: 'nothing' | 'path' | 'text' | readonly string[];
}

/** What a shell can offer behind the words of a command. */
export interface Offer {
  /** The command, as `check` or `catalog info`; empty where none is named yet. */
  readonly called: string;
  readonly words: readonly Word[];
  readonly options: readonly OptionOffer[];
  /** Whether the command takes the paths of files. */
  readonly takesPaths: boolean;
}

/** What a shell can offer at the beginning, behind each group of commands, and behind each command. */
export function offersOf(commands: readonly Command[]): readonly Offer[] {
  const specs = commands.map(({ spec }) => spec);
  const groups = Object.keys(commandGroups).filter((group) =>
    specs.some(({ name }) => name.startsWith(`${group} `)),
  );
  return [
    { ...groupOffer('', specs), options: [help, version] },
    ...groups.map((group) => groupOffer(group, specs)),
    ...specs.map(commandOffer),
  ];
}

const help: OptionOffer = { word: '--help', about: 'Print this help', value: 'nothing' };
const version: OptionOffer = { word: '--version', about: 'Print the version', value: 'nothing' };

/** The commands of a group, or those and the groups at the beginning. */
function groupOffer(called: string, specs: readonly CommandSpec[]): Offer {
  const prefix = called === '' ? '' : `${called} `;
  const words = new Map<string, string>();
  for (const { name, summary } of specs) {
    if (!name.startsWith(prefix)) continue;
    const [word = '', inner] = name.slice(prefix.length).split(' ');
    if (!words.has(word)) words.set(word, inner === undefined ? summary : (commandGroups[word] ?? ''));
  }
  const offered = [...words].map(([word, about]) => ({ word, about }));
  return { called, words: offered, options: [help], takesPaths: false };
}

function commandOffer({ name, arguments: taken, options }: CommandSpec): Offer {
  const given: readonly (readonly [string, ArgumentSpec<unknown>])[] = Object.entries(taken);
  const written: readonly (readonly [string, OptionSpec<unknown>])[] = Object.entries(options);
  return {
    called: name,
    words: given.flatMap(([, { choices = [], about }]) => choices.map((word) => ({ word, about }))),
    options: [...written.map(([option, spec]) => optionOffer(option, spec)), help],
    takesPaths: given.some(([argument]) => pathArguments.has(argument)),
  };
}

/** The arguments that are paths, by their names. */
const pathArguments: ReadonlySet<string> = new Set(['file', 'case', 'source', 'old', 'new']);

/** The placeholders of options that are paths. */
const pathValues: ReadonlySet<string> = new Set(['FILE', 'CASE', 'FOLDER', 'PROFILE']);

function optionOffer(name: string, { value, about, choices }: OptionSpec<unknown>): OptionOffer {
  const word = flagOf(name);
  if (value === undefined) return { word, about, value: 'nothing' };
  return { word, about, value: choices ?? (pathValues.has(value) ? 'path' : 'text') };
}
