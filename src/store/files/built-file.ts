/**
 * The URL of a file that is built beside a module: `importer` is its `import.meta.url`. In the bundle all of them lie in
 * one folder. The sources run as they are only under test, and then use what was built of them.
 */
export function builtFile(name: string, importer: string): URL {
  const built = importer.endsWith('.ts') ? importer.replace('/src/store/', '/dist/store/') : importer;
  return new URL(name, built);
}
