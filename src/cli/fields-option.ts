import { readFile } from 'node:fs/promises';
import type { Schema } from '../meaning/fields.ts';
import { readSchema } from '../meaning/read-schema.ts';
import { text } from './option.ts';
import { UsageError } from './usage-error.ts';

/** The option that names a deployment's own fields. */
export const fieldsOption = text(
  'FILE',
  'JSON file with the fields of the deployment where they differ from the documented ones',
);

/** The schema that a file describes, or nothing without a file. A file that is none is a `UsageError` with the place. */
export async function schemaFrom(path: string | undefined): Promise<{ readonly schema?: Schema }> {
  if (path === undefined) return {};
  const read = readSchema(parseJson(await readText(path), path));
  if ('schema' in read) return read;
  throw new UsageError(`"${path}" does not describe fields. ${read.problem}`);
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new UsageError(`The file "${path}" cannot be read: ${error.message}`, { cause: error });
  }
}

function parseJson(written: string, path: string): unknown {
  try {
    return JSON.parse(written.replace(/^\ufeff/, ''));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UsageError(`The file "${path}" requires JSON: ${error.message}`, { cause: error });
  }
}
