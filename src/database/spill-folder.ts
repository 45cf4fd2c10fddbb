import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { removeStaleFiles, temporaryBeside } from './atomic-file.ts';
import { realPath } from './database.ts';

/**
 * Removes the spill folder that the database of a killed process left beside the case. For the one process that
 * may write to the case, before it uses it.
 */
export async function removeSpill(casePath: string): Promise<void> {
  await rm(`${realPath(casePath)}.tmp`, { recursive: true, force: true });
}

/**
 * Returns the path of a new spill folder for one query on a case, which the database creates. Concurrent
 * readers have their own.
 */
export function newSpillFolder(casePath: string): string {
  return `${temporaryBeside(queriesOf(casePath))}.tmp`;
}

/** Removes folders of `newSpillFolder` whose processes are dead. Never rejects. */
export async function removeStaleSpill(casePath: string): Promise<void> {
  await removeStaleFiles(queriesOf(casePath));
}

function queriesOf(casePath: string): string {
  return `${resolve(casePath)}.sql`;
}
