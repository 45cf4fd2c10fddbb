import type { DuckDBConnection } from '@duckdb/node-api';
import { messageOf, openDatabase, StoreError } from '../../database/index.ts';
import { readCatalogue } from './catalogue.ts';
import { alteredCaseError } from './check-catalogue.ts';
import { compareCatalogue } from './compare-catalogue.ts';
import { caseVersion, migrateCase, oldestReadable } from './schema.ts';
import { runTransaction } from './transaction.ts';
import { findUnfinishedParts, removeUnfinishedParts } from './unfinished.ts';
import { addWordsFunction } from './words-function.ts';

/** Reports if a case has an older version, or logs of a part that a killed process left unfinished. */
export async function needsRepair(connection: DuckDBConnection, version: number): Promise<boolean> {
  return version < oldestReadable || 0 < (await findUnfinishedParts(connection)).length;
}

/** Migrates a case to this version, and removes unfinished parts. */
export async function repairCase(connection: DuckDBConnection, path: string, version: number): Promise<void> {
  if (version < caseVersion) {
    await migrateCase(connection, version);
    const differences = await compareCatalogue(await readCatalogue(connection));
    if (0 < differences.length) throw alteredCaseError(path, differences);
  }
  await runTransaction(connection, removeUnfinishedParts);
}

/** Repairs the file of a case, opened for writing. Rejects with `CASE_VERSION` or `STORE_FAILED` if it cannot be written. */
export async function repairCaseFile(path: string, version: number): Promise<void> {
  try {
    const database = await openDatabase(path, 'write');
    try {
      const connection = await database.instance.connect();
      addWordsFunction(connection);
      await repairCase(connection, path, version).finally(() => connection.closeSync());
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof StoreError && error.code === 'CASE_ALTERED') throw error;
    throw cannotRepair(path, version, error);
  }
}

function cannotRepair(path: string, version: number, cause: unknown): StoreError {
  const [code, why] =
    version < oldestReadable
      ? ([
          'CASE_VERSION',
          `is a case of version ${version} and must be migrated to version ${caseVersion}`,
        ] as const)
      : (['STORE_FAILED', 'has logs of an unfinished part, which must be removed'] as const);
  const message = `"${path}" ${why}, which requires writing to it: ${messageOf(cause)}`;
  return new StoreError(code, message, { cause });
}
