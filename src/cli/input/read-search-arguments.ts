import { existsSync } from 'node:fs';
import { isClusterAddress } from '../../cluster/address.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { isDatabase } from '../files/is-database.ts';
import { quoteForShell, shellWord } from '../output/shell-word.ts';

/** The arguments of a search. */
interface SearchArguments {
  readonly query: string;
  readonly source: readonly string[];
}

/** The query of a search without one. */
const everyLog = '*:*';

/**
 * Reads a query and its sources. The query is absent if its place has the only source, or a case file. Throws a
 * `UsageError` without a source, and if a query and a source were swapped.
 */
export async function readSearchArguments({ query, source }: SearchArguments): Promise<SearchArguments> {
  const missing = source.find((each) => !isSource(each));
  if (missing !== undefined && existsSync(query)) throw swapped(query, missing, source);
  const isQueryAbsent = source.length === 0 ? isSource(query) : (await isDatabase(query)) === true;
  if (isQueryAbsent) return { query: everyLog, source: [query, ...source] };
  if (0 < source.length) return { query, source };
  throw new UsageError(
    `search requires a source, and "${query}" is no file: logquarry search ${quoteForShell(query)} SOURCE`,
  );
}

function isSource(text: string): boolean {
  return text === '-' || isClusterAddress(text) || existsSync(text);
}

function swapped(query: string, missing: string, source: readonly string[]): UsageError {
  const files = [query, ...source.filter((each) => each !== missing)].map(shellWord).join(' ');
  return new UsageError(
    `"${query}" is a file and "${missing}" is not; the query comes first: logquarry search ${quoteForShell(missing)} ${files}`,
  );
}
