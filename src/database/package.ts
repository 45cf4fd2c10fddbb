/**
 * Returns the URL of a build output beside a module; `importer` is the `import.meta.url` of that module. The
 * bundle has all outputs in one folder. Under test the sources run directly and use the outputs in `dist`.
 */
export function builtFile(name: string, importer: string): URL {
  const built = importer.endsWith('.ts') ? importer.replace(/\/src\/(?!.*\/src\/)/, '/dist/') : importer;
  return new URL(name, built);
}

/** Version of the package; a test compares it with package.json. */
export const packageVersion = '0.1.0';
