import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { copyNames } from '../file/evidence-folder.ts';
import type { ByteSource } from './source.ts';

/** Returns the copy of an original in a folder, as it came or compressed; undefined if there is none. */
export function findCopy(folder: string, sha256: string): ByteSource | undefined {
  const { plain, compressed } = copyNames(sha256);
  const [path, other] = [join(folder, plain), join(folder, compressed)];
  if (existsSync(path)) return { path };
  return existsSync(other) ? { compressed: other } : undefined;
}
