import fc from 'fast-check';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { readExamples } from '../../packaging/examples.ts';
import * as client from '../../src/client.ts';
import * as language from '../../src/language-package.ts';
import * as testing from '../../src/testing.ts';

const all = readExamples();

/** Values that examples of the language use without making them. */
const context = {
  filter: language.resolve(language.parse('msg:timeout').query),
  log: { msg: 'Timeout after 30 s', logLevel: 'SEVERE', logCode: 9003 },
  none: language.resolve(language.parse('logCode:{0 TO 0}').query),
};

test.each([
  ['language', language],
  ['tests of it', testing],
  ['client', client],
])('each public function of the %s has an example', (_, module) => {
  const functions = Object.entries<unknown>(module).flatMap(([name, value]) =>
    typeof value === 'function' && !/^class/.test(String(value)) ? [name] : [],
  );
  expect(functions.filter((name) => !all.some((example) => example.name === name))).toEqual([]);
});

test.each(all.filter(({ name }) => Object.hasOwn(language, name)))('the example of $name runs', ({ code }) =>
  run(code, { ...context, ...language }),
);

test.each(all.filter(({ name }) => Object.hasOwn(testing, name)))('the example of $name runs', ({ code }) =>
  run(code, { ...language, ...testing, fc }),
);

/** Calls of the client that reach no deployment, each with what it returns in a comment beside it. */
const calls = all
  .filter(({ name }) => Object.hasOwn(client, name))
  .flatMap(({ name, code }) =>
    [...code.matchAll(/^(\w+\(.*\)); \/\/ (.*)$/gm)].map(([, call, value]) => ({ name, call, value })),
  );

test('at least twelve of them say what they return', () => {
  expect(calls.length).toBeGreaterThanOrEqual(12);
});

test.each(calls)('the example of $name returns what it says', ({ call, value }) =>
  run(`expect(${call}).toEqual(${value});`, { ...client, expect }),
);

async function run(code: string, values: object): Promise<void> {
  const { outputText } = ts.transpileModule(code, { compilerOptions: { target: ts.ScriptTarget.ES2022 } });
  const named = { ...values, console: { log: () => {} } };
  const start: unknown = new Function(...Object.keys(named), `return async () => {\n${outputText}}`)(
    ...Object.values(named),
  );
  if (typeof start === 'function') await start();
}
