import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IndependentDeployment, startIndependent } from '../parties/independent-deployment.ts';
import { clientNames, type Shared, share } from '../parties/reference.ts';
import { sections } from './index.ts';

let other: IndependentDeployment;
beforeAll(async () => {
  other = await startIndependent();
});
afterAll(() => other[Symbol.asyncDispose]());

describe.each(sections)('section $number', (section) => {
  let shared: Shared;
  beforeAll(() => {
    shared = share(section);
  });
  afterAll(() => shared[Symbol.asyncDispose]());

  describe.each(section.statements)('$id', ({ client, deployment }) => {
    if (client) {
      test('own client, independent deployment', async () => {
        other.reset();
        expect.hasAssertions();
        await client.check(other.client, other);
      });
    }
    if (deployment) {
      const names = deployment.by === 'hand' ? (['independent client'] as const) : clientNames;
      test.each(names)('%s, reference deployment', async (name) => {
        expect.hasAssertions();
        await deployment.check(await shared.reference(name));
      });
    }
  });
});

test('every statement has a name of its own, and an end that it concerns', () => {
  const statements = sections.flatMap((section) => section.statements);
  const ids = statements.map(({ id }) => id);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  expect(statements.filter(({ client, deployment }) => !client && !deployment)).toEqual([]);
  for (const { number, statements: own } of sections)
    for (const { id } of own) expect(id).toMatch(new RegExp(`^${number.replaceAll('.', '\\.')} \\S`));
});
