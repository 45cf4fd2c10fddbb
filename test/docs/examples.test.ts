import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startProgram } from '../e2e/process.ts';

/** The examples of the page on queries, each with what it prints according to its comments. */
const examples = [...readFileSync('docs/queries.md', 'utf8').matchAll(/```js\n([\s\S]*?)```/g)].map(
  ([, script = '']) => ({
    script,
    printed: [...script.matchAll(/^console\.log\(.*\); \/\/ (.*)$/gm)].map(([, text]) => text ?? ''),
  }),
);

test('the examples of the page on queries print what they say, with the built package', async () => {
  expect(examples.length).toBeGreaterThanOrEqual(7);
  for (const { printed } of examples) expect(printed).not.toEqual([]);
  // One process runs all of them, each in a block of its own.
  const script = examples
    .map(
      (example) =>
        `{${example.script.replace(/^import (.*) from (.*);$/gm, 'const $1 = await import($2);')}}`,
    )
    .join('\n');
  const words = ['--input-type=module', '--eval', script];
  const { code, out, err } = await startProgram(process.execPath, words).ended;
  expect({ code, err, out: out.trimEnd().split('\n') }).toEqual({
    code: 0,
    err: '',
    out: examples.flatMap(({ printed }) => printed),
  });
});
