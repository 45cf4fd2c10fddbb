import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { largeTest } from '../large-test.ts';
import { type Ended, folder, startProgram } from './process.ts';

/** What the package says can be imported from it. */
const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as { exports: Record<string, unknown> };
const entryPoints = Object.keys(exports)
  .filter((name) => name !== './package.json')
  .map((name) => name.replace('.', 'logquarry'));

/** Installing fetches the dependencies where they are not at hand. Milliseconds. */
const patience = 300_000;

let here: Awaited<ReturnType<typeof folder>>;
let project: string;
let packed: { readonly filename: string; readonly files: readonly { readonly path: string }[] };

beforeAll(async () => {
  here = await folder();
  project = join(here.path, 'project');
  await mkdir(project);
  await writeFile(join(project, 'package.json'), '{"name":"project","private":true,"type":"module"}');
  const pack = await npm(
    ['pack', '--json', '--ignore-scripts', '--pack-destination', here.path],
    process.cwd(),
  );
  [packed] = JSON.parse(pack.out);
  const tarball = join(here.path, packed.filename);
  const quick = ['--prefer-offline', '--fetch-timeout=20000', '--no-audit', '--no-fund'];
  await npm(['install', ...quick, '--omit=dev', tarball], project);
}, patience);
afterAll(async () => here[Symbol.asyncDispose]());

async function npm(words: readonly string[], cwd: string): Promise<Ended> {
  // The settings of who runs the tests say where the registry is.
  const ended = await startProgram('npm', words, { cwd, environment: withoutPackage(process.env) }).ended;
  if (ended.code !== 0) throw new Error(`npm ${words.join(' ')}: ${ended.err}`);
  return ended;
}

/** The environment without what npm has put there about the package that is tested. */
function withoutPackage(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value = '']) =>
      name.startsWith('npm_package') ? [] : [[name, value]],
    ),
  );
}

function node(script: string): Promise<Ended> {
  return startProgram(process.execPath, ['--input-type=module', '--eval', script], { cwd: project }).ended;
}

describe('the package, installed into an empty folder', () => {
  test('holds what it needs and nothing else', () => {
    const paths = packed.files.map(({ path }) => path);
    expect(paths.filter((path) => !path.startsWith('dist/')).toSorted()).toEqual([
      'LICENSE',
      'README.md',
      'package.json',
    ]);
    expect(paths).toContain('dist/bin/logquarry.js');
    expect(paths).toContain('dist/bin/licences.txt');
    expect(paths).toContain('dist/language/index.d.ts');
    expect(paths.filter((path) => /\.test\.|\.bench\.|\.tmp/.test(path))).toEqual([]);
  });

  test('answers as a program', async () => {
    const words = ['--no-install', 'logquarry', 'check', 'msg:"timed out" AND (logCode:[9000 TO 9999]'];
    const { code, out } = await startProgram('npx', words, { cwd: project }).ended;
    expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('[unclosed-group]') });
  });

  largeTest('runs the demo', async () => {
    const { code, out } = await startProgram('npx', ['--no-install', 'logquarry', 'demo'], { cwd: project })
      .ended;
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('Try next') });
  });

  test.each(entryPoints)('%s can be imported', async (name) => {
    expect(await node(`console.log(Object.keys(await import('${name}')).length > 0)`)).toMatchObject({
      code: 0,
      out: 'true\n',
    });
  });
});

/** The pages with examples in JavaScript. */
const pages = ['README.md', 'docs/administration.md', 'grammar/language.md']
  .map((path) => readFileSync(path, 'utf8'))
  .join('');

/** The examples, each with what it prints according to its comments. */
const examples = [...pages.matchAll(/```js\n([\s\S]*?)```/g)].map(([, script = '']) => ({
  script,
  printed: [...script.matchAll(/^console\.log\(.*\); \/\/ (.*)$/gm)].map(([, text]) => `${text}\n`).join(''),
}));

describe('the examples of the README and the manual', () => {
  test('are there', () => {
    expect(examples.length).toBeGreaterThanOrEqual(4);
  });

  test.each(examples)('$printed', async ({ script, printed }) => {
    expect(printed).not.toBe('');
    expect(await node(script)).toMatchObject({ err: '', code: 0, out: printed });
  });
});
