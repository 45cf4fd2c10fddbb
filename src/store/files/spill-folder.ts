import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { realPath } from '../database/database.ts';
import { removeStale, temporaryBeside } from './temporary-name.ts';

/**
 * Removes what the database of a killed process kept on the disk for want of
 * memory, in a folder beside the case. Only for the one process that may write
 * to the case, before it works with it.
 */
export async function removeSpill(casePath: string): Promise<void> {
  await rm(`${realPath(casePath)}.tmp`, { recursive: true, force: true });
}

/** Names a folder of its own for what a query on a case spills: others that read the case keep theirs. The database makes it. */
export function ownSpillFolder(casePath: string): string {
  return `${temporaryBeside(queriesOf(casePath))}.tmp`;
}

/** Removes the folders of `ownSpillFolder` whose processes were killed. Where that cannot be, they stay. */
export async function removeStaleSpill(casePath: string): Promise<void> {
  await removeStale(queriesOf(casePath));
}

function queriesOf(casePath: string): string {
  return `${resolve(casePath)}.sql`;
}
