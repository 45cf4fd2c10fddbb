import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { makeRedactor } from '../../../src/records/redaction/redactor.ts';
import { sampled } from '../../effort.ts';

const keyed = (text: string) => createHash('sha256').update(text).digest();

const pieces = ['x', ':', '.', '@', '1.', 'a.', 'a@', '%40', '//', '\\\\', 'a:', '://a@', "-'"];

test.each(sampled(pieces, 2))('a long text of "%s" takes a time in proportion to its length', (piece) => {
  const redactor = makeRedactor(keyed);
  const text = piece.repeat(300_000 / piece.length);
  redactor.learn({ msg: text, username: 'xx', machine: 'a.a' });
  const start = process.cpuUsage();
  redactor.redactText(text);
  // Processor time, in microseconds: the machine has other work too.
  expect(process.cpuUsage(start).user).toBeLessThan(3_000_000);
});

test('a mail address in quotes is the same as without', () => {
  const { redactText } = makeRedactor(keyed);
  const [, quoted, plain] = /^'(.+)' (.+)$/.exec(redactText("'ann@example.com' ann@example.com")) ?? [];
  expect(quoted).toMatch(/^mail_[a-p]{14}@redacted\.invalid$/);
  expect(plain).toBe(quoted);
});
