import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sections } from '../interface/statements/index.ts';
import type { Section, Statement } from '../interface/statements/statement.ts';

const page = readFileSync('docs/interface.md', 'utf8');

// `npm run docs` writes the page where it differs.
test('the statements of the interface are listed with what both ends do, and the tests of it', async () => {
  const shown = `${summary()}${sections.map(toTable).join('')}`;
  const written = page.replace(
    /(<!-- statements -->\n)[\s\S]*(<!-- \/statements -->)/,
    (_all, before: string, after: string) => before + shown + after,
  );
  await expect(written).toMatchFileSnapshot('../../docs/interface.md');
});

function summary(): string {
  const statements = sections.flatMap((section) => section.statements);
  const count = (has: (statement: Statement) => boolean) => statements.filter(has).length;
  const client = count((each) => each.client !== undefined);
  const deployment = count((each) => each.deployment !== undefined);
  return `\n${statements.length} statements; ${client} concern the client, ${deployment} the deployment.\n`;
}

function toTable({ number, title, file, statements }: Section): string {
  const rows = statements.map(toRow).join('');
  const heading = `\n## ${number}. ${title}\n\nTests: [${file}](../test/interface/statements/${file})\n\n`;
  return `${heading}| statement | client | deployment | evidence |\n| --- | --- | --- | --- |\n${rows}`;
}

function toRow(statement: Statement): string {
  const { id, says, client, deployment } = statement;
  const cells = [says, client?.does ?? '', deployment?.does ?? '', evidence(statement, id)];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
}

/** The name of the tests, and the parties between which they run: see the head of the page. */
function evidence({ client, deployment }: Statement, id: string): string {
  const both = deployment && (deployment.by === 'hand' ? ['B'] : ['A', 'B']);
  const parties = [...(both ?? []), ...(client ? ['C'] : [])];
  return `\`${id}\` (${parties.join(', ')})`;
}
