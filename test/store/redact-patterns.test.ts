import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findPatterns } from '../../src/analysis/find-patterns.ts';
import { maskMessage } from '../../src/analysis/mask-message.ts';
import { type Case, openCase } from '../../src/case/file/case.ts';
import { addLogs } from '../../src/case/loading/add-logs.ts';
import { redactCase } from '../../src/case/redact-case.ts';
import { matchAllFilter } from '../../src/language/meaning/filter.ts';
import { rounds } from '../effort.ts';

const word = fc.string({ unit: fc.constantFrom(...'qwzkjy'), minLength: 4, maxLength: 7 });
const digits = fc.integer({ min: 1, max: 99_999 }).map(String);
const capital = word.map((each) => each.charAt(0).toUpperCase() + each.slice(1));

/** Names as deployments have them: plain, with numbers, of two words, with a domain, in camel case, a number. */
const user = fc.oneof(
  word,
  fc.tuple(word, digits).map((each) => each.join('')),
  fc.tuple(word, word).map((each) => each.join('.')),
  fc.tuple(capital, capital).map((each) => each.join(' ')),
  fc.tuple(capital, capital).map((each) => each.join('')),
  fc.tuple(word, word).map((each) => each.join('\\')),
  digits,
);
const host = fc.oneof(
  fc.tuple(word, digits).map((each) => each.join('-')),
  word.map((each) => `${each}-7f9c4-x2k4q`),
  fc.tuple(word, word).map((each) => `${each.join('.')}.example.org`),
  word.map((each) => `xn--${each}-3ya.example.org`),
);
const address = fc.oneof(
  fc.ipV4(),
  // A mask takes "ae::ee" for words, and the colons at the end of "1::" for punctuation.
  fc.ipV6().filter((each) => /^(?=.*\d)[\da-f][\da-f:]*[\da-f]$/i.test(each)),
  fc.ipV4().map((each) => `::ffff:${each}`),
);
const mail = fc.tuple(user, word).map(([name, domain]) => `${name.replace(/\W/g, '')}@${domain}.com`);
const facts = fc.record({ user, host, address, mail, count: fc.nat(5000) });
type Facts = typeof facts extends fc.Arbitrary<infer T> ? T : never;

/** Messages of one kind each, with identifiers beside blanks, brackets, times, ports and in addresses. */
const messages: readonly ((of: Facts) => string)[] = [
  ({ user: name, address: from }) => `User ${name} signed in from ${from} at 12:34:56.`,
  ({ user: name, count }) => `Query of '${name}' took ${count} ms`,
  ({ host: name, count }) => `Pool on ${name}:6443 has ${count} free connections`,
  ({ address: from, count }) => `[12:34:56.789] [${from}] closed after ${count} s`,
  ({ mail: to, user: name }) => `Mail to <${to}> for owner=${name}; sent`,
  ({ host: name, user: who }) => `GET https://${name}:6443/arcgis/rest/${who} done`,
  ({ address: from }) => `Refused (${from}): too many requests`,
  ({ count }) => `Nothing of anybody in batch ${count}`,
];

/** Groups without their texts: logs, times, levels, and the counts of users and sources. */
async function groups(of: Case) {
  const { patterns, total } = await findPatterns([of], { filter: matchAllFilter });
  const plain = patterns.map(({ count, first, last, levels, users, buckets, masks }) =>
    JSON.stringify({ count, first, last, levels, users: users.map((each) => each.count), buckets, masks }),
  );
  return { total, plain: plain.sort() };
}

test('patterns of a redacted copy are those of the case: the same groups and counts', async () => {
  const record = fc.tuple(facts, fc.nat(messages.length - 1), fc.constantFrom('SEVERE', 'INFO'));
  await fc.assert(
    fc.asyncProperty(fc.array(record, { minLength: 60, maxLength: 250, size: 'max' }), async (all) => {
      await using from = await openCase(':memory:', { access: 'write' });
      await using into = await openCase(':memory:', { access: 'write' });
      const logs = all.map(([of, kind, logLevel], index) => ({
        time: 1000 * index,
        logLevel,
        msg: messages[kind]?.(of) ?? '',
        username: of.user,
        machine: of.host,
      }));
      await addLogs(from, logs, { part: 'logs' });
      await redactCase(from, into, { key: new Uint8Array(32).fill(3), shapeOf: maskMessage });
      expect(await groups(into)).toEqual(await groups(from));
    }),
    { numRuns: rounds(20, 3), endOnFailure: true },
  );
});
