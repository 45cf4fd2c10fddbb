import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cycles, folderCycles, layers, layerViolations, type Source } from './layers.ts';

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
      .flatMap(({ text }) => text.match(/^.*from '[./]+\/server\/.*$/gm) ?? []);
    expect(imports.length).toBeGreaterThan(0);
    expect(imports.filter((line) => !line.startsWith('import type '))).toEqual([]);
  });

  test('have no cycle of folders', () => {
    expect(folderCycles(sources)).toEqual([]);
  });

  test('stream rows in the one way that notices where the database fails', () => {
    const streaming = sources.filter(({ text }) => /[cC]onnection\.stream\(/.test(text));
    expect(streaming.map(({ path }) => path)).toEqual(['src/database/rows.ts']);
  });

  test('are at most two folders deep', () => {
    expect(sources.filter(({ path }) => 4 < path.split('/').length).map(({ path }) => path)).toEqual([]);
  });

  test('have a door and a page for each package', () => {
    const files = new Set(readdirSync('src', { recursive: true, encoding: 'utf8' }));
    const wanted = Object.keys(layers).flatMap((name) => [`${name}/README.md`, `${name}/index.ts`]);
    // Nobody imports the program and the page: they are started.
    const started = ['page/index.ts', 'cli/index.ts'];
    expect(wanted.filter((path) => !files.has(path) && !started.includes(path))).toEqual([]);
  });

  test('are in packages that src/README.md explains, and the other way round', () => {
    const readme = readFileSync('src/README.md', 'utf8');
    const explained = [...readme.matchAll(/^\| `([\w-]+)\/` /gm)].map(([, name]) => name);
    expect(explained).toEqual(Object.keys(layers));
  });
});

describe('what the rules find', () => {
  test.each([
    [
      'src/language/parse/a.ts',
      `import { x } from '../../records/index.ts';`,
      'language may not know records',
    ],
    ['src/export/a.ts', `export * from '../case/file/case.ts';`, 'it is past the door of case'],
    ['src/emulator/a.ts', `import type { X } from '../client/index.ts';`, 'emulator may not know client'],
    ['src/case/a.ts', `const { x } = await import('../cli/b.ts');`, 'case may not know cli'],
    ['src/case/sql/a.ts', `import { x } from '../index.ts';`, 'the door of its own package'],
    ['src/protocol/a.ts', `import { readFile } from 'node:fs';`, 'protocol does no input or output'],
    ['src/records/a.ts', `import 'undici';`, 'records does without this package'],
    ['src/client/a.ts', `import { x } from '../../test/client/b.ts';`, 'it is outside src'],
    ['src/things/a.ts', '', 'is in "things", which is no package'],
    ['src/case/a.ts', `console.log('a');`, 'only cli prints and exits'],
    ['src/export/a.ts', 'process.exit(1);', 'only cli prints and exits'],
    ['src/case/a.ts', 'process.kill(1, 9);', 'only cli prints and exits'],
    ['src/records/a.ts', `const a = Buffer.from('a');`, 'records runs in a browser'],
    ['src/language/a.ts', 'const a = process;', 'language runs in a browser'],
    ['src/page/a.tsx', `import { x } from '../case/index.ts';`, 'page may not know case'],
  ])('%s: %s', (path, text, problem) => {
    const [violation, ...others] = layerViolations([{ path, text }]);
    expect(violation).toContain(problem);
    expect(others).toEqual([]);
  });

  test.each([
    ['src/case/a.ts', `import { readFile } from 'node:fs';`],
    ['src/case/a.ts', `import { x } from '../language/index.ts';`],
    ['src/language/meaning/a.ts', `import { object } from 'valibot';`],
    ['src/language/a.ts', `const text = "import 'node:fs'"; // import 'node:fs'`],
    ['src/records/a.ts', 'const a = { process: 1 }; a.process; interface B { process: string }'],
    ['src/cli/a.ts', 'process.exit(1);'],
    ['src/case/a.ts', 'process.kill(1, 0);'],
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
