import type { DuckDBConnection } from '@duckdb/node-api';
import { StoreError } from '../../database/index.ts';
import { textFields } from '../../records/index.ts';
import type { CatalogueObject } from './catalogue.ts';
import { type CatalogueDifference, compareCatalogue } from './compare-catalogue.ts';
import {
  caseVersion,
  checkVersion,
  notACaseError,
  oldestReadable,
  oldestSame,
  oldIndexTables,
} from './schema.ts';

/** Version of a case, and the objects of its file that differ from this program's. */
export interface CheckedCatalogue {
  readonly version: number;
  readonly differences: readonly CatalogueDifference[];
}

/**
 * Checks the catalogue of a file before any query of its tables. Rejects with `NOT_A_CASE`, `CASE_VERSION`, or
 * `CASE_ALTERED` unless differences are allowed. Differences of an older version are allowed in cases of that
 * version only.
 */
export async function checkCatalogue(
  connection: DuckDBConnection,
  {
    path,
    catalogue,
    mayDiffer,
  }: {
    readonly path: string;
    readonly catalogue: readonly CatalogueObject[];
    readonly mayDiffer: boolean;
  },
): Promise<CheckedCatalogue> {
  const isCase = catalogue.some(({ kind, schema, name }) => {
    return kind === 'table' && schema === 'stored' && name === 'about';
  });
  if (!isCase) throw notACaseError(path);
  const differences = await compareCatalogue(catalogue);
  const foreign = differences.filter((difference) => !isOfOlderVersion(difference));
  if (0 < foreign.length) return differing(path, differences, mayDiffer);
  const isSame = differences.length === 0;
  const version = await checkVersion(connection, path).catch((error: unknown) => {
    // Tables of this version prove more than the one row with its number, which `verify` reports.
    if (isSame && mayDiffer && error instanceof StoreError) return caseVersion;
    throw error;
  });
  if (isSame && version < oldestSame) {
    if (mayDiffer) return { version: caseVersion, differences };
    const problem = `states version ${version}, but has the tables of a later one: it was altered`;
    throw new StoreError('CASE_ALTERED', `"${path}" ${problem}. "logquarry verify" checks all of it`);
  }
  const areKnown =
    version < oldestReadable || (version < oldestSame && differences.every(isOfReadableVersion));
  return isSame || areKnown ? { version, differences: [] } : differing(path, differences, mayDiffer);
}

function differing(
  path: string,
  differences: readonly CatalogueDifference[],
  mayDiffer: boolean,
): CheckedCatalogue {
  if (mayDiffer) return { version: caseVersion, differences };
  throw alteredCaseError(path, differences);
}

/** Reports if a case of an older version has this difference, and its migration resolves it. */
function isOfOlderVersion(difference: CatalogueDifference): boolean {
  const { kind, expected } = difference;
  return ((kind === 'table' || kind === 'view') && expected !== undefined) || isOfOldIndex(difference);
}

/** Reports if a case that is read without migration has this difference. */
function isOfReadableVersion(difference: CatalogueDifference): boolean {
  return isOfOldIndex(difference) || hasColumnsOfWords(difference);
}

/** Reports if a difference is the table of logs of version 7 or before: each text has a column of its words. */
function hasColumnsOfWords({ kind, schema, name, found, expected }: CatalogueDifference): boolean {
  if (kind !== 'table' || schema !== 'stored' || name !== 'logs') return false;
  const columns = textFields.map((field) => `, ${field}_tokens VARCHAR`);
  return columns.reduce((definition, column) => definition?.replace(column, ''), found) === expected;
}

/** Reports if a difference is the index of version 6 or before in the place of the present one. */
function isOfOldIndex({ kind, schema, name, found, expected }: CatalogueDifference): boolean {
  if (kind !== 'table' || schema !== 'stored') return false;
  if (found === undefined) return name === 'segments';
  return expected === undefined && oldIndexTables.test(name);
}

/** Returns the error for an altered case. */
export function alteredCaseError(path: string, differences: readonly CatalogueDifference[]): StoreError {
  const [first, ...others] = differences;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  const message =
    `"${path}" was altered${first ? `: ${describeDifference(first)}` : ''}${more}. Results from it could be false. ` +
    '"logquarry verify" lists all differences. To use the case, remove the additions with the DuckDB shell. ' +
    'Keep your own views in another database that attaches the case';
  return new StoreError('CASE_ALTERED', message);
}

/** Describes a difference in one sentence, without its full stop. */
export function describeDifference({ kind, schema, name, found, expected }: CatalogueDifference): string {
  const object = kind === 'schema' ? `schema "${name}"` : `${kind} "${schema}"."${name}"`;
  if (expected === undefined) return `the ${object} is not part of a case (${cut(found ?? '')})`;
  if (found === undefined) return `the ${object} is missing`;
  return `the ${object} differs: ${cut(found)} instead of ${cut(expected)}`;
}

/** Maximum number of characters of a quoted definition. */
const maxDefinitionLength = 200;

function cut(definition: string): string {
  const text = definition.replace(/\s+/g, ' ').trim();
  return text.length <= maxDefinitionLength ? text : `${text.slice(0, maxDefinitionLength)}…`;
}
