import { existsSync } from 'node:fs';
import { UsageError } from '../command-line/usage-error.ts';
import { quoteForShell, shellWord } from '../output/shell-word.ts';

/** Throws a `UsageError` if a query and a source were swapped: the query is a file, and a source is not. */
export function checkArgumentOrder(query: string, sources: readonly string[]): void {
  const other = sources.find((source) => source !== '-' && !existsSync(source));
  if (other === undefined || query === '' || !existsSync(query)) return;
  const files = [query, ...sources.filter((source) => source !== other)].map(shellWord).join(' ');
  throw new UsageError(
    `"${query}" is a file and "${other}" is not; the query comes first: logquarry search ${quoteForShell(other)} ${files}`,
  );
}
