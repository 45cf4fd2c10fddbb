import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compileRules } from '../../src/analysis/rules/compile-rules.ts';
import { readMapping } from '../../src/analysis/rules/mapping.ts';
import { modifierNames } from '../../src/analysis/rules/selection.ts';
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

test('the table of modifiers has all of them, each with a rule that is evaluated', () => {
  const page = readFileSync('docs/rules.md', 'utf8');
  const rows = page
    .slice(page.indexOf('| modifiers |'))
    .split('\n\n')[0]
    ?.split('\n')
    .slice(2)
    .map((row) => row.split(' | '));
  const named = rows?.flatMap(([names = '']) => [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(named?.toSorted()).toEqual(modifierNames.toSorted());
  const mapping = readMapping('placeholders: {Administrators: [siteadmin]}');
  for (const [, , example = ''] of rows ?? []) {
    const line = /`(.*)`/.exec(example)?.[1] ?? '';
    const text = `title: T\ndetection:\n  s:\n    ${line}\n  condition: s`;
    expect(compileRules([{ name: line, text }], mapping)).toMatchObject({ rules: [{}], unsupported: [] });
  }
});
