import { readdir } from 'node:fs/promises';
import { posix } from 'node:path';

/** True if a path has the special characters of a pattern: `*`, `?` or `{`. */
export function isGlob(path: string): boolean {
  return /[*?{]/.test(path);
}

/**
 * Lists the files that match a pattern, sorted. `*` and `?` match within a name, `**` any number of
 * folders, `{a,b}` either. Hidden names and `node_modules` match only where the pattern names them.
 * Slashes separate folders on every system.
 */
export async function matchFiles(pattern: string): Promise<string[]> {
  const args = pattern.split('/');
  const fixed = args.slice(
    0,
    args.findIndex((name) => isGlob(name)),
  );
  const base = fixed.join('/') || (pattern.startsWith('/') ? '/' : '');
  const test = patternTest(posix.normalize(pattern));
  const named = new Set(args.filter((name) => !isGlob(name)));
  const found: string[] = [];
  for await (const path of filesBelow(base, named)) if (test.test(path)) found.push(path);
  return found.sort();
}

/** Lists all files below a folder whose names end in `suffix`, sorted; hidden folders and `node_modules` are left out. */
export async function listFiles(folder: string, suffix: string): Promise<string[]> {
  const found: string[] = [];
  for await (const path of filesBelow(folder)) if (path.endsWith(suffix)) found.push(path);
  return found.sort();
}

async function* filesBelow(folder: string, named: ReadonlySet<string> = new Set()): AsyncGenerator<string> {
  for (const entry of await readdir(folder || '.', { withFileTypes: true })) {
    const { name } = entry;
    if ((name.startsWith('.') || name === 'node_modules') && !named.has(name)) continue;
    const path = posix.join(folder, name);
    // Links to folders are not followed: they could lead in a circle.
    if (entry.isDirectory()) yield* filesBelow(path, named);
    else if (entry.isFile() || entry.isSymbolicLink()) yield path;
  }
}

/**
 * Creates a test of names by patterns: those that match one of `include`, or any if there is none, and none of `exclude`.
 * A pattern without a slash is for the last name of a path, others for a whole path.
 */
export function nameFilter({
  include = [],
  exclude = [],
}: {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}): (path: string) => boolean {
  const [included, excluded] = [include.map(nameTest), exclude.map(nameTest)];
  return (path) =>
    (included.length === 0 || included.some((test) => test(path))) && !excluded.some((test) => test(path));
}

function nameTest(pattern: string): (path: string) => boolean {
  const test = patternTest(pattern);
  return pattern.includes('/')
    ? (path) => test.test(path)
    : (path) => test.test(path.slice(path.lastIndexOf('/') + 1));
}

/** The regular expression of a pattern. Braces do not nest; one that is not closed is a plain character. */
function patternTest(pattern: string): RegExp {
  const parts = pattern.matchAll(/\*\*\/|\*\*|\*|\?|\{[^{}]*\}|[\s\S]/gu);
  return new RegExp(`^${[...parts].map(([part]) => expressionOf(part)).join('')}$`, 'u');
}

function expressionOf(part: string): string {
  if (part === '**/') return '(?:[^/]+/)*';
  if (part === '**') return '.*';
  if (part === '*') return '[^/]*';
  if (part === '?') return '[^/]';
  if (part.length < 2 || !part.startsWith('{')) return part.replace(/[\\^$.*+?()[\]{}|/]/u, '\\$&');
  const choices = part.slice(1, -1).split(',');
  return `(?:${choices.map((choice) => [...choice].map(expressionOf).join('')).join('|')})`;
}
