import { posix } from 'node:path';
import ts from 'typescript';

/** Imports that a layer may have besides itself. */
export interface Layer {
  readonly layers: readonly string[];
  readonly packages: readonly string[];
  /** True if it runs unchanged in a browser: no module or global of Node. */
  readonly pure?: boolean;
}

/** The layers and who may import what. `src/README.md` has the same table in words. */
export const layers: Readonly<Record<string, Layer>> = {
  json: { layers: [], packages: [], pure: true },
  language: { layers: [], packages: ['chevrotain'], pure: true },
  patterns: { layers: ['language'], packages: [], pure: true },
  meaning: { layers: ['language', 'patterns'], packages: ['valibot'], pure: true },
  logic: { layers: ['language', 'patterns', 'meaning'], packages: [], pure: true },
  lint: { layers: ['language', 'patterns', 'meaning', 'logic'], packages: [], pure: true },
  assist: { layers: ['language', 'patterns', 'meaning', 'logic'], packages: [], pure: true },
  translate: { layers: ['language', 'patterns', 'meaning', 'logic'], packages: [], pure: true },
  records: { layers: ['json'], packages: [], pure: true },
  rules: {
    layers: ['language', 'patterns', 'meaning', 'translate', 'records'],
    packages: ['yaml'],
    pure: true,
  },
  protocol: { layers: ['json'], packages: ['fast-xml-parser', 'valibot'], pure: true },
  administration: { layers: ['json', 'protocol'], packages: [], pure: true },
  store: {
    layers: ['language', 'patterns', 'meaning', 'logic', 'translate', 'records'],
    packages: ['@duckdb/node-api', '@duckdb/node-bindings', 'valibot', 'yauzl'],
  },
  cluster: {
    layers: ['language', 'patterns', 'meaning', 'logic', 'translate', 'records', 'store'],
    packages: ['@clickhouse/client', 'valibot'],
  },
  seal: { layers: [], packages: ['asn1js', 'pkijs', 'valibot'] },
  analysis: { layers: ['rules', 'store', 'lint', 'meaning', 'language', 'records'], packages: [] },
  client: { layers: ['json', 'protocol', 'administration'], packages: ['undici'] },
  export: {
    layers: ['protocol', 'client', 'store', 'records', 'language', 'meaning', 'logic', 'assist'],
    packages: ['valibot'],
  },
  emulator: {
    layers: [
      'json',
      'protocol',
      'administration',
      'language',
      'patterns',
      'meaning',
      'lint',
      'translate',
      'records',
      'store',
    ],
    packages: ['@hono/node-server', 'hono', 'jszip', 'valibot'],
  },
  // The server of the page: its API is what the commands call too.
  ui: {
    layers: ['language', 'meaning', 'lint', 'records', 'rules', 'store', 'analysis', 'export'],
    packages: ['@hono/node-server', 'valibot'],
  },
  // The page, in a browser. Of the server it imports types alone.
  page: {
    layers: ['language', 'patterns', 'meaning', 'logic', 'lint', 'assist', 'records', 'ui'],
    packages: ['preact'],
    pure: true,
  },
  cli: {
    layers: [
      'json',
      'language',
      'patterns',
      'meaning',
      'logic',
      'lint',
      'assist',
      'translate',
      'records',
      'rules',
      'protocol',
      'administration',
      'store',
      'cluster',
      'seal',
      'analysis',
      'client',
      'export',
      'emulator',
      'ui',
    ],
    packages: ['commander', 'get-east-asian-width', 'valibot', 'write-excel-file/node'],
  },
  // The entry point `logquarry/meaning`: queries, in a browser as well.
  query: { layers: ['language', 'meaning', 'logic', 'lint', 'assist'], packages: [], pure: true },
  // The package itself: what a program gets that imports "logquarry".
  index: {
    layers: [
      'language',
      'query',
      'meaning',
      'translate',
      'records',
      'rules',
      'protocol',
      'administration',
      'store',
      'seal',
      'analysis',
      'client',
      'export',
    ],
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
export function folderImports(sources: readonly Source[]): [from: string, to: string][] {
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
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const at = trail.indexOf(path);
    if (at !== -1) found.push([...trail.slice(at), path].join(' → '));
    if (at !== -1 || done.has(path)) return;
    for (const next of imports.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of imports.keys()) visit(path, []);
  return found;
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

/** The layer of a path: its folder below `src`, or `index` for `src/index.ts`. */
function layerOf(path: string): string {
  return path.split('/')[1]?.replace(/\.ts$/, '') ?? '';
}

function importViolations(source: Source): string[] {
  const name = layerOf(source.path);
  const layer = layers[name];
  if (!layer) return [`${source.path} is in "${name}", which is no layer`];
  return importsOf(source).flatMap((imported) => {
    const problem = problemOf(source, imported, layer);
    return problem === undefined ? [] : [`${source.path} imports "${imported}": ${problem}`];
  });
}

function problemOf(source: Source, imported: string, layer: Layer): string | undefined {
  const name = layerOf(source.path);
  if (imported.startsWith('node:')) return layer.pure ? `${name} does no input or output` : undefined;
  if (!imported.startsWith('.')) {
    const known = layer.packages.some((each) => imported === each || imported.startsWith(`${each}/`));
    return known ? undefined : `${name} does without this package`;
  }
  const path = resolved(source, imported);
  if (!path.startsWith('src/')) return 'it is outside src';
  const other = layerOf(path);
  return other === name || layer.layers.includes(other) ? undefined : `${name} may not know ${other}`;
}

/** Globals by which code would print, end the process, or need Node. */
function globalViolations(source: Source): string[] {
  const name = layerOf(source.path);
  const file = ts.createSourceFile(source.path, source.text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const used = ts.isPropertyAccessExpression(node) ? globalUse(node) : undefined;
    const mayUse = name === 'cli' || source.path.startsWith(childProcesses);
    if (used && !mayUse && printsOrExits(used) && !isSignalZero(node)) {
      found.push(`${source.path} uses ${used}: only cli prints and exits`);
    }
    if (layers[name]?.pure && isNodeGlobal(node)) {
      found.push(`${source.path} uses ${node.text}: ${name} runs in a browser`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Parts that run in child processes, and their callers: they neither print nor end the process of a caller. */
const childProcesses = 'src/store/child/';

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
