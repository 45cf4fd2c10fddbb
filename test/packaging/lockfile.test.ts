import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isAllowed, licenceProblems } from '../../packaging/licences.ts';
import { integrityProblems, readLockfile, withIntegrity } from '../../packaging/lockfile.ts';
import { readUnpinned } from '../../packaging/unpinned.ts';

const own = readFileSync('package-lock.json', 'utf8');
const hash = `sha512-${'a'.repeat(86)}==`;

/** A lockfile with one dependency. */
function lockfileWith(entry: object, path = 'node_modules/@scope/one'): string {
  const one = { version: '1.0.0', license: 'MIT', integrity: hash, ...entry };
  return JSON.stringify({ lockfileVersion: 3, packages: { '': { name: 'own' }, [path]: one } });
}

describe('the lockfile of this project', () => {
  test('pins all packages but those that are listed as unpinned', () => {
    expect(integrityProblems(readLockfile(own), readUnpinned())).toEqual([]);
  });

  test('lists as unpinned nothing that Linux on x64 installs', () => {
    expect(readUnpinned().filter((id) => /linux-x64(-gnu)?@/.test(id))).toEqual([]);
  });

  test('names no package that stands under a licence which is not allowed', () => {
    expect(licenceProblems(readLockfile(own))).toEqual([]);
  });

  test('fails the check as soon as any package lacks its integrity', () => {
    const packages = readLockfile(own).filter(({ integrity }) => integrity !== undefined);
    for (const { path } of packages) {
      const broken = packages.map((each) => (each.path === path ? { ...each, integrity: undefined } : each));
      expect(integrityProblems(broken)).toEqual([
        expect.stringContaining(`"${path}" has no SHA-512 integrity`),
      ]);
    }
  });
});

test.each([
  ['a package with its hash', {}, []],
  ['a link', { link: true, integrity: undefined }, []],
  ['the public registry', { resolved: 'https://registry.npmjs.org/@scope/one/-/one-1.0.0.tgz' }, []],
  ['no hash', { integrity: undefined }, ['has no SHA-512 integrity']],
  ['an optional package without a hash', { integrity: undefined, optional: true }, ['has no SHA-512']],
  ['a weak hash', { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }, ['has no SHA-512 integrity']],
  ['another registry', { resolved: 'https://npm.example.com/one.tgz' }, ['another place than the public']],
  [
    'a registry whose name begins alike',
    { resolved: 'https://registry.npmjs.org.example/one.tgz' },
    ['another'],
  ],
  ['a plain connection', { resolved: 'http://registry.npmjs.org/one.tgz' }, ['another place than']],
])('%s: the check says %j', (_, entry, problems) => {
  expect(integrityProblems(readLockfile(lockfileWith(entry)))).toEqual(
    problems.map((part) => expect.stringContaining(part)),
  );
});

test('only an optional package can be listed as unpinned, and only as long as it is', () => {
  const problems = (entry: object) =>
    integrityProblems(readLockfile(lockfileWith(entry)), ['@scope/one@1.0.0']);
  expect(problems({ integrity: undefined, optional: true })).toEqual([]);
  expect(problems({ integrity: undefined })).toHaveLength(2);
  expect(problems({ optional: true })).toEqual([expect.stringContaining('take it off the list')]);
});

test('a hash that is found is written where npm writes it, and nothing else changes', () => {
  const [pinned] = readLockfile(own).filter(({ integrity }) => integrity !== undefined);
  const { path = '', integrity = '' } = pinned ?? {};
  const lacking = own.replace(`      "integrity": "${integrity}",\n`, '');
  expect(lacking).not.toBe(own);
  expect(withIntegrity(lacking, new Map([[path, undefined]]))).toBe(lacking);
  expect(withIntegrity(lacking, new Map([[path, integrity]]))).toBe(own);
});

test.each([
  ['MIT', true],
  ['(MIT OR GPL-3.0-or-later)', true],
  ['GPL-3.0-or-later OR MIT', true],
  ['(MIT AND Zlib)', true],
  ['MIT AND GPL-3.0-or-later', false],
  ['(MIT AND GPL-3.0-or-later) OR Zlib', true],
  ['MIT AND (GPL-3.0-or-later OR AGPL-3.0)', false],
  ['GPL-3.0-or-later', false],
  ['MIT GPL-3.0-or-later', false],
  ['(MIT', false],
  ['MIT)', false],
  ['mit', false],
  ['SEE LICENSE IN LICENSE', false],
  ['UNLICENSED', false],
  ['', false],
])('the licence %j is allowed: %j', (expression, allowed) => {
  expect(isAllowed(expression, ['MIT', 'Zlib'])).toBe(allowed);
});

test('what is shipped needs a licence that tools of development need not have', () => {
  const problems = (entry: object) => licenceProblems(readLockfile(lockfileWith(entry)));
  expect(problems({ license: 'MPL-2.0' })).toEqual([
    '"@scope/one@1.0.0" has the licence "MPL-2.0", which is not allowed for a dependency that is shipped',
  ]);
  expect(problems({ license: 'MPL-2.0', dev: true })).toEqual([]);
  expect(problems({ license: 'AGPL-3.0', dev: true })).toHaveLength(1);
  expect(problems({ license: undefined })).toHaveLength(1);
});
