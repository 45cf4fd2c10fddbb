import { readFileSync } from 'node:fs';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readEntryPoints } from '../../packaging/entry-points.ts';
import { largeTest } from '../large-test.ts';
import { type Ended, folder, startProgram } from './process.ts';

const entryPoints = readEntryPoints().map(({ module }) => module);

/** The arbitraries of `logquarry/testing` are of a package that its users install. */
const {
  version,
  man: manual,
  devDependencies,
} = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly version: string;
  readonly man: readonly string[];
  readonly devDependencies: Readonly<Record<string, string>>;
};

/** A program that imports every entry point and uses the values and types of some. */
const program = `
${entryPoints.map((name, index) => `import * as entry${index} from '${name}';`).join('\n')}
import { type Case, findLogs, openCase, parse, resolve, type StoredLog } from 'logquarry';
import { type Client, ClientError } from 'logquarry/client';
import { createDeployment } from 'logquarry/emulator';

export const entries = [${entryPoints.map((_, index) => `entry${index}`).join(', ')}];

export async function newest(path: string, text: string): Promise<readonly StoredLog[]> {
  await using incident: Case = await openCase(path, { access: 'read' });
  return await findLogs(incident, resolve(parse(text).query), { limit: 10 });
}

export async function address(client: Client): Promise<string> {
  await using deployment = await createDeployment({ logs: [] });
  const reply: Response = await deployment.fetch(new Request(client.addresses.root));
  if (!reply.ok) throw new ClientError('REFUSED', reply.statusText);
  return reply.url;
}
`;

/** The settings that `tsc --init` would write, except that libraries are checked and no types are seen but those imported. */
const strict = {
  strict: true,
  skipLibCheck: false,
  target: 'es2022',
  module: 'nodenext',
  types: [],
  noEmit: true,
};

const strictest = { ...strict, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };

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
  await npm(
    ['install', ...quick, '--omit=dev', tarball, `fast-check@${devDependencies['fast-check']}`],
    project,
  );
});
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

/** Checks the types of programs that use the installed package. */
async function checkTypes(scripts: readonly string[], compilerOptions: object) {
  const files = scripts.map((_, index) => `program-${index}.ts`);
  for (const [index, file] of files.entries()) await writeFile(join(project, file), scripts[index] ?? '');
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const tsc = join(process.cwd(), 'node_modules/typescript/bin/tsc');
  const { code, out } = await startProgram(process.execPath, [tsc, '-p', project], { cwd: project }).ended;
  return { code, out };
}

function node(script: string): Promise<Ended> {
  return startProgram(process.execPath, ['--input-type=module', '--eval', script], { cwd: project }).ended;
}

describe('the package, installed into an empty folder', () => {
  test('holds what it needs and nothing else', () => {
    const paths = packed.files.map(({ path }) => path);
    const folders = /^(?:dist|docs|grammar|rules|samples)\//;
    expect(paths.filter((path) => !folders.test(path)).toSorted()).toEqual([
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'LICENSE',
      'README.md',
      'RELEASING.md',
      'SECURITY.md',
      'package.json',
      'src/README.md',
    ]);
    expect(paths.filter((path) => path.startsWith('grammar/') && path.endsWith('.ts'))).toEqual([]);
    expect(paths).toContain('dist/bin/logquarry.js');
    expect(paths).toContain('dist/bin/licences.txt');
    expect(paths).toEqual(expect.arrayContaining([...manual]));
    expect(paths).toContain('dist/language.d.ts');
    expect(paths.filter((path) => /\.test\.|\.bench\.|\.tmp/.test(path))).toEqual([]);
  });

  test('has all files that its pages link to', () => {
    const paths = packed.files.map(({ path }) => path);
    const missing = paths.filter((path) => path.endsWith('.md')).flatMap((page) => missingLinks(page, paths));
    expect(missing).toEqual([]);
  });

  test('type-checks in an empty strict project without the types of Node, and so do the examples of its pages', async () => {
    const scripts = [program, ...examples.map(({ script }) => script)];
    expect(await checkTypes(scripts, strict)).toEqual({ code: 0, out: '' });
  });

  largeTest('type-checks with the strictest settings', async () => {
    expect(await checkTypes([program], strictest)).toEqual({ code: 0, out: '' });
  });

  test('says its version', async () => {
    const { code, out } = await startProgram('npx', ['--no-install', 'logquarry', '--version'], {
      cwd: project,
    }).ended;
    expect({ code, out }).toEqual({ code: 0, out: `${version}\n` });
  });

  largeTest('holds the same files if it is packed where nothing was built', async () => {
    const clone = await copySources();
    const words = ['pack', '--json', '--dry-run', '--foreground-scripts=false'];
    const [again] = JSON.parse((await npm(words, clone)).out) as (typeof packed)[];
    expect(again && pathsOf(again)).toEqual(pathsOf(packed));
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

  test('every entry point can be imported', async () => {
    const names = JSON.stringify(entryPoints);
    const script = `for (const name of ${names}) console.log(name, Object.keys(await import(name)).length > 0)`;
    const out = entryPoints.map((name) => `${name} true\n`).join('');
    expect(await node(script)).toMatchObject({ code: 0, out });
  });
});

/** The paths of a package, without the parts of names that come from the bytes of a file. */
function pathsOf({ files }: typeof packed): readonly string[] {
  return files.map(({ path }) => path.replace(/-[\w-]{8}\.js$/, '.js')).toSorted();
}

/** Links of a page to files that the package lacks. Tests are in the repository alone. */
function missingLinks(page: string, paths: readonly string[]): readonly string[] {
  const links = readFileSync(page, 'utf8').matchAll(/\]\((?!\w+:)([^)#\s]+)/g);
  return [...links]
    .map(([, link = '']) => posix.join(posix.dirname(page), link))
    .filter((link) => !link.startsWith('test/'))
    .filter((link) => !paths.some((path) => path === link || path.startsWith(`${link}/`)))
    .map((link) => `${page} links to ${link}`);
}

/** A folder with the sources of the package, the dependencies, and nothing that was built. Returns its path. */
async function copySources(): Promise<string> {
  const clone = join(here.path, 'clone');
  const words = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const { out } = await startProgram('git', words, { cwd: process.cwd() }).ended;
  for (const path of out.split('\n').filter((each) => each !== '')) {
    await mkdir(join(clone, dirname(path)), { recursive: true });
    await cp(path, join(clone, path));
  }
  await symlink(join(process.cwd(), 'node_modules'), join(clone, 'node_modules'));
  return clone;
}

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
