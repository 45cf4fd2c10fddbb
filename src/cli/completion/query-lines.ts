import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Case } from '../../case/index.ts';
import { type CountedValue, type Field, languageService } from '../../language/index.ts';
import type { CommandSpec } from '../command-line/command.ts';
import { isDatabase } from '../command-line/files.ts';
import { type OptionSpec, optionFlag, shortFlag } from '../command-line/option.ts';
import { valuesInCases } from '../input/values-in-cases.ts';
import { escapeUnsafe } from '../terminal/text.ts';
import { queryArguments, queryValue } from './offers.ts';

/** A command line to complete. */
export interface LineToComplete {
  readonly shell: Shell;
  /** The command line as far as the cursor. */
  readonly line: string;
  /** The command line after the cursor. */
  readonly rest: string;
  /** The end of the written word that bash replaces. */
  readonly word: string;
}

/**
 * Completes the query at the cursor of a command line, with the values of the cases and files that it names.
 * Returns a line for each completion. For bash it is the text to put in place of `word`, for other shells the
 * whole word without quotes, a tab, and its description. Empty if no query stands there.
 */
export async function queryLines(
  { shell, line, rest, word }: LineToComplete,
  specs: readonly CommandSpec[],
): Promise<readonly string[]> {
  const shellLine = readShellLine(line, rest, shell);
  const position = findQuery(shellLine, specs);
  if (!position) return [];
  const completed = await completeQuery(position.query, (field) => valuesInFiles(position.sources, field));
  return completed
    .filter(({ text }) => escapeUnsafe(text) === text)
    .flatMap(({ text, detail }) => {
      const whole = position.prefix + text;
      if (shell !== 'bash') return [`${whole}\t${escapeUnsafe(detail)}`];
      return replacementIn(whole, shellLine.current, word) ?? [];
    });
}

/** The values of a field in cases and small log files; none if they cannot be read. */
async function valuesInFiles(paths: readonly string[], field: Field): Promise<readonly CountedValue[]> {
  const opened: Case[] = [];
  try {
    for (const path of new Set(paths)) opened.push(...(await openFile(path)));
    return await valuesInCases(opened, field);
  } catch {
    // Completion goes on without values: the command itself reports what is wrong with a file.
    return [];
  } finally {
    for (const resource of opened.toReversed()) await resource[Symbol.asyncDispose]();
  }
}

/** The most bytes of a log file that are read for a completion. */
const mostBytes = 4 * 1024 ** 2;

/** Opens a case, or loads a small log file; empty for any other path. */
async function openFile(path: string): Promise<readonly Case[]> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) return [];
  const { addFile, openCase } = await import('../../case/index.ts');
  if (await isDatabase(path)) return [await openCase(path, { access: 'read' })];
  if (mostBytes < found.size) return [];
  const loaded = await openCase(':memory:', { access: 'write' });
  await addFile(loaded, { name: basename(path), bytes: await readFile(path) });
  return [loaded];
}

/** A shell with a completion script. */
type Shell = 'bash' | 'zsh' | 'fish';

/** A quotation mark that a word leaves open; empty for none. */
type OpenQuote = '' | "'" | '"';

/** A word of a command line, as written and as the program gets it. */
interface ShellWord {
  readonly raw: string;
  readonly value: string;
  readonly quote: OpenQuote;
}

/** A command line around a cursor. */
interface ShellLine {
  /** Complete words before that of the cursor, the program first. */
  readonly before: readonly string[];
  /** The word of the cursor as far as the cursor; empty after a blank. */
  readonly current: ShellWord;
  /** Words after that of the cursor. */
  readonly after: readonly string[];
}

/** Reads the words of a command line; `line` ends at the cursor, and `rest` follows. */
export function readShellLine(line: string, rest: string, shell: Shell): ShellLine {
  const words = readWords(line, shell);
  const current = words.at(-1) ?? emptyWord;
  const after = readWords(afterWord(rest, current.quote), shell).map(({ value }) => value);
  return {
    before: words.slice(0, -1).map(({ value }) => value),
    current,
    after: after.filter((word) => word !== ''),
  };
}

/** Ends a word. Other spaces, such as that of a number with thousands, are parts of words to a shell. */
const blank = /^[ \t\n]$/;

const emptyWord: ShellWord = { raw: '', value: '', quote: '' };

/** The words of a text; the last one ends where the text does, and is empty after a blank. */
function readWords(text: string, shell: Shell): ShellWord[] {
  const words: ShellWord[] = [];
  let word: ShellWord | undefined;
  for (let at = 0; at < text.length; ) {
    const { quote } = word ?? emptyWord;
    const piece = pieceAt(text, at, { quote, shell });
    at += piece.length;
    if (quote === '' && blank.test(piece)) {
      if (word) words.push(word);
      word = undefined;
    } else word = joined(word ?? emptyWord, piece);
  }
  return [...words, word ?? emptyWord];
}

/** A character, or an escape with the character it protects. */
function pieceAt(
  text: string,
  at: number,
  { quote, shell }: { readonly quote: OpenQuote; readonly shell: Shell },
): string {
  const pair = text.slice(at, at + 2);
  const escapes =
    quote === '' ? /^\\[\s\S]/ : quote === '"' ? /^\\["\\$`]/ : shell === 'fish' ? /^\\['\\]/ : undefined;
  return escapes?.test(pair) ? pair : text.charAt(at);
}

function joined({ raw, value, quote }: ShellWord, piece: string): ShellWord {
  const all = raw + piece;
  if (piece.length === 2) return { raw: all, value: value + piece.charAt(1), quote };
  if (quote === '' && (piece === '"' || piece === "'")) return { raw: all, value, quote: piece };
  if (quote !== '' && piece === quote) return { raw: all, value, quote: '' };
  return { raw: all, value: value + piece, quote };
}

/** The text after the word of the cursor. A quotation mark that is never closed ends at the cursor. */
function afterWord(rest: string, quote: OpenQuote): string {
  const closed = quote === '' ? 0 : rest.indexOf(quote) + 1;
  return rest.slice(closed).replace(/^[^ \t\n]+/, '');
}

/** Writes a text so that the shell reads it as it is, within an open quotation mark or without one. */
export function writeInShell(text: string, quote: OpenQuote): string {
  if (quote === "'") return text.replace(/'/g, "'\\''");
  if (quote === '"') return text.replace(/["\\$`]/g, '\\$&');
  return text.replace(/[^\w.:/,*+@%^=\u0080-\uffff-]/g, '\\$&');
}

/**
 * The part of a completed word that takes the place of `replaced`, the end of the written word, as bash
 * has it. Undefined if the completed word does not begin like the rest of the written one.
 */
function replacementIn(completed: string, current: ShellWord, replaced: string): string | undefined {
  const kept = current.raw.slice(0, Math.max(0, current.raw.length - replaced.length));
  const [before = emptyWord] = readWords(kept, 'bash').slice(-1);
  if (!completed.startsWith(before.value)) return undefined;
  return writeInShell(completed.slice(before.value.length), before.quote);
}

/** A query on a command line, as far as the cursor. */
interface QueryPosition {
  readonly query: string;
  /** Text of the word in front of the query, such as `--search=`. */
  readonly prefix: string;
  /** Other arguments and the values of `--case`: files that may have values for the query. */
  readonly sources: readonly string[];
}

/** Returns the query at the cursor of a command line; undefined if something else stands there. */
function findQuery(line: ShellLine, specs: readonly CommandSpec[]): QueryPosition | undefined {
  const args = [...line.before.slice(1)];
  const spec = specs
    .filter(({ name }) => `${args.join(' ')} `.startsWith(`${name} `))
    .toSorted((one, other) => other.name.length - one.name.length)[0];
  if (!spec) return undefined;
  const commandArgs = args.slice(spec.name.split(' ').length);
  const before = readArguments(commandArgs, spec);
  const after = readArguments(line.after, spec);
  const sources = [...before.texts, ...after.texts, ...before.cases, ...after.cases];
  const text = line.current.value;
  const [, flag = '', value = ''] = /^(--[\w-]+=)([\s\S]*)$/.exec(text) ?? [];
  if (flag !== '') {
    const option = optionOf(flag.slice(0, -1), spec);
    return option?.value === queryValue ? { query: value, prefix: flag, sources } : undefined;
  }
  const isAsked = before.open
    ? before.open.value === queryValue
    : !text.startsWith('-') && isQueryArgument(before.texts.length, spec);
  return isAsked ? { query: text, prefix: '', sources } : undefined;
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

function readArguments(args: readonly string[], spec: CommandSpec): GivenArguments {
  const texts: string[] = [];
  const cases: string[] = [];
  let open: OptionSpec<unknown> | undefined;
  for (const word of args) {
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

/** A query completed by one suggestion, and its description. */
interface CompletedQuery {
  readonly text: string;
  readonly detail: string;
}

/** Returns the values of a field, the most frequent first. */
type ReadValues = (field: Field) => Promise<readonly CountedValue[]>;

/**
 * Completes a query at its end. A single field is completed by its values too: a shell takes a single
 * completion as finished and closes the quotation mark behind it.
 */
async function completeQuery(query: string, readValues: ReadValues): Promise<readonly CompletedQuery[]> {
  const found = fitting(await suggestions(query, readValues), query);
  const [only, second] = found;
  if (!only || second || !only.text.endsWith(':')) return found;
  const next = await suggestions(only.text, readValues, { withSigns: true });
  return next.length === 0 ? found : next;
}

async function suggestions(
  query: string,
  readValues: ReadValues,
  { withSigns = false }: { readonly withSigns?: boolean } = {},
): Promise<readonly CompletedQuery[]> {
  const service = languageService(query);
  const request = service.wantedValues(query.length);
  const values = request ? new Map([[request.field.name, await readValues(request.field)]]) : new Map();
  const { from, to, suggestions: all } = service.complete(query.length, values);
  const words = all.filter(({ kind, insert }) => kind !== 'operator' || /^\s*[A-Z]+\s*$/.test(insert));
  return (words.length === 0 && withSigns ? all : words).map(({ insert, detail }) => ({
    text: (query.slice(0, from) + insert + query.slice(to)).trimEnd(),
    detail,
  }));
}

/** The completions that begin as the query is written, quotes aside; if there are none, those in another case. */
function fitting(found: readonly CompletedQuery[], query: string): readonly CompletedQuery[] {
  const beginning = withoutQuotes(query.trimEnd());
  const exact = found.filter(({ text }) => withoutQuotes(text).startsWith(beginning));
  if (0 < exact.length) return exact;
  const lower = beginning.toLowerCase();
  return found.filter(({ text }) => withoutQuotes(text).toLowerCase().startsWith(lower));
}

function withoutQuotes(text: string): string {
  return text.replace(/["\\]/g, '');
}
