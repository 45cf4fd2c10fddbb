import { rm } from 'node:fs/promises';
import { realPath } from '../database.ts';

/**
 * Removes what the database of a killed process kept on the disk for want of
 * memory, in a folder beside the case. Only for the one process that may write
 * to the case, before it works with it.
 */
export async function removeSpill(casePath: string): Promise<void> {
  await rm(`${realPath(casePath)}.tmp`, { recursive: true, force: true });
}
