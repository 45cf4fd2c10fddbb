import { readFileSync } from 'node:fs';
import { licenceProblems } from './licences.ts';
import { integrityProblems, readLockfile } from './lockfile.ts';
import { readUnpinned } from './unpinned.ts';

// A release is refused while anything is unpinned; the work on the sources goes on.
const unpinned = process.argv.includes('--release') ? [] : readUnpinned();
const packages = readLockfile(readFileSync('package-lock.json', 'utf8'));
const problems = [...integrityProblems(packages, unpinned), ...licenceProblems(packages)];
for (const problem of problems) console.error(`package-lock.json: ${problem}`);
if (0 < problems.length) process.exitCode = 1;
