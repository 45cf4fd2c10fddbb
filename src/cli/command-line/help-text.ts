import { wrapToWidth } from '../terminal/width.ts';
import type { CommandSpec } from './command.ts';
import { type HelpItem, layOutExample, layOutItems, layOutTerms, shortenAbout } from './help-layout.ts';
import { type OptionGroup, type OptionSpec, optionFlag } from './option.ts';
import { shortFlag } from './short-options.ts';

/** Most lines of a short help: one screen. */
const screen = 40;

/** Headings of the options, in order. */
const headings: readonly (readonly [OptionGroup | undefined, string])[] = [
  [undefined, 'Options'],
  ['format', 'Output'],
  ['advanced', 'More options'],
  ['connection', 'Connection'],
];

/** Groups that a short help names without explanations. */
const terse: ReadonlySet<OptionGroup | undefined> = new Set<OptionGroup>(['advanced', 'connection']);

/** Extent of a help text. */
interface Detail {
  readonly isFull: boolean;
  readonly details: readonly string[];
  readonly isBrief: boolean;
  readonly examples: number;
}

/**
 * The help of a command in lines of at most `width` columns. Unless `isFull`, its own options come with the
 * shared ones named only, as far as one screen allows.
 */
export function commandHelp(spec: CommandSpec, width: number, isFull: boolean): string {
  const all = { isFull, isBrief: false, details: spec.details ?? [], examples: spec.examples.length };
  const shorter = [all, { ...all, isBrief: true }, { ...all, isBrief: true, details: [] }];
  const attempts = isFull ? [all] : [...shorter, { ...all, isBrief: true, details: [], examples: 1 }];
  const texts = attempts.map((detail) => helpLines(spec, width, detail));
  const lines = texts.find((each) => each.length <= screen) ?? texts.at(-1) ?? [];
  return `${lines.join('\n')}\n`;
}

function helpLines(spec: CommandSpec, width: number, detail: Detail): string[] {
  const { details, examples, isBrief } = detail;
  const paragraphs = [`${spec.summary}.`, ...details].flatMap((each) => ['', ...wrapToWidth(each, width)]);
  const omits = !detail.isFull && (hasTerse(spec) || details.length < (spec.details?.length ?? 0));
  return [
    ...wrapToWidth(`Usage: logquarry ${spec.name} ${usageOf(spec)}`, width),
    ...paragraphs,
    ...layOutItems('Arguments', argumentItems(spec), width),
    ...headings.flatMap(([group, heading]) => optionLines(spec, { group, heading, width, detail })),
    '',
    examples === 1 ? 'Example:' : 'Examples:',
    ...spec.examples.slice(0, examples).flatMap((each) => layOutExample(each, width)),
    ...(omits || isBrief ? ['', ...wrapToWidth(`All of it: logquarry ${spec.name} --help all`, width)] : []),
  ];
}

function hasTerse({ options }: CommandSpec): boolean {
  return Object.values(options).some(({ group }) => terse.has(group));
}

interface OptionSection {
  readonly group: OptionGroup | undefined;
  readonly heading: string;
  readonly width: number;
  readonly detail: Detail;
}

function optionLines({ options }: CommandSpec, { group, heading, width, detail }: OptionSection): string[] {
  const specs = Object.entries(options).filter(([, spec]) => spec.group === group);
  const own = specs.map(([name, spec]) => ({ term: optionTerm(name, spec), about: optionAbout(spec) }));
  if (!detail.isFull && terse.has(group))
    return layOutTerms(
      heading,
      own.map(({ term }) => term),
      width,
    );
  const items = group === undefined ? [...own, helpItem] : own;
  return layOutItems(heading, detail.isBrief ? briefItems(items, width) : items, width);
}

const helpItem: HelpItem = { term: '-h, --help [all]', about: 'Print this help, or all of it' };

function briefItems(items: readonly HelpItem[], width: number): HelpItem[] {
  const column = Math.max(...items.map(({ term }) => term.length)) + 4;
  return items.map(({ term, about }) => ({ term, about: shortenAbout(about, width - column) }));
}

function argumentItems(spec: CommandSpec): HelpItem[] {
  return Object.entries(spec.arguments).map(([name, { about, times }]) => ({
    term: argumentTerm(name, times),
    about,
  }));
}

function argumentTerm(name: string, times: string): string {
  return `${name.toUpperCase()}${times === 'one' ? '' : '…'}`;
}

/** The arguments of a command as in its usage line. */
export function usageOf(spec: CommandSpec): string {
  const words = Object.entries(spec.arguments).map(([name, { times, usage }]) => {
    const word = argumentTerm(name, times);
    return usage ?? (times === 'any' ? `[${word}]` : word);
  });
  return [...words, '[options]'].join(' ');
}

/** The flags of an option with the placeholder of its value, such as `-n, --limit <N>`. */
export function optionTerm(name: string, { value }: OptionSpec<unknown>): string {
  const flags = [shortFlag(name), optionFlag(name)].filter((each) => each !== undefined).join(', ');
  return value === undefined ? flags : `${flags} <${value}>`;
}

/** The explanation of an option with its default. */
export function optionAbout({ about, fallback }: OptionSpec<unknown>): string {
  return fallback === undefined ? about : `${about} (default: ${fallback})`;
}
