import { existsSync } from 'node:fs';
import type { CommandSpec, WrittenCall } from '../command-line/command.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { quoteForShell, shellWord } from '../output/shell-word.ts';

/**
 * Throws a `UsageError` if a query is written among the sources of a command that takes it with `--search`: a text that
 * cannot be a path, or a word that is no file beside one that is.
 */
export function refuseQueryAsSource(spec: CommandSpec, { arguments: given, options }: WrittenCall): void {
  const { source, ...others } = given;
  if (spec.options.search === undefined || options.search?.length || source === undefined) return;
  const query = source.find((each) => isLikeQuery(each));
  const files = source.filter((each) => each !== query);
  if (query === undefined || files.length === 0 || !files.every((each) => existsSync(each))) return;
  const words = [...Object.values(others).flat(), ...files].map(shellWord).join(' ');
  throw new UsageError(
    `"${query}" is no file; a query is given with --search: logquarry ${spec.name} ${words} --search ${quoteForShell(query)}`,
  );
}

/** True for a text that is no file and looks like none: without a dot or a slash, or with signs of queries. */
function isLikeQuery(text: string): boolean {
  return text !== '-' && (!/[./\\]/.test(text) || /[^/]:[^/\\]|["()[\]]/.test(text)) && !existsSync(text);
}
