import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readRules } from '../../src/cli/input/read-rules.ts';

// `npm run docs` writes the page where it differs.
test('the rules of the package are listed as they are', async () => {
  const page = readFileSync('docs/rules.md', 'utf8');
  const { rules } = await readRules();
  const rows = rules.map(
    ({ title, level, description }) => `| ${title} | ${level} | ${description?.trim()} |`,
  );
  const table = ['| rule | level | finds |', '| --- | --- | --- |', ...rows].join('\n');
  const written = page.replace(
    /(<!-- rules -->\n)[\s\S]*(<!-- \/rules -->)/,
    (_all, before: string, after: string) => `${before}\n${table}\n\n${after}`,
  );
  await expect(written).toMatchFileSnapshot('../../docs/rules.md');
});
