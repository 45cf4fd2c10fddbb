import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { integrityProblems, readLockfile, withIntegrity } from './lockfile.ts';

// Asks the registry for the integrity of every package that the lockfile does not pin, and writes it there.
const path = 'package-lock.json';
const text = readFileSync(path, 'utf8');
const lacking = readLockfile(text).filter((one) => 0 < integrityProblems([one]).length);
const found = new Map(lacking.map((one) => [one.path, integrityOf(one.id)]));
const missing = lacking.filter((one) => found.get(one.path) === undefined).map(({ id }) => id);
writeFileSync(path, withIntegrity(text, found));
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
