import { existsSync } from 'node:fs';
import { isClusterAddress } from '../../cluster/index.ts';
import type { CommandSpec, WrittenCall } from '../command-line/command.ts';
import { UsageError } from '../command-line/exit-code.ts';
import { quoteForShell, shellWord } from '../output/shell-word.ts';

/**
 * Throws a `UsageError` with the right command line if the first argument and a source were swapped, if a query of
 * several words has no quotes, or if one is among the sources of a command that takes it with `--search`.
 */
export function checkArgumentPlaces(spec: CommandSpec, call: WrittenCall): void {
  refuseSwapped(spec, call);
  refuseWithoutQuotes(spec, call);
  refuseQueryAsSource(spec, call);
}

/** Throws if the argument before the sources is a file and a source is none. */
function refuseSwapped(spec: CommandSpec, { arguments: args, options }: WrittenCall): void {
  const [name, sourceName = '', ...others] = Object.keys(spec.arguments);
  // With --slowest the first argument is a source.
  if (
    name === undefined ||
    !/^(source|case)$/.test(sourceName) ||
    0 < others.length ||
    options.slowest?.length
  )
    return;
  const first = args[name]?.[0] ?? '';
  const sources = args[sourceName] ?? [];
  const missing = sources.find((source) => !isSource(source));
  if (missing === undefined || !existsSync(first)) return;
  const files = sourceWords([first, ...sources.filter((source) => source !== missing)]);
  throw new UsageError(
    `"${first}" is a file and "${missing}" is not; ${name.toUpperCase()} comes first: logquarry ${spec.name} ${quoteForShell(missing)} ${files}`,
  );
}

/** Throws if words that are no files stand between a query and the sources: the shell split it. */
function refuseWithoutQuotes(spec: CommandSpec, { arguments: { query, source = [] } }: WrittenCall): void {
  const [first] = query ?? [];
  const firstFile = source.findIndex(isSource);
  const words = source.slice(0, Math.max(0, firstFile));
  const files = source.slice(words.length);
  if (first === undefined || words.length === 0 || !words.every(isLikeQuery) || !files.every(isSource))
    return;
  const whole = quoteForShell([first, ...words].join(' '));
  throw new UsageError(
    `"${words.join(' ')}" is no file; a query of several words is quoted: logquarry ${spec.name} ${whole} ${sourceWords(files)}`,
  );
}

/** Throws if a source is a text that cannot be a path, or a word that is no file beside files. */
function refuseQueryAsSource(spec: CommandSpec, { arguments: args, options }: WrittenCall): void {
  const { source, ...others } = args;
  if (spec.options.search === undefined || options.search?.length || source === undefined) return;
  const query = source.find(isLikeQuery);
  const files = source.filter((path) => path !== query);
  if (query === undefined || files.length === 0 || !files.every(isSource)) return;
  const shellArgs = [...Object.values(others).flat().map(quoteForShell), sourceWords(files)].join(' ');
  throw new UsageError(
    `"${query}" is no file; a query is given with --search: logquarry ${spec.name} ${shellArgs} --search ${quoteForShell(query)}`,
  );
}

/** True for a text that is no source and looks like none: without a dot or a slash, or with signs of queries. */
function isLikeQuery(text: string): boolean {
  return !isSource(text) && (!/[./\\]/.test(text) || /[^/]:[^/\\]|["()[\]]/.test(text));
}

/** True for a file, the address of a cluster, and the standard input. */
export function isSource(text: string): boolean {
  return text === '-' || isClusterAddress(text) || existsSync(text);
}

/** Sources as words for a shell. */
export function sourceWords(sources: readonly string[]): string {
  return sources.map((source) => (source === '-' ? source : shellWord(source))).join(' ');
}
