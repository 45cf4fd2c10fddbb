import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { envelopes } from '../../src/records/envelopes.ts';
import { levelNames, levelScales, ownLevels } from '../../src/records/levels.ts';
import { fieldAliases, logFields } from '../../src/records/log.ts';
import { formLosses, ownForms } from '../../src/records/own-forms.ts';
import { run } from '../cli/run-in-process.ts';

const manual = readFileSync('docs/formats.md', 'utf8');
const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** The tables of docs/formats.md, from the data that readers use. */
const tables = {
  'What Logquarry wrote': Object.entries(ownForms).map(([name, { written, recognised, losses }]) => {
    const lost = losses.map((loss) => lowerFirst(formLosses[loss])).join('; ');
    return `| ${name} | ${written} | ${recognised} | ${lost} |`;
  }),
  'Records of other tools': envelopes.map(({ of, paths, all = [], any = [], time }) => {
    const signs = [
      ...(all.length === 0 ? [] : [code(all)]),
      ...(any.length === 0 ? [] : [`one of ${code(any)}`]),
    ];
    return `| ${of} | ${code(paths)} | ${signs.join('; ')} | ${code(time)} |`;
  }),
  Levels: ownLevels.map((level) => {
    const numbers = levelScales.map(({ levels }) =>
      levels.map(([highest, each]) => (each === level ? highest : [])),
    );
    return `| ${level} | ${code(levelNames[level])} | ${numbers.map((each) => each.flat().join(', ')).join(' | ')} |`;
  }),
  Fields: logFields.map((field) => `| \`${field}\` | ${code(fieldAliases[field])} |`),
};

test.each(Object.entries(tables))('the table "%s" is what readers use', (heading, rows) => {
  const [, section = ''] = manual.split(`## ${heading}\n`);
  const [text = ''] = section.split('\n## ');
  expect(
    text
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .slice(2)
      .join('\n'),
  ).toBe(rows.join('\n'));
});

/** What `import --dry-run --json` says of the only part of a file. */
interface Recognised {
  readonly format: string;
  readonly logs: number;
  readonly unreadable: number;
  readonly remarks: readonly { readonly code: string; readonly about?: string }[];
}

/** Files of test/cases for the rows of the first table, and what they are recognised as. */
const samples: Readonly<Record<string, { readonly file: string } & Partial<Recognised>>> = {
  NDJSON: { file: 'ecs-nested.ndjson', format: 'ndjson' },
  JSON: { file: 'complete.json', format: 'json' },
  'reply of a query of Azure Monitor': { file: 'azure-query.json', format: 'json', logs: 12 },
  CSV: { file: 'german.csv', format: 'csv' },
  Parquet: { file: 'sheets.parquet', format: 'parquet' },
  'Excel workbook (.xlsx)': { file: 'own.xlsx', format: 'workbook' },
  'classic log files': { file: 'grep.log', format: 'xml' },
  'logs of other programs': { file: 'access.log', format: 'access log' },
  logfmt: { file: 'logfmt.log', format: 'logfmt' },
  klog: { file: 'klog.log', format: 'klog' },
  'access logs in JSON': { file: 'access.ndjson', remarks: [{ code: 'ACCESS_LOG' }] },
  'the audit stream': { file: 'audit.log', format: 'ndjson' },
  'OTLP/JSON': { file: 'collector.json', format: 'json' },
  'what Logquarry wrote': { file: 'own-ecs.ndjson', remarks: [{ code: 'OWN_FORM', about: 'ECS' }] },
  'records of other tools': { file: 'filebeat.ndjson', remarks: [{ code: 'ENVELOPE', about: 'filebeat' }] },
};

describe('the table of formats', () => {
  const [beginning = ''] = manual.split('\n## ');
  const lines = beginning.split('\n').filter((line) => line.startsWith('| '));

  test('has a file of each row', () => {
    expect(lines.slice(2).map((line) => line.split(' | ')[0]?.slice(2))).toEqual(Object.keys(samples));
  });

  test.each(Object.entries(samples))('%s: the file is recognised as such', async (_, { file, ...rest }) => {
    const { remarks = [], ...expected } = rest;
    const { out } = await run(['import', join('test/cases/files', file), '--dry-run', '--json']);
    const { files } = JSON.parse(out) as { readonly files: readonly { readonly parts: Recognised[] }[] };
    const [part] = files.flatMap(({ parts }) => parts);
    expect(part).toMatchObject({ unreadable: 0, ...expected });
    expect(part?.logs).toBeGreaterThan(0);
    for (const remark of remarks) expect(part?.remarks).toContainEqual(expect.objectContaining(remark));
  });
});
