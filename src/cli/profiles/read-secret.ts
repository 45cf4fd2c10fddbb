import { stat } from 'node:fs/promises';
import { UsageError } from '../command-line/usage-error.ts';
import { readTextFile } from '../files/read-file.ts';
import { checkFileMode } from './profile.ts';

/**
 * Reads a secret from a file, without a final line break. Like ssh, refuses a file of this user that
 * others can read. Files of another user, such as mounted ones in a container, are accepted.
 */
export async function readSecret(path: string, name: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() && found.uid === process.getuid?.())
    checkFileMode(`The file of ${name}`, path, found.mode);
  const secret = (await readTextFile(path, name)).replace(/\r?\n$/, '');
  if (secret === '') throw new UsageError(`The file "${path}" of ${name} is empty`);
  return secret;
}
