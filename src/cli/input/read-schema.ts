import type { Schema } from '../../language/index.ts';
import { readSchema } from '../../language/index.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { readJsonFile } from '../files/read-file.ts';
import type { Terminal } from '../terminal/terminal.ts';

/**
 * Reads the context member with the schema of a file; empty without a file. Throws a `UsageError` with
 * the position of a problem.
 */
export async function readSchemaContext(
  path: string | undefined,
  terminal: Terminal,
): Promise<{ readonly schema?: Schema }> {
  if (path === undefined) return {};
  const read = readSchema(await readJsonFile(path, terminal));
  if ('schema' in read) return read;
  throw new UsageError(`"${path}" is not a description of fields: ${read.problem}`);
}
