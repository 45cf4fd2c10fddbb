import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startProgram } from '../e2e/process.ts';

const pages = ['docs/queries.md', 'docs/property-tests.md']
  .map((path) => readFileSync(path, 'utf8'))
  .join('');

/** The examples of the pages on queries, each with what it prints according to its comments. */
const examples = [...pages.matchAll(/```js\n([\s\S]*?)```/g)].map(([, script = '']) => ({
  script,
  printed: [...script.matchAll(/^console\.log\(.*\); \/\/ (.*)$/gm)].map(([, text]) => text ?? ''),
}));

test('the examples of the pages on queries print what they say, with the built package', async () => {
  expect(examples.length).toBeGreaterThanOrEqual(7);
  for (const { printed } of examples) expect(printed).not.toEqual([]);
  // One process runs all of them, each in a block of its own.
  const script = examples
    .map(
      (example) =>
        `{${example.script.replace(/^import (\{.*\}) from (.*);$/gm, 'const $1 = await import($2);').replace(/^import (\w+) from (.*);$/gm, 'const { default: $1 } = await import($2);')}}`,
    )
    .join('\n');
  // Examples that draw at random draw the same in each run.
  const seeded = `(await import('fast-check')).default.configureGlobal({ seed: 1 });\n${script}`;
  const words = ['--input-type=module', '--eval', seeded];
  const { code, out, err } = await startProgram(process.execPath, words).ended;
  expect({ code, err, out: out.trimEnd().split('\n') }).toEqual({
    code: 0,
    err: '',
    out: examples.flatMap(({ printed }) => printed),
  });
});

test.each([
  ['filter', 'Filter'],
  ['tree', 'Query|Node'],
])('the table of what takes what has each function of a %s', (row, type) => {
  const reports = ['api/language.md', 'api/meaning.md'].map((path) => readFileSync(path, 'utf8')).join('');
  const signature = new RegExp(`^function (\\w+)(?:<[^>]*>)?\\(\\w+: (?:${type})[,)]`, 'gm');
  const taking = [...reports.matchAll(signature)].map(([, name]) => name);
  const cells = new RegExp(`^\\| ${row} \\| (.*) \\|$`, 'm').exec(pages)?.[1] ?? '';
  const listed = [...cells.matchAll(/`(\w+)`/g)].map(([, name]) => name);
  expect(listed.toSorted()).toEqual(taking.toSorted());
});
