import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { licencesPage } from '../../packaging/licences.ts';
import { readLockfile } from '../../packaging/lockfile.ts';

// `npm run docs` writes the page where it differs.
test('the licences of all dependencies are listed', async () => {
  const packages = readLockfile(readFileSync('package-lock.json', 'utf8'));
  await expect(licencesPage(packages)).toMatchFileSnapshot('../../docs/licences.md');
});
