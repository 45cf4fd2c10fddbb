import { createHash } from 'node:crypto';
import { DuckDBInstance } from '@duckdb/node-api';
import { idIndexName, makeIdIndex, makePagesTable } from '../../word-index/index.ts';
import { type CatalogueObject, catalogueKey, readCatalogue } from './catalogue.ts';
import { makeTables } from './schema.ts';

/** A catalogue object that differs from the one of this version. */
export interface CatalogueDifference extends Pick<CatalogueObject, 'kind' | 'schema' | 'name'> {
  /** Its definition in the file; absent if it is missing there. */
  readonly found?: string;
  /** Its definition in this version; absent if this version has no such object. */
  readonly expected?: string;
}

/**
 * SHA-256 of the catalogue of a new case, and the definitions of what its index adds, a table of pages and the index
 * of ids, as the pinned version of DuckDB prints them. Tests compare all. With another version of DuckDB the comparison is only slower.
 */
export const pinnedCatalogue = {
  catalogue: '44543a9c90842af68992311b781a80fc1175abe7131fe7b56a0653e3c7e7bca2',
  pages: 'CREATE TABLE "stored".segment_0(bytes BLOB);',
  ids: 'CREATE INDEX log_ids ON "stored".logs(id);',
} as const;

/** Compares the catalogue of a file with the one of this version; empty if they are the same. */
export async function compareCatalogue(
  objects: readonly CatalogueObject[],
): Promise<readonly CatalogueDifference[]> {
  const own = objects.filter((object) => !isOfIndex(object, pinnedCatalogue));
  if (hashOfCatalogue(own) === pinnedCatalogue.catalogue) return [];
  const expected = new Map((await referenceCatalogue()).map((object) => [catalogueKey(object), object]));
  const ofIndex = {
    pages: take(expected, firstPagesTable)?.definition,
    ids: take(expected, idIndex)?.definition,
  };
  const found = objects.filter((object) => !isOfIndex(object, ofIndex));
  const keys = new Set(found.map(catalogueKey));
  const gone = [...expected.values()].filter((object) => !keys.has(catalogueKey(object)));
  return [
    ...found.flatMap((object) => differenceOf(object, expected.get(catalogueKey(object)))),
    ...gone.map(({ kind, schema, name, definition }) => ({ kind, schema, name, expected: definition })),
  ];
}

function differenceOf(
  { kind, schema, name, definition }: CatalogueObject,
  expected: CatalogueObject | undefined,
): readonly CatalogueDifference[] {
  if (expected?.definition === definition) return [];
  const difference = { kind, schema, name, found: definition };
  return [expected ? { ...difference, expected: expected.definition } : difference];
}

export function hashOfCatalogue(objects: readonly CatalogueObject[]): string {
  return createHash('sha256').update(JSON.stringify(objects)).digest('hex');
}

/** Definitions of what the index of a case may add to its catalogue. */
interface IndexDefinitions {
  readonly pages: string | undefined;
  readonly ids: string | undefined;
}

/** Reports if an object belongs to the index, which a case may lack. */
function isOfIndex(object: CatalogueObject, { pages, ids }: IndexDefinitions): boolean {
  if (catalogueKey(object) === catalogueKey(idIndex)) return object.definition === ids;
  const table = asFirstPagesTable(object);
  return table !== undefined && table.definition === pages;
}

/** Removes the object with the identity of another one. */
function take(from: Map<string, CatalogueObject>, object: CatalogueObject): CatalogueObject | undefined {
  const taken = from.get(catalogueKey(object));
  from.delete(catalogueKey(object));
  return taken;
}

const idIndex: CatalogueObject = { kind: 'index', schema: 'stored', name: idIndexName, definition: '' };

/** Stands for the tables of the index, one for each segment. */
const firstPagesTable: CatalogueObject = {
  kind: 'table',
  schema: 'stored',
  name: 'segment_0',
  definition: '',
};

/** Returns a table of the index as the one of segment 0; undefined for any other object. */
function asFirstPagesTable({ kind, schema, name, definition }: CatalogueObject): CatalogueObject | undefined {
  if (kind !== 'table' || schema !== 'stored' || !/^segment_\d+$/.test(name)) return undefined;
  return { ...firstPagesTable, definition: definition.replace(`.${name}(`, `.${firstPagesTable.name}(`) };
}

let reference: Promise<readonly CatalogueObject[]> | undefined;

/** Returns the catalogue of a new case with one table of pages and the index of ids, created once in a process. */
export function referenceCatalogue(): Promise<readonly CatalogueObject[]> {
  reference ??= makeReference();
  return reference;
}

async function makeReference(): Promise<readonly CatalogueObject[]> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  try {
    const connection = await instance.connect();
    await makeTables(connection);
    await makePagesTable(connection, 0);
    await makeIdIndex(connection);
    const objects = await readCatalogue(connection);
    connection.closeSync();
    return objects;
  } finally {
    instance.closeSync();
  }
}
