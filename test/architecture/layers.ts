import { posix } from 'node:path';
import ts from 'typescript';

/** Packages that a package or an entry point may import besides itself. */
export interface Layer {
  readonly layers: readonly string[];
  readonly packages: readonly string[];
  /** True if it runs unchanged in a browser: no module or global of Node. */
  readonly pure?: boolean;
}

/** The packages and who may import what; `src/README.md` has the same table in words. */
export const layers: Readonly<Record<string, Layer>> = {
  records: { layers: [], packages: [], pure: true },
  language: { layers: [], packages: ['chevrotain', 'valibot'], pure: true },
  testing: { layers: ['language'], packages: ['fast-check'], pure: true },
  protocol: { layers: ['records'], packages: ['fast-xml-parser', 'valibot'], pure: true },
  client: { layers: ['records', 'protocol'], packages: ['undici'] },
  database: { layers: [], packages: ['@duckdb/node-api', '@duckdb/node-bindings', 'valibot'] },
  'word-index': { layers: ['records', 'language', 'database'], packages: ['@duckdb/node-api', 'valibot'] },
  case: {
    layers: ['records', 'language', 'database', 'word-index'],
    packages: ['@duckdb/node-api', '@duckdb/node-bindings', 'fzstd', 'valibot', 'yauzl'],
  },
  seal: { layers: [], packages: ['asn1js', 'pkijs', 'valibot'] },
  analysis: { layers: ['records', 'language', 'case'], packages: ['yaml'] },
  cluster: { layers: ['records', 'language', 'case'], packages: ['@clickhouse/client', 'valibot'] },
  export: {
    layers: ['records', 'language', 'protocol', 'client', 'database', 'case'],
    packages: ['valibot'],
  },
  collect: {
    layers: ['records', 'language', 'protocol', 'client', 'database', 'case', 'export'],
    packages: ['valibot'],
  },
  emulator: {
    layers: ['records', 'language', 'protocol', 'database', 'case'],
    packages: ['@hono/node-server', 'hono', 'jszip', 'valibot'],
  },
  // The server of the page: its API is what the commands call too.
  server: {
    layers: ['records', 'language', 'case', 'analysis', 'export'],
    packages: ['@hono/node-server', 'valibot'],
  },
  // The page, in a browser. Of the server it imports types alone.
  page: { layers: ['records', 'language', 'server'], packages: ['preact'], pure: true },
  cli: {
    layers: [
      'records',
      'language',
      'protocol',
      'client',
      'database',
      'case',
      'seal',
      'analysis',
      'cluster',
      'export',
      'collect',
      'emulator',
      'server',
    ],
    packages: ['commander', 'get-east-asian-width', 'valibot', 'write-excel-file/node'],
  },
};

/** The modules that a program can import, and the packages whose names each passes on. */
export const entryPoints: Readonly<Record<string, Layer>> = {
  language: { layers: ['language'], packages: [], pure: true },
  meaning: { layers: ['language'], packages: [], pure: true },
  testing: { layers: ['testing'], packages: [], pure: true },
  'language-package': { layers: ['src/language.ts', 'src/meaning.ts'], packages: [], pure: true },
  client: { layers: ['records', 'protocol', 'client'], packages: [] },
  analysis: { layers: ['records', 'language', 'case', 'analysis'], packages: [] },
  emulator: { layers: ['emulator'], packages: [] },
  index: {
    layers: ['records', 'language', 'protocol', 'client', 'database', 'word-index', 'case', 'export'],
    packages: [],
  },
};

/** A source file; its path begins with `src/`. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** Every sentence says what one file imports or uses that its layer may not. */
export function layerViolations(sources: readonly Source[]): string[] {
  return sources.flatMap((source) => [...importViolations(source), ...globalViolations(source)]);
}

/** The cycles among files, type imports included; each is listed once, from its first file. */
export function cycles(sources: readonly Source[]): string[] {
  return cyclesOf(new Map(sources.map((source) => [source.path, ownImports(source)])));
}

/** The cycles among the folders of files; an `index.ts` stands for all of its folder and is left out. */
export function folderCycles(sources: readonly Source[]): string[] {
  const imports = new Map<string, string[]>();
  for (const [from, to] of folderImports(sources)) imports.set(from, [...(imports.get(from) ?? []), to]);
  return cyclesOf(imports);
}

/** Each import of a file of another folder as the two folders, `index.ts` of either left out. */
function folderImports(sources: readonly Source[]): [from: string, to: string][] {
  const isIndex = (path: string) => path.endsWith('/index.ts');
  return sources
    .filter(({ path }) => !isIndex(path))
    .flatMap((source) =>
      ownImports(source)
        .filter((path) => !isIndex(path) && posix.dirname(path) !== posix.dirname(source.path))
        .map((path): [string, string] => [posix.dirname(source.path), posix.dirname(path)]),
    );
}

function cyclesOf(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const found = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    const at = trail.indexOf(path);
    if (at !== -1) found.add([...trail.slice(at), path].join(' → '));
    if (at !== -1 || done.has(path)) return;
    for (const next of imports.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of imports.keys()) visit(path, []);
  return [...found];
}

function ownImports(source: Source): string[] {
  return importsOf(source)
    .filter((name) => name.startsWith('.'))
    .map((name) => resolved(source, name));
}

function importsOf({ text }: Source): string[] {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
}

function resolved({ path }: Source, name: string): string {
  return posix.join(posix.dirname(path), name);
}

/** The package of a path, its folder below `src`; undefined for an entry point, a file in `src` itself. */
function packageOf(path: string): string | undefined {
  const [, name, inside] = path.split('/');
  return inside === undefined ? undefined : name;
}

function layerOf(path: string): Layer | undefined {
  const name = packageOf(path);
  return name === undefined
    ? entryPoints[posix.basename(path, '.ts')]
    : Object.hasOwn(layers, name)
      ? layers[name]
      : undefined;
}

function nameOf(path: string): string {
  return packageOf(path) ?? path;
}

function importViolations(source: Source): string[] {
  const layer = layerOf(source.path);
  if (!layer) return [`${source.path} is in "${nameOf(source.path)}", which is no package`];
  const onDemand = new Set([...source.text.matchAll(/\bimport\('([^']+)'\)/g)].map(([, name = '']) => name));
  return importsOf(source).flatMap((imported) => {
    const problem = problemOf(source, imported, layer, onDemand.has(imported));
    return problem === undefined ? [] : [`${source.path} imports "${imported}": ${problem}`];
  });
}

function problemOf(source: Source, imported: string, layer: Layer, isOnDemand: boolean): string | undefined {
  const name = nameOf(source.path);
  if (imported.startsWith('node:')) return layer.pure ? `${name} does no input or output` : undefined;
  if (!imported.startsWith('.')) {
    const known = layer.packages.some((each) => imported === each || imported.startsWith(`${each}/`));
    return known ? undefined : `${name} does without this package`;
  }
  const path = resolved(source, imported);
  if (!path.startsWith('src/')) return 'it is outside src';
  const other = nameOf(path);
  if (other === packageOf(source.path))
    return path === `src/${other}/index.ts` ? 'the door of its own package' : undefined;
  if (!layer.layers.includes(other)) return `${name} may not know ${other}`;
  // What is loaded on demand is named itself, so that no more is loaded.
  return isOnDemand || [other, `src/${other}/index.ts`].includes(path)
    ? undefined
    : `it is past the door of ${other}`;
}

/** Globals by which code would print, end the process, or need Node. */
function globalViolations(source: Source): string[] {
  const name = packageOf(source.path);
  const layer = layerOf(source.path);
  const file = ts.createSourceFile(source.path, source.text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const used = ts.isPropertyAccessExpression(node) ? globalUse(node) : undefined;
    const mayUse = name === 'cli' || childProcesses.test(source.path);
    if (used && !mayUse && printsOrExits(used) && !isSignalZero(node)) {
      found.push(`${source.path} uses ${used}: only cli prints and exits`);
    }
    if (layer?.pure && isNodeGlobal(node)) {
      found.push(`${source.path} uses ${node.text}: ${nameOf(source.path)} runs in a browser`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Parts that run in child processes, and their callers: they neither print nor end the process of a caller. */
const childProcesses = /^src\/database\/child\.ts$/;

function globalUse({ expression, name }: ts.PropertyAccessExpression): string | undefined {
  return ts.isIdentifier(expression) ? `${expression.text}.${name.text}` : undefined;
}

function printsOrExits(use: string): boolean {
  return /^(console\.\w+|process\.(exit|exitCode|stdout|stderr|stdin|on|once|argv|abort|kill))$/.test(use);
}

/** Signal 0 ends no process: it asks for one. */
function isSignalZero({ parent }: ts.Node): boolean {
  return ts.isCallExpression(parent) && parent.arguments[1]?.getText() === '0';
}

function isNodeGlobal(node: ts.Node): node is ts.Identifier {
  if (!ts.isIdentifier(node) || !['Buffer', 'process', 'require', '__dirname'].includes(node.text))
    return false;
  // The name of a member is none: a log has a field `process`.
  return !('name' in node.parent && node.parent.name === node);
}
