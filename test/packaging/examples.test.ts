import { expect, test } from 'vitest';
import { exampleProblems, readExamples } from '../../packaging/examples.ts';

test('the examples in the comments of public names compile', () => {
  const examples = readExamples();
  expect(examples.length).toBeGreaterThanOrEqual(10);
  expect(exampleProblems(examples)).toEqual([]);
});

test('an example that uses a name or a value wrongly is named', () => {
  const examples = [
    { name: 'right', code: 'const count: number = await countLogs(incident, filter);\n' },
    { name: 'gone', code: 'renamed(incident);\n' },
    { name: 'wrong', code: 'await findLogs(incident, filter);\n' },
  ];
  expect(exampleProblems(examples)).toEqual([
    expect.stringMatching(/^gone: Cannot find name 'renamed'/),
    expect.stringMatching(/^wrong: Expected 3 arguments/),
  ]);
});
