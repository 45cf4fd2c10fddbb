/**
 * Where a file is that is built of the sources of this folder: beside what is
 * built of this one. The sources run as they are only under test.
 */
export function builtFile(name: string): URL {
  const folder = import.meta.url.endsWith('.ts') ? '../../../dist/store/loading' : '.';
  return new URL(`${folder}/${name}`, import.meta.url);
}
