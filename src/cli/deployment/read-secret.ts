import { stat } from 'node:fs/promises';
import { UsageError } from '../command-line/usage-error.ts';
import { readText } from '../input/read-text.ts';
import { checkMode } from '../profiles/profile.ts';

/**
 * A secret of a file, without the line break that editors put behind it. As ssh
 * does, it refuses a file of this user that others can read; one of another user,
 * as those that a container is given, cannot be mended here.
 */
export async function readSecret(path: string, name: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() && found.uid === process.getuid?.())
    checkMode(`The file of "${name}"`, path, found.mode);
  const secret = (await readText(path, name)).replace(/\r?\n$/, '');
  if (secret === '') throw new UsageError(`The file "${path}" of "${name}" is empty`);
  return secret;
}
