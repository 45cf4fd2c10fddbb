import { describe, expect, test } from 'vitest';
import { parse } from '../../src/language/parse/parse.ts';
import { maxDepth, print } from '../../src/language/parse/tree.ts';

describe('texts of any size', () => {
  test.each([
    ['open parentheses', '('.repeat(100_000)],
    ['closing parentheses', ')'.repeat(100_000)],
    ['pairs within each other', '('.repeat(50_000) + ')'.repeat(50_000)],
    ['clauses', 'ab:c AND '.repeat(100_000)],
    ['quotation marks', '"'.repeat(100_001)],
    ['escaped quotation marks in a range', `["${'\\"'.repeat(100_000)}`],
    ['slashes', '/\\'.repeat(100_001)],
    ['backslashes', '\\'.repeat(100_001)],
    ['brackets', '['.repeat(100_000)],
    ['tildes', '~'.repeat(100_000)],
    ['one long word', 'a'.repeat(1_000_000)],
    ['colons', 'a:'.repeat(100_000)],
    ['phrases and colons', 'x:"y":'.repeat(50_000)],
  ])('%s print back and are refused or accepted without a throw', (_title, text) => {
    const { query, findings } = parse(text);
    expect(print(query)).toBe(text);
    expect(Array.isArray(findings)).toBe(true);
  });
});

test('groups as deep as can be are read where half of the stack is used up', () => {
  const text = `${'a OR NOT b AND f:('.repeat(maxDepth)}a${')'.repeat(maxDepth)}`;
  let depth = 1000;
  while (canGo(depth)) depth *= 1.2;
  expect(goDown(0.5 * depth, () => parse(text).findings)).toEqual([]);
});

function canGo(depth: number): boolean {
  try {
    return goDown(depth, () => true);
  } catch {
    return false;
  }
}

/** Does something that many calls down. */
function goDown<T>(depth: number, work: () => T): T {
  return depth < 1 ? work() : goDown(depth - 1, work);
}
