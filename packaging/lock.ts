import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import * as v from 'valibot';
import { integrityProblems, readLockfile } from './lockfile.ts';

// Asks the registry for the integrity of every package that the lockfile does not pin, and writes it there.
const path = 'package-lock.json';
const text = readFileSync(path, 'utf8');
const lock = v.parse(v.looseObject({ packages: v.record(v.string(), v.looseObject({})) }), JSON.parse(text));
const missing: string[] = [];
for (const one of readLockfile(text)) {
  if (integrityProblems([one]).length === 0) continue;
  const integrity = integrityOf(one.id);
  const { version, ...rest } = lock.packages[one.path] ?? {};
  if (integrity === undefined) missing.push(one.id);
  else lock.packages[one.path] = { version, integrity, ...rest };
}
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
writeFileSync('packaging/unpinned.json', `${JSON.stringify(missing, null, 2)}\n`);
for (const id of missing) console.error(`The registry does not offer ${id}: it stays unpinned`);

/** The integrity that the registry states for `name@version`; undefined where it lacks the package. */
function integrityOf(id: string): string | undefined {
  try {
    const words = ['view', id, 'dist.integrity'];
    return (
      execFileSync('npm', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim() ||
      undefined
    );
  } catch {
    return undefined;
  }
}
