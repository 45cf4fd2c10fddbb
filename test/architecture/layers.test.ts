import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cycles, folderCycles, folderImports, layers, layerViolations, type Source } from './layers.ts';

const sources: readonly Source[] = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => join('src', path).replaceAll('\\', '/'))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

describe('the sources', () => {
  test('keep to their layers', () => {
    expect(sources.length).toBeGreaterThan(100);
    expect(layerViolations(sources)).toEqual([]);
  });

  test('have no cycle, not even of types', () => {
    expect(cycles(sources)).toEqual([]);
  });

  test('of the page import types alone from its server', () => {
    const imports = sources
      .filter(({ path }) => path.startsWith('src/page/'))
      .flatMap(({ text }) => text.match(/^.*from '[./]+\/ui\/.*$/gm) ?? []);
    expect(imports.length).toBeGreaterThan(0);
    expect(imports.filter((line) => !line.startsWith('import type '))).toEqual([]);
  });

  test('have no cycle of folders', () => {
    expect(folderCycles(sources)).toEqual([]);
  });

  test('of the store import only folders that src/README.md lists before theirs', () => {
    const readme = readFileSync('src/README.md', 'utf8');
    const order = [...readme.matchAll(/^\| `(store\/[\w-]+)\/` /gm)].map(([, name]) => `src/${name}`);
    const folders = new Set(sources.map(({ path }) => /^src\/store\/[^/]+(?=\/)/.exec(path)?.[0]));
    expect(order.toSorted()).toEqual([...folders].filter((folder) => folder !== undefined).sort());
    const inside = folderImports(sources.filter(({ path }) => path.startsWith('src/store/')));
    const room = (folder: string) => folder.split('/').slice(0, 3).join('/');
    const upward = inside.filter(([from, to]) => order.indexOf(room(from)) < order.indexOf(room(to)));
    expect(upward).toEqual([]);
  });

  test('stream rows in the one way that notices where the database fails', () => {
    const streaming = sources.filter(({ text }) => /[cC]onnection\.stream\(/.test(text));
    expect(streaming.map(({ path }) => path)).toEqual(['src/store/database/stream-rows.ts']);
  });

  test('are in folders of 24 files at most', () => {
    const folders = new Map<string, number>();
    for (const { path } of sources) folders.set(dirname(path), (folders.get(dirname(path)) ?? 0) + 1);
    expect([...folders].filter(([, files]) => 24 < files)).toEqual([]);
  });

  test('are short', () => {
    const long = sources.filter(({ text }) => 400 < text.split('\n').length);
    expect(long.map(({ path }) => path)).toEqual([]);
  });

  test('are in layers that src/README.md explains, and the other way round', () => {
    const readme = readFileSync('src/README.md', 'utf8');
    const explained = [...readme.matchAll(/^\| `(\w+)\/` /gm)].map(([, name]) => name);
    expect(explained).toEqual(Object.keys(layers).filter((name) => name !== 'index' && name !== 'query'));
  });
});

describe('what the rules find', () => {
  test.each([
    ['src/language/a.ts', `import { x } from '../meaning/b.ts';`, 'language may not know meaning'],
    ['src/meaning/a.ts', `export * from '../records/b.ts';`, 'meaning may not know records'],
    ['src/emulator/a.ts', `import type { X } from '../client/b.ts';`, 'emulator may not know client'],
    ['src/store/a.ts', `const { x } = await import('../cli/b.ts');`, 'store may not know cli'],
    ['src/protocol/a.ts', `import { readFile } from 'node:fs';`, 'protocol does no input or output'],
    ['src/records/a.ts', `import 'undici';`, 'records does without this package'],
    ['src/client/a.ts', `import { x } from '../../test/client/b.ts';`, 'it is outside src'],
    ['src/things/a.ts', '', 'is in "things", which is no layer'],
    ['src/store/a.ts', `console.log('a');`, 'only cli prints and exits'],
    ['src/export/a.ts', 'process.exit(1);', 'only cli prints and exits'],
    ['src/store/a.ts', 'process.kill(1, 9);', 'only cli prints and exits'],
    ['src/records/a.ts', `const a = Buffer.from('a');`, 'records runs in a browser'],
    ['src/language/a.ts', 'const a = process;', 'language runs in a browser'],
    ['src/page/a.tsx', `import { x } from '../store/b.ts';`, 'page may not know store'],
  ])('%s: %s', (path, text, problem) => {
    const [violation, ...others] = layerViolations([{ path, text }]);
    expect(violation).toContain(problem);
    expect(others).toEqual([]);
  });

  test.each([
    ['src/store/a.ts', `import { readFile } from 'node:fs';`],
    ['src/store/a.ts', `import { x } from '../translate/b.ts';`],
    ['src/meaning/a.ts', `import { object } from 'valibot';`],
    ['src/language/a.ts', `const text = "import 'node:fs'"; // import 'node:fs'`],
    ['src/records/a.ts', 'const a = { process: 1 }; a.process; interface B { process: string }'],
    ['src/cli/a.ts', 'process.exit(1);'],
    ['src/store/a.ts', 'process.kill(1, 0);'],
  ])('nothing in %s: %s', (path, text) => {
    expect(layerViolations([{ path, text }])).toEqual([]);
  });

  test('a cycle over three files', () => {
    const found = cycles([
      { path: 'src/a/a.ts', text: `import './b.ts';` },
      { path: 'src/a/b.ts', text: `import type { C } from '../b/c.ts';` },
      { path: 'src/b/c.ts', text: `export * from '../a/a.ts';` },
    ]);
    expect(found).toEqual(['src/a/a.ts → src/a/b.ts → src/b/c.ts → src/a/a.ts']);
  });

  test('a cycle of folders whose files have none', () => {
    const found = folderCycles([
      { path: 'src/a/a.ts', text: `import '../b/b.ts';` },
      { path: 'src/b/b.ts', text: '' },
      { path: 'src/b/index.ts', text: `export * from './c.ts';` },
      { path: 'src/b/c.ts', text: `import type { D } from '../a/d.ts';` },
      { path: 'src/a/d.ts', text: '' },
    ]);
    expect(found).toEqual(['src/a → src/b → src/a']);
  });
});
