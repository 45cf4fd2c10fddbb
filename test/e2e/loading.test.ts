import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const folder = 'dist/bin';

/** Modules of the bundle that are loaded on demand: the list of all commands, and groups of commands. */
type Demanded = 'command-table' | 'language' | 'meaning' | 'complete' | 'cases' | 'deployments';

/** The files of the bundle that are loaded with a module, before its commands begin. */
function loadedFor(group: Demanded): Map<string, string> {
  const module = readdirSync(folder).find((name) => name.startsWith(`${group}-`));
  if (!module) throw new Error(`There is no module for ${group}`);
  const loaded = new Map<string, string>();
  const waiting = ['main.js', module];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (loaded.has(name)) continue;
    const text = readFileSync(join(folder, name), 'utf8');
    loaded.set(name, text);
    // The result of a function is for later: `()=>require("./x.js")`.
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
  commands: 'Run the reference deployment on this machine',
};

describe('what is loaded', () => {
  test('for help and version: neither the parser nor anything else', () => {
    const loaded = loadedFor('command-table');
    expect(Object.values(marks).filter((mark) => holds(loaded, mark))).toEqual([marks.commands]);
  });

  test.each(['language', 'meaning', 'complete'] as const)(
    'for %s: the parser, but no database, network, server or other commands',
    (group) => {
      const loaded = loadedFor(group);
      expect(holds(loaded, marks.parser)).toBe(true);
      for (const mark of [marks.database, marks.network, marks.server, marks.commands])
        expect(holds(loaded, mark)).toBe(false);
      // This is read at every start.
      const size = [...loaded.values()].reduce((sum, content) => sum + content.length, 0);
      expect(size).toBeLessThan(490_000);
    },
  );

  test('for cases: the database, but no network', () => {
    const loaded = loadedFor('cases');
    expect([holds(loaded, marks.database), holds(loaded, marks.network)]).toEqual([true, false]);
  });

  test('by require alone: scripts with stored code have no import()', () => {
    const names = readdirSync(folder).filter((name) => name.endsWith('.js'));
    const texts = names.map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(texts.filter((text) => /(?<![.\w$])import\(/.test(text))).toEqual([]);
  });

  test('for deployments: all of it', () => {
    const loaded = loadedFor('deployments');
    for (const mark of [marks.database, marks.network, marks.server, marks.parser])
      expect(holds(loaded, mark)).toBe(true);
  });
});
