import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { declaredNames, type NamedCode, namedCode } from './named-code.ts';

/** The pages that lead through the code, and the folder that their paths start from. */
const pages = [
  { page: 'CONTRIBUTING.md', base: '.' },
  { page: 'src/README.md', base: 'src' },
];

/** All declarations of the sources, with their files. */
const declarations = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .flatMap((path) => declaredNames(readFileSync(join('src', path), 'utf8')).map((name) => ({ path, name })));

describe.each(pages)('$page', ({ page, base }) => {
  // Other paths without a declaration are relative to a layer, or are not kept in the repository.
  const named = namedCode(readFileSync(page, 'utf8')).filter(
    ({ path, name }) => name !== undefined || /^(?:src|test|docs|packaging)\//.test(path),
  );

  test('names files and what they declare', () => {
    expect(named.length).toBeGreaterThan(20);
    expect(named.flatMap((each) => problemOf(each, base))).toEqual([]);
  });
});

/** A sentence on code that is not where a page says; where it is now, if its name is known. */
function problemOf({ path, name }: NamedCode, base: string): readonly string[] {
  const elsewhere = declarations.filter((each) => each.name === name).map((each) => each.path);
  const hint = elsewhere.length === 0 ? '' : `; \`${name}\` is in ${elsewhere.join(', ')}`;
  if (name === undefined && existsSync(path)) return [];
  if (!existsSync(join(base, path))) return [`\`${path}\` does not exist${hint}`];
  if (name === undefined) return [];
  const declared = declaredNames(readFileSync(join(base, path), 'utf8'));
  if (declared.includes(name)) return [];
  return [`\`${path}\` does not declare \`${name}\`, but ${declared.join(', ')}${hint}`];
}

describe('what a page names', () => {
  test('is read from backticks, with or without a declaration', () => {
    expect(namedCode('1. `a/b.ts` → `c` and `d/e.ts`; the folder `f/`, `npm test` and `g`.')).toEqual([
      { path: 'a/b.ts', name: 'c' },
      { path: 'd/e.ts', name: undefined },
      { path: 'f/', name: undefined },
    ]);
  });

  test('is missing if it was renamed or moved', () => {
    expect(problemOf({ path: 'language/parse/lex.ts', name: 'quoted' }, 'src')[0]).toMatch(/but .*\bquote\b/);
    expect(problemOf({ path: 'language/gone.ts', name: 'parse' }, 'src')).toEqual([
      '`language/gone.ts` does not exist; `parse` is in language/parse/parse.ts',
    ]);
  });
});
