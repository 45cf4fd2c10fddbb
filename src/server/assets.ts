import { readdir, readFile } from 'node:fs/promises';

/** A file of the page. */
export interface Asset {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/**
 * Reads the files of the page, by the names in their addresses. They are all that is served: a
 * path is looked up among these names, never in the file system.
 */
export async function readAssets(folder: URL): Promise<ReadonlyMap<string, Asset>> {
  const assets = new Map<string, Asset>();
  for (const name of await readdir(folder)) {
    const type = types[name.split('.').at(-1) ?? ''];
    if (type === undefined) continue;
    const bytes = new Uint8Array(await readFile(new URL(name, folder)));
    assets.set(`/${name}`, { bytes, type });
  }
  return assets;
}

/** The folder of the built page. Under test the sources run directly and use the page in `dist`. */
export function pageFolder(importer: string): URL {
  const built = importer.endsWith('.ts') ? importer.replace(/\/src\/server\/.*/, '/dist/bin/x') : importer;
  return new URL('page/', built);
}
