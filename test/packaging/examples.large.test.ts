import { expect, test } from 'vitest';
import { exampleProblems, readExamples } from '../../packaging/examples.ts';

test('the examples in the comments of public names compile; one that uses a name or a value wrongly is named', () => {
  const examples = readExamples();
  expect(examples.length).toBeGreaterThanOrEqual(10);
  const others = [
    { name: 'right', code: 'const count: number = await countLogs(incident, filter);\n' },
    { name: 'gone', code: 'renamed(incident);\n' },
    { name: 'wrong', code: 'await findLogs(incident, filter);\n' },
  ];
  expect(exampleProblems([...examples, ...others])).toEqual([
    expect.stringMatching(/^gone: Cannot find name 'renamed'/),
    expect.stringMatching(/^wrong: Expected 3 arguments/),
  ]);
});
