import type { CommandSpec } from '../command-line/command.ts';
import { commandGroups, commandSections, firstCommands } from '../command-line/command-groups.ts';
import { type HelpItem, layOutItems, shortenAbout } from '../command-line/help-layout.ts';
import { wrapToWidth } from '../terminal/text.ts';
import type { ProgramHelp } from './run-args.ts';

/** The texts that list commands. They are loaded on demand: a command that is called needs none. */
export const programHelp: ProgramHelp = {
  ofStart,
  ofProgram,
  ofGroup,
};

/** One line about the program. */
export const programSummary =
  'Checks, exports, stores and searches the logs of a containerised GIS deployment.';

/** Exit codes in a sentence. */
export const exitCodeSummary =
  'Exit codes: 0 done, 1 the answer is no, 2 wrong usage, 3 the deployment failed or refused, 4 the export or a list is incomplete, 130 interrupted.';

/** The rule for long results, which holds for every command. */
export const outputSummary =
  'A terminal shows a page of a long result; files, pipes and Parquet files get all of it unless --limit is given.';

const programOptions: readonly HelpItem[] = [
  { term: '-h, --help [all]', about: 'Print the help of a start, this whole one, or that of a command' },
  { term: '-V, --version', about: 'Print the version' },
];

const helpCommand: HelpItem = { term: 'help', about: 'Print the help of a command' };

/** The help of the program for a start. */
function ofStart(specs: readonly CommandSpec[], width: number): string {
  const named = new Map([...listedCommands('', specs), helpCommand].map((item) => [item.term, item]));
  const sections = Object.entries(commandSections).map(([heading, names]) => ({
    term: heading,
    about: names.filter((name) => named.has(name)).join(', '),
  }));
  return joined([
    'Usage: logquarry COMMAND …',
    ...wrapToWidth(programSummary, width),
    ...sectionLines(
      'Start here',
      firstCommands.flatMap((name) => named.get(name) ?? []),
      width,
    ),
    ...layOutItems('All commands', sections, width),
    '',
    ...wrapToWidth('"logquarry help search" explains a command, "logquarry help all" lists all.', width),
  ]);
}

/** The whole help of the program. */
function ofProgram(specs: readonly CommandSpec[], width: number): string {
  const items = [...listedCommands('', specs), helpCommand];
  const column = Math.max(...items.map(({ term }) => term.length)) + 4;
  const named = new Map(items.map(({ term, about }) => [term, { term: term.padEnd(column - 4), about }]));
  const sections = Object.entries(commandSections).flatMap(([heading, names]) =>
    sectionLines(
      heading,
      names.flatMap((word) => takeOut(named, word)),
      width,
    ),
  );
  return joined([
    'Usage: logquarry COMMAND …',
    '',
    ...wrapToWidth(programSummary, width),
    ...sections,
    ...sectionLines('Further commands', [...named.values()], width),
    ...layOutItems('Options', programOptions, width),
    '',
    ...wrapToWidth(outputSummary, width),
    ...wrapToWidth(exitCodeSummary, width),
  ]);
}

function takeOut(named: Map<string, HelpItem>, word: string): HelpItem[] {
  const found = named.get(word);
  named.delete(word);
  return found === undefined ? [] : [found];
}

function sectionLines(heading: string, items: readonly HelpItem[], width: number): string[] {
  const short = items.map(({ term, about }) => ({
    term,
    about: shortenAbout(about, width - term.length - 4),
  }));
  return layOutItems(heading, short, width).map((line) => line.trimEnd());
}

/** The help of a group of commands, such as `catalog`. */
function ofGroup(group: string, specs: readonly CommandSpec[], width: number): string {
  return joined([
    `Usage: logquarry ${group} COMMAND …`,
    '',
    ...wrapToWidth(`${commandGroups[group] ?? ''}.`, width),
    ...layOutItems('Commands', listedCommands(`${group} `, specs), width),
    ...layOutItems('Options', [{ term: '-h, --help', about: 'Print this help' }], width),
  ]);
}

/** The next words after a prefix with their summaries, in the order of the commands. */
function listedCommands(prefix: string, specs: readonly CommandSpec[]): HelpItem[] {
  const items = new Map<string, HelpItem>();
  for (const { name, summary } of specs) {
    if (!name.startsWith(prefix)) continue;
    const [term = '', inner] = name.slice(prefix.length).split(' ');
    const about = inner === undefined ? summary : (commandGroups[term] ?? '');
    if (!items.has(term)) items.set(term, { term, about });
  }
  return [...items.values()];
}

function joined(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}
