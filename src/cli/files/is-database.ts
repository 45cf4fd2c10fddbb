import { open } from 'node:fs/promises';

/** True if a file is a DuckDB database, like all cases; undefined if it cannot be read. */
export async function isDatabase(path: string): Promise<boolean | undefined> {
  try {
    await using file = await open(path);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(12), 0, 12, 0);
    return bytesRead === 12 && buffer.toString('latin1', 8, 12) === 'DUCK';
  } catch {
    return undefined;
  }
}
