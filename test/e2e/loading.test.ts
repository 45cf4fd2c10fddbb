import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commands } from '../../src/cli/command-table.ts';

const folder = 'dist/bin';

/** The files of the bundle that are loaded before a command can begin. */
function loadedFor(command: string): Map<string, string> {
  const files = readdirSync(folder);
  const module = files.find((name) => new RegExp(`^${command}-[A-Z0-9]{8}\\.js$`).test(name));
  const loaded = new Map<string, string>();
  const waiting = ['logquarry.js', ...(module ? [module] : [])];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (loaded.has(name)) continue;
    const text = readFileSync(join(folder, name), 'utf8');
    loaded.set(name, text);
    // Imports by a call are for later; minified, the others look like `from"./x.js"` and `import"./x.js"`.
    for (const [, next = ''] of text.matchAll(/(?:from|import)\s?"\.\/([^"]+)"/g)) waiting.push(next);
  }
  return loaded;
}

function holds(loaded: Map<string, string>, text: string): boolean {
  return [...loaded.values()].some((content) => content.includes(text));
}

/** Texts that give away what a file holds. */
const marks = {
  database: '@duckdb/node-api',
  network: 'UND_ERR_',
  server: 'JSZip',
  parser: 'performSelfAnalysis',
};

describe('what a command loads', () => {
  test('the commands are files of their own', () => {
    for (const { spec } of commands)
      expect([spec.name, loadedFor(spec.name).size > 1]).toEqual([spec.name, true]);
  });

  test('help and version load neither the parser nor anything else', () => {
    const loaded = loadedFor('none');
    expect(Object.values(marks).filter((mark) => holds(loaded, mark))).toEqual([]);
  });

  test.each(['check', 'format'])('%s loads the parser, but no database, network or server', (name) => {
    const loaded = loadedFor(name);
    expect(holds(loaded, marks.parser)).toBe(true);
    for (const mark of [marks.database, marks.network, marks.server]) expect(holds(loaded, mark)).toBe(false);
    // What is read at every start has to stay small.
    const size = [...loaded.values()].reduce((sum, content) => sum + content.length, 0);
    expect(size).toBeLessThan(500_000);
  });

  test('search loads the database, but no network', () => {
    const loaded = loadedFor('search');
    expect([holds(loaded, marks.database), holds(loaded, marks.network)]).toEqual([true, false]);
  });

  test('the marks are to be found where they should be', () => {
    expect(holds(loadedFor('export'), marks.network)).toBe(true);
    expect(holds(loadedFor('emulate'), marks.server)).toBe(true);
  });
});
