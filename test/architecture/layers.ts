import { posix } from 'node:path';
import ts from 'typescript';

/** What a layer may import besides itself. */
export interface Layer {
  readonly layers: readonly string[];
  readonly packages: readonly string[];
  /** Whether it runs unchanged in a browser: no module or global of Node. */
  readonly pure?: boolean;
}

/** The layers and who may import what. `src/README.md` has the same table in words. */
export const layers: Readonly<Record<string, Layer>> = {
  json: { layers: [], packages: [], pure: true },
  language: { layers: [], packages: ['chevrotain'], pure: true },
  meaning: { layers: ['language'], packages: ['valibot'], pure: true },
  translate: { layers: ['language', 'meaning'], packages: [], pure: true },
  records: { layers: ['json'], packages: ['csv-parse'], pure: true },
  protocol: { layers: ['json'], packages: ['fast-xml-parser', 'valibot'], pure: true },
  administration: { layers: ['json', 'protocol'], packages: [], pure: true },
  store: {
    layers: ['language', 'meaning', 'translate', 'records'],
    packages: ['@duckdb/node-api', '@duckdb/node-bindings', 'valibot', 'yauzl'],
  },
  seal: { layers: [], packages: ['asn1js', 'pkijs', 'valibot'] },
  analysis: { layers: ['store', 'meaning', 'records'], packages: [] },
  client: { layers: ['json', 'protocol', 'administration'], packages: ['undici'] },
  export: { layers: ['protocol', 'client', 'store', 'records', 'meaning'], packages: ['valibot'] },
  emulator: {
    layers: ['json', 'protocol', 'administration', 'language', 'meaning', 'translate', 'records', 'store'],
    packages: ['@hono/node-server', 'hono', 'jszip', 'valibot'],
  },
  cli: {
    layers: [
      'json',
      'language',
      'meaning',
      'translate',
      'records',
      'protocol',
      'administration',
      'store',
      'seal',
      'analysis',
      'client',
      'export',
      'emulator',
    ],
    packages: ['commander', 'valibot'],
  },
  // The package itself: what a program gets that imports "logquarry".
  index: {
    layers: [
      'language',
      'meaning',
      'translate',
      'records',
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

/** The cycles among files, type imports included; each is told once, from its first file. */
export function cycles(sources: readonly Source[]): string[] {
  const imports = new Map(sources.map((source) => [source.path, ownImports(source)]));
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const at = trail.indexOf(path);
    if (at !== -1) found.push([...trail.slice(at), path].join(' → '));
    if (at !== -1 || done.has(path)) return;
    for (const next of imports.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const { path } of sources) visit(path, []);
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

/** What runs in child processes and looks after them: it neither prints nor ends the process of a caller. */
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
