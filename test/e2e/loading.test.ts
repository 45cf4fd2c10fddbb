import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const folder = 'dist/bin';

/** The files of the bundle that are loaded before a group of commands can begin; without one, before help is shown. */
function loadedFor(group?: 'language' | 'meaning' | 'cases' | 'deployments'): Map<string, string> {
  const module = readdirSync(folder).find((name) => name.startsWith(`${group}-`));
  if (group && !module) throw new Error(`There is no module for ${group}`);
  const loaded = new Map<string, string>();
  const waiting = ['logquarry.js', ...(module ? [module] : [])];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (loaded.has(name)) continue;
    const text = readFileSync(join(folder, name), 'utf8');
    loaded.set(name, text);
    // What a function gives back is for later: `()=>require("./x.js")`.
    for (const [, next = ''] of text.matchAll(/(?<!=>\s?)require\("\.\/([^"]+)"\)/g)) waiting.push(next);
  }
  return loaded;
}

function holds(loaded: Map<string, string>, text: string): boolean {
  return [...loaded.values()].some((content) => content.includes(text));
}

/** Texts that give away what a file holds. */
const marks = {
  database: '@duckdb/node-bindings',
  network: 'UND_ERR_',
  server: 'JSZip',
  parser: 'performSelfAnalysis',
};

describe('what is loaded', () => {
  test('for help and version: neither the parser nor anything else', () => {
    const loaded = loadedFor();
    expect(Object.values(marks).filter((mark) => holds(loaded, mark))).toEqual([]);
  });

  test.each(['language', 'meaning'] as const)(
    'for %s: the parser, but no database, network or server',
    (group) => {
      const loaded = loadedFor(group);
      expect(holds(loaded, marks.parser)).toBe(true);
      for (const mark of [marks.database, marks.network, marks.server])
        expect(holds(loaded, mark)).toBe(false);
      // What is read at every start has to stay small: a quarter of it is the help of all commands.
      const size = [...loaded.values()].reduce((sum, content) => sum + content.length, 0);
      expect(size).toBeLessThan(560_000);
    },
  );

  test('for cases: the database, but no network', () => {
    const loaded = loadedFor('cases');
    expect([holds(loaded, marks.database), holds(loaded, marks.network)]).toEqual([true, false]);
  });

  test('for deployments: all of it', () => {
    const loaded = loadedFor('deployments');
    for (const mark of Object.values(marks)) expect(holds(loaded, mark)).toBe(true);
  });
});
