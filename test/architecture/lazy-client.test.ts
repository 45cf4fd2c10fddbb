import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const bundle = 'dist/bin';

/** The files of the bundle that one of them loads with itself; what a call loads on demand is left out. */
function closure(file: string): ReadonlySet<string> {
  const found = new Set([file]);
  for (const each of found)
    for (const [, loaded = ''] of readFileSync(join(bundle, each), 'utf8').matchAll(
      /(?<!then\(\(\)=>)\brequire\(["'`]\.\/([^"'`]+)["'`]\)/g,
    ))
      found.add(loaded);
  return found;
}

test('the client of ClickHouse is loaded by commands of clusters alone, and otherwise for an address', () => {
  const files = readdirSync(bundle).filter((name) => name.endsWith('.js'));
  const clients = files.filter((name) => readFileSync(join(bundle, name), 'utf8').includes('clickhouse-js'));
  expect(clients).toHaveLength(1);
  const loading = files.filter((name) => clients.some((client) => closure(name).has(client)));
  expect(loading.length).toBeGreaterThan(1);
  expect(loading.filter((name) => /^(?:main\b|.*-commands-)/.test(name))).toEqual([]);
  // The reading of the bundle finds what is loaded.
  expect(closure('main.js').size).toBeGreaterThan(5);
});
