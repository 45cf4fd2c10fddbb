import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openCase } from '../../src/case/file/case.ts';
import { addFile } from '../../src/case/loading/add-files.ts';
import { exitCodes } from '../../src/cli/command-line/exit-code.ts';
import { commands } from '../../src/cli/command-table.ts';
import { caseFindingHeadings, checkInCases } from '../../src/cli/commands/check.ts';
import { readCommandLine } from '../../src/cli/configuration/run-args.ts';
import { checkQuery } from '../../src/language/index.ts';
import { ruleHeadings } from '../../src/language/lint/validate.ts';
import type { Finding } from '../../src/language/parse/finding.ts';
import { syntaxCodes } from '../../src/language/parse/syntax.ts';
import { run } from '../cli/run-in-process.ts';

const readme = readFileSync('README.md', 'utf8');
const findingsPage = readFileSync('docs/findings.md', 'utf8');
const commandsPage = readFileSync('docs/commands.md', 'utf8');

/** The sections of the manual about findings, as they have to be headed: code to heading. */
const headings = new Map([...Object.entries(syntaxCodes), ...ruleHeadings, ...caseFindingHeadings]);

/** The sections that are there: code to heading and text. */
const sections = new Map(
  [...findingsPage.matchAll(/^## `([\w-]+)`: (.+)\n([\s\S]*?)(?=^## |(?![\s\S]))/gm)].map(
    ([, code = '', heading = '', text = '']) => [code, { heading, text }] as const,
  ),
);

/** Findings without an example: nothing at all, too long ones, and those on request or of another engine. */
const withoutExample = [
  'empty-query',
  'only-excludes',
  'too-deep',
  'too-many-clauses',
  'too-long',
  'unmentioned-syntax',
];

describe('the findings', () => {
  test.each([...headings])('%s is explained', (code, heading) => {
    expect(sections.get(code)?.heading).toBe(heading);
  });

  test.each([...sections])('%s can be found', async (code, { text }) => {
    expect(headings.has(code)).toBe(true);
    const example = /^ {4}(.+)$/m.exec(text)?.[1];
    if (example === undefined) return expect(withoutExample).toContain(code);
    const findings = caseFindingHeadings.has(code)
      ? await findingsInSample(example)
      : checkQuery(example).findings;
    expect(findings.map((finding) => finding.code)).toContain(code);
  });

  /** The findings of a query in a case of the sample. */
  async function findingsInSample(query: string): Promise<readonly Finding[]> {
    const bytes = readFileSync('samples/incident.ndjson');
    await using sample = await openCase(':memory:', { access: 'write' });
    await addFile(sample, { name: 'incident.ndjson', bytes });
    const context = { cases: [sample], names: ['sample'], engine: undefined, severities: new Map() };
    return (await checkInCases(query, context))?.findings ?? [];
  }
});

describe('the commands', () => {
  // `npm run docs` writes the files where they differ.
  test('are listed, and shown with their help as it is', async () => {
    const rows = commands.map(({ spec }) => `| \`${spec.name}\` | ${spec.summary} |\n`);
    const table = `| command | does |\n| --- | --- |\n${rows.join('')}`;
    const shown = commands.map(({ spec }) => helpOf(spec.name)).join('');
    await expect(between(commandsPage, table + shown)).toMatchFileSnapshot('../../docs/commands.md');
  });

  test('exit codes are the ones there are', () => {
    const shown = [...readme.matchAll(/^\| (\d+) +\| /gm)].map(([, code]) => Number(code));
    expect(shown).toEqual(Object.values(exitCodes));
  });

  test('the first example prints what it says', async () => {
    const [, query = '', printed] = /\$ logquarry check '(.+)'\n([\s\S]+?)```/.exec(readme) ?? [];
    const { out, err } = await run(['check', query]);
    expect(out + err).toBe(printed);
  });
});

/** A page with the part that is written from the code anew. */
function between(page: string, shown: string): string {
  return page.replace(
    /(<!-- commands -->\n)[\s\S]*(<!-- \/commands -->)/,
    (_all, before: string, after: string) => before + shown + after,
  );
}

function helpOf(name: string): string {
  const line = readCommandLine([...name.split(' '), '--help', 'all'], commands, 90);
  if (line.kind !== 'answer') throw new Error(`There is no help of "${name}"`);
  return `\n## logquarry ${name}\n\n\`\`\`\n${line.text.trimEnd()}\n\`\`\`\n`;
}

describe('the pages', () => {
  const kinds = ['tutorial', 'how-to', 'reference', 'explanation'];
  const listed = [...readme.matchAll(/^\| \[(docs\/[\w-]+\.md)\]\(\1\) \| ([a-z-]+): /gm)].map(
    ([, path = '', kind = '']) => ({ path, kind }),
  );

  test('are all listed, grouped by their kind', () => {
    const pages = readdirSync('docs').filter((name) => name.endsWith('.md'));
    expect(listed.map(({ path }) => path).toSorted()).toEqual(pages.map((name) => `docs/${name}`).toSorted());
    const order = listed.map(({ kind }) => kinds.indexOf(kind));
    expect(order).toEqual(order.toSorted());
  });

  test.each(listed)('$path says that it is of the kind $kind', ({ path, kind }) => {
    const [, first = ''] = readFileSync(path, 'utf8').split(/\n\n/);
    expect(first.slice(0, 60)).toMatch(new RegExp(`^(This (page )?is an? ${kind}|An? ${kind})\\b`));
  });
});
