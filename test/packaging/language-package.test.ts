import { readdirSync, readFileSync, statSync } from 'node:fs';
import { cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeTemporaryFolder } from '../../src/database/files.ts';
import { openChromium, openContext } from '../browser/chromium.ts';
import { startProgram } from '../e2e/process.ts';

const source = 'packaging/language';
const readme = readFileSync(join(source, 'README.md'), 'utf8');

/** The examples of the README, each with what it prints according to its comments. */
const examples = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map(([, script = '']) => ({
  script,
  printed: [...script.matchAll(/^console\.log\(.*\); \/\/ (.*)$/gm)].map(([, text]) => text ?? ''),
}));

/** All that an installation has: the package, and chevrotain with what that needs. */
const dependencies = ['chevrotain', '@chevrotain', 'lodash-es'];

let project: string;

beforeAll(async () => {
  project = await makeTemporaryFolder();
  const modules = join(project, 'node_modules');
  await mkdir(join(modules, '@logquarry'), { recursive: true });
  await cp(source, join(modules, '@logquarry/language'), { recursive: true });
  for (const name of dependencies)
    await symlink(join(process.cwd(), 'node_modules', name), join(modules, name));
  await writeFile(join(project, 'package.json'), '{"name":"project","private":true,"type":"module"}');
});
afterAll(() => rm(project, { recursive: true }));

const manifests = ['package.json', join(source, 'package.json')].map((path) =>
  JSON.parse(readFileSync(path, 'utf8')),
);

test('the package has the version of the whole, and its chevrotain and nothing else', () => {
  const [whole, language] = manifests;
  expect(language.version).toBe(whole.version);
  expect(language.engines).toEqual(whole.engines);
  expect(language.dependencies).toEqual({ chevrotain: whole.dependencies.chevrotain });
});

test('what is installed is smaller than 5 MB', () => {
  const folders = [join(source, 'dist'), ...dependencies.map((name) => join('node_modules', name))];
  const bytes = folders.map(sizeOf).reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeGreaterThan(500_000);
  expect(bytes).toBeLessThan(5_000_000);
});

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

describe('the examples of its README', () => {
  test('are five', () => {
    expect(examples).toHaveLength(5);
    for (const { printed } of examples) expect(printed).not.toEqual([]);
  });

  test('compile in an empty strict project', async () => {
    for (const [index, { script }] of examples.entries())
      await writeFile(join(project, `example-${index}.ts`), script);
    // The library of the browser takes seconds to check.
    await writeFile(join(project, 'console.d.ts'), 'declare const console: { log(value: unknown): void };');
    const compilerOptions = {
      strict: true,
      skipLibCheck: false,
      noEmit: true,
      types: [],
      target: 'es2022',
      module: 'nodenext',
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      lib: ['es2022'],
    };
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    const compiler = join(process.cwd(), 'node_modules/typescript/bin/tsc');
    const { code, out } = await startProgram(process.execPath, [compiler, '-p', project], { cwd: project })
      .ended;
    expect({ code, out }).toEqual({ code: 0, out: '' });
  });

  test('print what they say in Node', async () => {
    // One process runs all of them, each in a block of its own.
    const script = examples.map((example) => `{${inBlock(example.script)}}`).join('\n');
    const words = ['--input-type=module', '--eval', script];
    const { code, out, err } = await startProgram(process.execPath, words, { cwd: project }).ended;
    expect({ code, err, out: out.trimEnd().split('\n') }).toEqual({
      code: 0,
      err: '',
      out: examples.flatMap(({ printed }) => printed),
    });
  });
});

function inBlock(script: string): string {
  return script.replace(/^import (.*) from (.*);$/gm, 'const $1 = await import($2);');
}

const browser = await openChromium();

if ('missing' in browser) {
  test(`the examples in a browser are left out: ${browser.missing}`, ({ skip }) => skip());
} else {
  afterAll(() => browser.close());
  test('the examples of its README print what they say in a browser', async () => {
    await writeFile(join(project, 'browser.js'), `export * from '@logquarry/language';\n`);
    const bundle = await rolldown({ input: join(project, 'browser.js'), cwd: project, platform: 'browser' });
    const { output } = await bundle.generate({ format: 'iife', name: 'language' });
    await bundle.close();
    const page = await (await openContext(browser)).newPage();
    const printed: string[] = [];
    page.on('console', (message) => printed.push(message.text()));
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    await page.addScriptTag({ content: output[0].code });
    for (const { script } of examples)
      await page.addScriptTag({
        content: `{${script.replace(/^import (.*) from .*;$/gm, 'const $1 = language;')}}`,
      });
    expect(errors).toEqual([]);
    expect(printed).toEqual(examples.flatMap((example) => example.printed));
  });
}
