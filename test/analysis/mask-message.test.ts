import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMasker, maskedLength, maskMessage } from '../../src/analysis/mask-message.ts';

test.each([
  [
    "Request to 'Maps/Parcels.MapServer' took 1.234 s (limit 60s).",
    "Request to '<text>' took <number> s (limit <number>s).",
  ],
  [`Comment of user 'maria.lopez': "We can't see it"`, `Comment of user '<text>': "<text>"`],
  ['Service started', 'Service started'],
  ["We can't read it", "We can't read it"],
  ['it is 5" wide', 'it is <number>" wide'],
  ["an open 'quote of 3", "an open 'quote of <number>"],
  ["''", "''"],
  ['id 550e8400-e29b-41d4-a716-446655440000.', 'id <uuid>.'],
  ['key=0xdeadBEEF hash 3f2a9c1b77', 'key=<hex> hash <hex>'],
  ['com.vendor.Foo@1a2b3c', 'com.vendor.Foo@<hex>'],
  ['at 2025-03-12 08:00:01,123 and 2025-03-12T08:00:00.5Z', 'at <date> <time>,<number> and <date>'],
  ['from 10.0.0.1:8080 and fe80::1%eth0 to 10.1.0.0/16', 'from <ip> and <ip> to <ip>'],
  ['version 11.3.1', 'version <number>'],
  ['mail a.b@example.org, now', 'mail <email>, now'],
  ['https://gis/a/b?c=1;d=2,3 failed', '<url> failed'],
  ['/var/log/a.log C:\\temp\\x rest/services/Map', '<path> <path> <path>'],
  ['read/write', 'read/write'],
  ['pod-7d9f8c-x2kqz9 of 12', 'pod-<id>-<id> of <number>'],
  ['100%, 12MB, -3, 1e5, 1,234.5', '<number>%, <number>MB, <number>, <number>, <number>,<number>'],
  ['  two \t words\n\nthree ', 'two words three'],
  ['Größe 12 – “x”', 'Größe <number> – “x”'],
  ['[12] {a:b} (c)', '[<number>] {a:b} (c)'],
  ['', ''],
])('%s', (message, mask) => {
  expect(maskMessage(message)).toBe(mask);
});

test('a message behind the masked length belongs to the pattern of its beginning', () => {
  expect(maskMessage(`${'a '.repeat(maskedLength)}1`)).toBe(maskMessage(`${'a '.repeat(maskedLength)}b`));
});

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: fc.constantFrom(...`a1.:/-'"=,;@<>%\\ \n`), maxLength: 60 }),
);

test('any text has a mask without blanks at its ends or side by side', () => {
  fc.assert(
    fc.property(text, (message) => {
      expect(maskMessage(message)).not.toMatch(/^ | $| {2}|[\0-\x1f]/);
    }),
  );
});

test('numbers in a message never change its mask', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('took', 'of', 'rows', '#'), { minLength: 1 }),
      fc.nat(),
      fc.nat(),
      (words, a, b) => {
        const mask = (value: number) => maskMessage(words.map((word) => `${word} ${value}`).join(' '));
        expect(mask(a)).toBe(mask(b));
      },
    ),
  );
});

test('values are reported in order, as they stand in the message', () => {
  const bytes = new TextEncoder().encode(`a 12 'b c' d/e/f 3ms`);
  const values: string[] = [];
  createMasker().mask(bytes, 0, bytes.length, (from, to) => {
    values.push(new TextDecoder().decode(bytes.subarray(from, to)));
  });
  expect(values).toEqual(['12', 'b c', 'd/e/f', '3']);
});
