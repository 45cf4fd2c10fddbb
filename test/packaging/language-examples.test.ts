import ts from 'typescript';
import { expect, test } from 'vitest';
import { readExamples } from '../../packaging/examples.ts';
import * as language from '../../src/language-package.ts';

const names = new Map<string, unknown>(Object.entries(language));
const examples = readExamples().filter(({ name }) => names.has(name));

/** Values that examples use without making them. */
const context = {
  filter: language.resolve(language.parse('msg:timeout').query),
  filterOf: (query: string) => language.resolve(language.parse(query).query),
  log: { msg: 'Timeout after 30 s', logLevel: 'SEVERE', logCode: 9003 },
  none: language.resolve(language.parse('logCode:{0 TO 0}').query),
};

test('each public function of the language has an example', () => {
  const functions = [...names].flatMap(([name, value]) =>
    typeof value === 'function' && !(value.prototype instanceof Error) ? [name] : [],
  );
  expect(functions.filter((name) => !examples.some((example) => example.name === name))).toEqual([]);
});

test.each(examples)('the example of $name runs', async ({ code }) => {
  const values = { ...context, ...language, console: { log: () => {} } };
  const { outputText } = ts.transpileModule(code, { compilerOptions: { target: ts.ScriptTarget.ES2022 } });
  const run: unknown = new Function(...Object.keys(values), `return async () => {\n${outputText}}`)(
    ...Object.values(values),
  );
  if (typeof run === 'function') await run();
});
