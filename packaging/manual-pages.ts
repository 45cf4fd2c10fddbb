import type { CommandSpec } from '../src/cli/command-line/command.ts';
import { commandSections } from '../src/cli/command-line/command-groups.ts';
import type { OptionGroup, OptionSpec } from '../src/cli/command-line/option.ts';
import { exitCodeSummary, outputSummary, programSummary } from '../src/cli/configuration/program-help.ts';
import { optionAbout, optionTerm, usageOf } from '../src/cli/configuration/run-args.ts';

/** A page of the manual for `man`, in the requests of the package "man" of roff. */
export interface ManualPage {
  /** Name of the file, such as `logquarry-search.1`. */
  readonly file: string;
  readonly text: string;
}

/** The pages of the program and of each command, made from what their help is made from. */
export function manualPages(specs: readonly CommandSpec[], version: string): readonly ManualPage[] {
  return [programPage(specs, version), ...specs.map((spec) => commandPage(spec, version))];
}

function programPage(specs: readonly CommandSpec[], version: string): ManualPage {
  const sections = Object.entries(commandSections).flatMap(([heading, words]) => [
    request('SS', heading),
    ...words
      .flatMap((word) => specs.filter(({ name }) => name.split(' ')[0] === word))
      .flatMap(listedCommand),
  ]);
  const lines = [
    ...heading('logquarry', version),
    ...section('NAME', [`logquarry \\- ${escapeText(programSummary.replace(/\.$/, ''))}`]),
    ...section('SYNOPSIS', [bold('logquarry'), `${italic('COMMAND')} \\&...`]),
    ...section('DESCRIPTION', [escapeText(`${outputSummary}`)]),
    ...section('COMMANDS', sections),
    ...exitStatus,
    ...section('SEE ALSO', [escapeText('Each command has a page, such as logquarry-search(1).')]),
  ];
  return page('logquarry', lines);
}

function listedCommand(spec: CommandSpec): string[] {
  return ['.TP', `${bold(nameOf(spec))}(1)`, escapeText(spec.summary)];
}

function commandPage(spec: CommandSpec, version: string): ManualPage {
  const name = nameOf(spec);
  const lines = [
    ...heading(name, version),
    ...section('NAME', [`${escapeText(name)} \\- ${escapeText(spec.summary)}`]),
    ...section('SYNOPSIS', [bold(`logquarry ${spec.name}`), italic(usageOf(spec))]),
    ...section('DESCRIPTION', paragraphs([`${spec.summary}.`, ...(spec.details ?? [])])),
    ...section('ARGUMENTS', Object.entries(spec.arguments).flatMap(argumentLines)),
    ...section('OPTIONS', optionLines(spec)),
    ...section('EXAMPLES', spec.examples.flatMap(exampleLines).slice(1)),
    ...exitStatus,
    ...section('SEE ALSO', [`${bold('logquarry')}(1)`]),
  ];
  return page(name, lines);
}

const exitStatus = section('EXIT STATUS', [escapeText(exitCodeSummary.replace('Exit codes: ', ''))]);

function argumentLines([name, { about }]: [string, CommandSpec['arguments'][string]]): string[] {
  return ['.TP', italic(name.toUpperCase()), escapeText(about)];
}

const groups: readonly (readonly [OptionGroup | undefined, string | undefined])[] = [
  [undefined, undefined],
  ['format', 'Output'],
  ['advanced', 'More options'],
  ['connection', 'Connection'],
];

function optionLines({ options }: CommandSpec): string[] {
  const own = groups.flatMap(([group, title]) => {
    const specs = Object.entries(options).filter(([, spec]) => spec.group === group);
    const lines = specs.flatMap(([name, spec]) => optionItem(name, spec));
    return title === undefined || lines.length === 0 ? lines : [request('SS', title), ...lines];
  });
  return ['.TP', bold('-h, --help'), 'Print the help', ...own];
}

function optionItem(name: string, spec: OptionSpec<unknown>): string[] {
  const [flags = '', value] = optionTerm(name, spec).split(' <');
  const placeholder = value === undefined ? '' : ` ${italic(value.replace(/>$/, ''))}`;
  return ['.TP', bold(flags) + placeholder, escapeText(optionAbout(spec))];
}

function exampleLines({ run, about }: CommandSpec['examples'][number]): string[] {
  return ['.PP', escapeText(`${about}:`), '.RS 4', '.nf', escapeText(run), '.fi', '.RE'];
}

/** The name of the page of a command: `logquarry-jobs-list`. */
function nameOf({ name }: CommandSpec): string {
  return `logquarry-${name.replaceAll(' ', '-')}`;
}

function heading(name: string, version: string): string[] {
  return [
    '.\\" Written at the build from the help.',
    `.TH ${name.toUpperCase().replaceAll('-', '\\-')} 1 "" "logquarry ${version}" "Logquarry"`,
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [request('SH', title), ...lines];
}

function paragraphs(texts: readonly string[]): string[] {
  return texts.flatMap((text) => ['.PP', escapeText(text)]).slice(1);
}

function request(name: string, title: string): string {
  return `.${name} ${escapeText(title)}`;
}

function bold(text: string): string {
  return `\\fB${escapeText(text)}\\fR`;
}

function italic(text: string): string {
  return `\\fI${escapeText(text)}\\fR`;
}

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\e',
  '-': '\\-',
  "'": '\\(aq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
  '"': '\\(dq',
  '…': '...',
};

/** Writes a text so that roff prints it as it is: no request, no escape, no typographic sign. */
function escapeText(text: string): string {
  const safe = text.replace(/[\\\-'`^~"…]/g, (sign) => escapes[sign] ?? sign);
  const ascii = safe.replace(
    /[^\n -~]/gu,
    (sign) => `\\[u${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
  );
  return ascii.replace(/^\./, '\\&.');
}

function page(name: string, lines: readonly string[]): ManualPage {
  return { file: `${name}.1`, text: `${lines.join('\n')}\n` };
}
