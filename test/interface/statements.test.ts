import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Case, openCase } from '../../src/case/file/case.ts';
import { sampled } from '../effort.ts';
import { type IndependentDeployment, startIndependent } from './parties/independent-deployment.ts';
import { clientNames, type Reference, type Shared, share } from './parties/reference.ts';
import { sections } from './statements/index.ts';
import type { Statement } from './statements/statement.ts';

let other: IndependentDeployment;
let logs: Case;
beforeAll(async () => {
  other = await startIndependent();
  logs = await openCase(':memory:', { access: 'write' });
});
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await logs[Symbol.asyncDispose]();
});

for (const section of sections) {
  describe(`section ${section.number}`, () => {
    let shared: Shared;
    beforeAll(() => {
      shared = share(section, logs);
    });
    afterAll(() => shared[Symbol.asyncDispose]());
    for (const statement of sampled(section.statements, 5)) {
      describe(statement.id, () => {
        testClient(statement);
        testDeployment(statement, (name) => shared.reference(name));
      });
    }
  });
}

function testClient({ client }: Statement): void {
  if (!client) return;
  test('own client, independent deployment', async () => {
    other.reset();
    expect.hasAssertions();
    await client.check(other.client, other);
  });
}

function testDeployment(
  { deployment }: Statement,
  reference: (name: (typeof clientNames)[number]) => Promise<Reference>,
): void {
  if (!deployment) return;
  const names = deployment.by === 'hand' ? (['independent client'] as const) : clientNames;
  test.each(sampled(names, 1))('%s, reference deployment', async (name) => {
    expect.hasAssertions();
    await deployment.check(await reference(name));
  });
}

test('every statement has a name of its own, and an end that it concerns', () => {
  const statements = sections.flatMap((section) => section.statements);
  const ids = statements.map(({ id }) => id);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  expect(ids.filter((id) => id.includes('`'))).toEqual([]);
  expect(statements.filter(({ client, deployment }) => !client && !deployment)).toEqual([]);
  for (const { number, statements: own } of sections)
    for (const { id } of own) expect(id).toMatch(new RegExp(`^${number.replaceAll('.', '\\.')} \\S`));
});
