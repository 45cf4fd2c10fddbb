import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { codeCachePath, openCodeCache } from '../../src/cli/code-cache.ts';
import { loadBundle } from '../../src/cli/load-bundle.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'logquarry-code-'));
  path = join(folder, 'cache', 'search');
  write(
    'main.js',
    'const { sum } = require("./sum.js"); exports.greet = "hello"; exports.answer = sum(1, 2);',
  );
  write(
    'sum.js',
    '"use strict"; const main = require("./main.js"); exports.sum = (a, b) => [main.greet, a + b];',
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

/** Runs the bundle as a process does: what its entry exports. */
function run(cache: string | undefined = path): unknown {
  const code = openCodeCache(cache);
  const exports = loadBundle(folder, 'main.js', code);
  code.save();
  return exports;
}

/** Identifies the stored file: each save makes a new one. */
function stored(): number {
  return statSync(path).ino;
}

const expected = { greet: 'hello', answer: ['hello', 3] };

describe('a bundle', () => {
  test('runs the same with stored code, which stays as it is', () => {
    expect(run()).toEqual(expected);
    const first = stored();
    expect(run()).toEqual(expected);
    expect(stored()).toBe(first);
  });

  test('runs its new text if a file has changed, even to one of the same length', () => {
    run();
    const first = stored();
    write('sum.js', readFileSync(join(folder, 'sum.js'), 'utf8').replace('a + b', 'a - b'));
    expect(run()).toEqual({ ...expected, answer: ['hello', -1] });
    expect(stored()).not.toBe(first);
  });

  test.each<[string, () => void]>([
    ['cut', () => truncateSync(path, 200)],
    ['empty', () => truncateSync(path, 0)],
    [
      'altered',
      () => {
        const bytes = readFileSync(path);
        bytes[bytes.length - 90] = 1 + (bytes.at(-90) ?? 0);
        writeFileSync(path, bytes);
      },
    ],
  ])('replaces a file that is %s', (_, damage) => {
    run();
    damage();
    const damaged = readFileSync(path);
    expect(run()).toEqual(expected);
    expect(readFileSync(path)).not.toEqual(damaged);
  });

  test.runIf(process.getuid?.() === 0)('leaves the code of another user alone', async () => {
    run();
    await chown(path, 12_345, 12_345);
    expect(run()).toEqual(expected);
    expect(statSync(path).uid).toBe(0);
  });

  test('runs where nothing can be stored', () => {
    write('cache', 'a file in the place of the folder');
    expect(run()).toEqual(expected);
    rmSync(join(folder, 'cache'));
    expect(run(undefined)).toEqual(expected);
  });

  test('takes other modules from Node', () => {
    write('main.js', 'exports.join = require("node:path").join;');
    expect(run()).toEqual({ join });
  });
});

describe('the place of the stored code', () => {
  test.skipIf(process.platform === 'win32').each<[string[], NodeJS.ProcessEnv, string | undefined]>([
    [['search', 'a'], { HOME: '/home/u' }, '/home/u/.cache/logquarry/search-'],
    [['search'], { HOME: '/home/u', XDG_CACHE_HOME: '/c' }, '/c/logquarry/search-'],
    [['search'], { HOME: '/home/u', XDG_CACHE_HOME: 'relative' }, '/home/u/.cache/logquarry/search-'],
    [['../../x'], { HOME: '/home/u' }, '/home/u/.cache/logquarry/other-'],
    [[], { HOME: '/home/u' }, '/home/u/.cache/logquarry/other-'],
    [['search'], { HOME: '/home/u', NODE_DISABLE_COMPILE_CACHE: '1' }, undefined],
    [['search'], {}, undefined],
  ])('of %j in %j is %s', (words, environment, start) => {
    const found = codeCachePath(words, environment);
    expect(found).toEqual(start && `${start}${process.version}-${process.arch}`);
  });
});
