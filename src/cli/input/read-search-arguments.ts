import { existsSync } from 'node:fs';
import { isClusterAddress } from '../../cluster/index.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { isDatabase } from '../files/is-database.ts';
import { quoteForShell } from '../output/shell-word.ts';
import { escapeUnsafe } from '../terminal/printable.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { isSource, sourceWords } from './check-argument-places.ts';

/** The arguments of a search. */
interface SearchArguments {
  readonly query: string;
  readonly source: readonly string[];
}

/** The query of a search without one. */
const everyLog = '*:*';

/**
 * Reads a query and its sources. The query is absent if its place has the only source, or the path of a case. A
 * single word beside sources is always a query, even if a file has that name. Reports a query that is a file's name.
 * Throws a `UsageError` without a source.
 */
export async function readSearchArguments(
  { query, source }: SearchArguments,
  terminal: Pick<Terminal, 'say'>,
): Promise<SearchArguments> {
  const isQueryAbsent = source.length === 0 ? isSource(query) : await isNamedCase(query);
  if (isQueryAbsent) return { query: everyLog, source: [query, ...source] };
  if (source.length === 0) {
    throw new UsageError(
      `search requires a source, and "${query}" is no file: logquarry search ${quoteForShell(query)} SOURCE`,
    );
  }
  if (existsSync(query)) terminal.say(noteOfFile(query, source));
  return { query, source };
}

/** True for the address of a cluster and for a case whose path is more than a word, such as one with an extension. */
async function isNamedCase(text: string): Promise<boolean> {
  return isClusterAddress(text) || (/[./\\]/.test(text) && (await isDatabase(text)) === true);
}

function noteOfFile(query: string, source: readonly string[]): string {
  const files = sourceWords([query, ...source]);
  const name = escapeUnsafe(query);
  return `"${name}" is read as the query, though a file has this name. To search the file too: logquarry search ${quoteForShell(everyLog)} ${files}`;
}
