import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { envelopes } from '../../src/records/envelopes.ts';
import { levelNames, levelScales, ownLevels } from '../../src/records/levels.ts';
import { fieldAliases, logFields } from '../../src/records/log.ts';
import { formLosses, ownForms } from '../../src/records/own-forms.ts';

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
