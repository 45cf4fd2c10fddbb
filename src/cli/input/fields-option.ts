import type { Schema } from '../../meaning/fields.ts';
import { readSchema } from '../../meaning/read-schema.ts';
import { text } from '../command-line/option.ts';
import { UsageError } from '../command-line/usage-error.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { readJsonFile } from './read-json-file.ts';

/** The option that names a deployment's own fields. */
export const fieldsOption = text(
  'FILE',
  'JSON file with the fields of the deployment where they differ from the documented ones',
);

/** The schema that a file describes, or nothing without a file. A file that is none is a `UsageError` with the place. */
export async function schemaFrom(
  path: string | undefined,
  terminal: Terminal,
): Promise<{ readonly schema?: Schema }> {
  if (path === undefined) return {};
  const read = readSchema(await readJsonFile(path, terminal));
  if ('schema' in read) return read;
  throw new UsageError(`"${path}" does not describe fields. ${read.problem}`);
}
