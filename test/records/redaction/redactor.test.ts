import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { makeRedactor } from '../../../src/records/redactor.ts';
import { sampled } from '../../effort.ts';
import { processorTime } from '../../processor-time.ts';

const keyed = (text: string) => createHash('sha256').update(text).digest();

const pieces = ['x', ':', '.', '@', '1.', 'a.', 'a@', '%40', '//', '\\\\', 'a:', '://a@', "-'"];

test.each(sampled(pieces, 2))(
  'a long text of "%s" takes a time in proportion to its length',
  async (piece) => {
    const redactor = makeRedactor(keyed);
    const text = piece.repeat(300_000 / piece.length);
    redactor.learn({ msg: text, username: 'xx', machine: 'a.a' });
    expect(await processorTime(() => redactor.redactText(text))).toBeLessThan(3000);
  },
);

test('a mail address in quotes is the same as without', () => {
  const { redactText } = makeRedactor(keyed);
  const [, quoted, plain] = /^'(.+)' (.+)$/.exec(redactText("'ann@example.com' ann@example.com")) ?? [];
  expect(quoted).toMatch(/^mail_[a-p]{14}@redacted\.invalid$/);
  expect(plain).toBe(quoted);
});
