import { wrapToWidth } from '../terminal/width.ts';
import type { CommandSpec } from './command.ts';
import { commandGroups, commandSections } from './command-groups.ts';
import { type HelpItem, layOutItems, shortenAbout } from './help-layout.ts';

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
  { term: '-h, --help', about: 'Print this help, or that of a command' },
  { term: '-V, --version', about: 'Print the version' },
];

const helpCommand: HelpItem = { term: 'help', about: 'Print the help of a command' };

/** The help of the program: its commands in sections, one a line, in lines of at most `width` columns. */
export function programHelp(specs: readonly CommandSpec[], width: number): string {
  const items = [...listedCommands('', specs), helpCommand];
  const column = Math.max(...items.map(({ term }) => term.length)) + 4;
  const named = new Map(items.map(({ term, about }) => [term, { term: term.padEnd(column - 4), about }]));
  const sections = Object.entries(commandSections).flatMap(([heading, words]) =>
    sectionLines(
      heading,
      words.flatMap((word) => takeOut(named, word)),
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
export function groupHelp(group: string, specs: readonly CommandSpec[], width: number): string {
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
