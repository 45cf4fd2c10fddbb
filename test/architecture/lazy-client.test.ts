import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

/** Modules that a module loads with itself: imports of types alone and dynamic ones are left out. */
function loadedBy(path: string): readonly string[] {
  const text = readFileSync(path, 'utf8');
  const statements = text.matchAll(
    /^(?:import|export)\s+(?<names>type\s|[^;'"]*?)[^;'"]*?from\s+'(?<from>[^']+)'/gm,
  );
  return [...statements].flatMap(({ 0: statement, groups }) => {
    const { from = '' } = groups ?? {};
    const names = /\{(?<list>[^}]*)\}/.exec(statement)?.groups?.list;
    const isTypeAlone =
      /^(?:import|export)\s+type\s/.test(statement) ||
      names?.split(',').every((name) => name.trim() === '' || name.trim().startsWith('type '));
    return isTypeAlone ? [] : [from.startsWith('.') ? join(dirname(path), from) : from];
  });
}

/** All modules and packages that are loaded with a module. */
function closure(path: string): ReadonlySet<string> {
  const found = new Set([path]);
  for (const each of found)
    if (each.startsWith('src/')) for (const loaded of loadedBy(each)) found.add(loaded);
  return found;
}

const modules = readdirSync('src/cli/commands', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => join('src/cli/commands', name));

test('the client of ClickHouse is loaded by commands of clusters alone, and otherwise for an address', () => {
  const loading = modules.filter((path) => closure(path).has('@clickhouse/client'));
  expect(loading).toEqual(['src/cli/commands/clusters/cluster.ts']);
  expect(closure('src/cli/main.ts')).not.toContain('@clickhouse/client');
  expect(closure('src/index.ts')).not.toContain('@clickhouse/client');
  // The reading of imports finds those of other packages.
  expect(closure('src/cli/commands/cases/import.ts')).toContain('@duckdb/node-api');
  expect(closure('src/cli/cluster/loading/import-to-cluster.ts')).toContain('@clickhouse/client');
});
