import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeRedactor } from '../../../src/records/redactor.ts';
import { rounds } from '../../effort.ts';

const keyed = (text: string) => createHash('sha256').update(text).digest();
const redact = (text: string) => makeRedactor(keyed).redactText(text);

const address6 = '2001:db8:(?:[\\da-f]{1,4}:){5}[\\da-f]{1,4}';

test.each([
  ['a time', '12:34:56:2a02:8071::1 x', `^12:34:56:${address6} x$`],
  ['a time with a fraction', '12:34:56.789:fe80::1', `^12:34:56\\.789:${address6}$`],
  ['a date and a time', '2025-03-12T12:34:56:2a02:8071::1', `^2025-03-12T12:34:56:${address6}$`],
  ['a time and eight groups', '12:34:56:2a02:1:2:3:4:5:6:7', `^12:34:56:${address6}$`],
  ['a time without a separator', '12:34:56fe80::1', `^12:34:56${address6}$`],
  ['a time with a fraction and no separator', '12:34:56.7892a02:8071::1', `^12:34:56\\.789${address6}$`],
  ['a time in a list', '12:34:56,2a02:8071::1,x', `^12:34:56,${address6},x$`],
  ['a time in brackets', '[12:34:56]fe80::1', `^\\[12:34:56\\]${address6}$`],
  ['a word', 'from2a02:8071::1', `^from${address6}$`],
  ['a port', '[2a02:8071::1]:8443', `^\\[${address6}\\]:8443$`],
  ['an address in an address', 'https://[2a02:8071::1]:8443/x', `^https://\\[${address6}\\]:8443/x$`],
  ['escaped brackets', 'x=%5B2a02:8071::1%5D', `^x=%5B${address6}%5D$`],
])('an IPv6 address beside %s is replaced whole', (_, text, expected) => {
  expect(redact(text)).toMatch(new RegExp(expected));
});

test.each([
  'at 12:34:56 and 12:34:56.789 or 2025-03-12T12:34:56+01:00',
  'std::vector Cache::add(12:34)',
  'position 12:34:56:78 of 17:18:19',
])('%s stays', (text) => expect(redact(text)).toBe(text));

test('a mapped address is that of its IPv4 address', () => {
  const [, plain, mapped] = /^(\S+) = ::ffff:(\S+)$/.exec(redact('10.1.2.3 = ::ffff:10.1.2.3')) ?? [];
  expect(plain).toMatch(/^2[45]\d\.\d+\.\d+\.\d+$/);
  expect(mapped).toBe(plain);
  expect(redact('::FFFF:0a01:0203')).toBe(redact('::ffff:10.1.2.3'));
});

test('hosts in Punycode are replaced', () => {
  expect(redact('from xn--bcher-kva.example.org to xn--80ak6aa92e.xn--p1ai:443')).toMatch(
    /^from host_[a-p]+ to host_[a-p]+:443$/,
  );
});

const group = fc.integer({ min: 0x3000, max: 0xefff }).map((each) => each.toString(16));
const address = fc.oneof(
  fc.array(group, { minLength: 8, maxLength: 8 }).map((groups) => groups.join(':')),
  fc.tuple(group, group, group).map(([a, b, c]) => `2a02:${a}::${b}:${c}`),
  group.map((each) => `fe80::${each}`),
  fc
    .tuple(fc.integer({ min: 10, max: 255 }), fc.integer({ min: 10, max: 255 }))
    .map(([a, b]) => `::ffff:${a}.171.173.${b}`),
  fc
    .tuple(fc.integer({ min: 10, max: 255 }), fc.integer({ min: 10, max: 255 }))
    .map(([a, b]) => `${a}.171.173.${b}`),
);
const before = fc.constantFrom(
  ...['', ' ', '[', '(', '<', '=', ':', ',', '/', '"', "'", '%5B', '%2F', '_', '-', '.', ';', '\\\\', '//'],
  ...['12:34:56 ', '12:34:56:', '12:34:56.789:', '12:34:56,789:', '2025-03-12T12:34:56:', '12:34:56Z:'],
  ...['::ffff:', 'from=', 'from:', 'ipv6:', 'https://', 'https://[', 'ldap://ann@', '17:', '8080:', 'at\t'],
);
const times = fc.constantFrom(
  ...['12:34', '12:34:56', '12:34:56.', '12:34:56,', '12:34:56.789', '12:34:56,789.', '20250312T123456'],
  ...['2025-03-12T12:34:56Z', '12:34:56+01:00', '12:34:56-0530', '1:23:45 PM'],
);
const after = fc.constantFrom(
  ...['', ' ', ']', ')', '>', ',', '.', ';', '/', '"', "'", '%5D', '%eth0', '\n', '\\x', '-', '!', '?'],
  ...[']:8443', ':8443', '/64', ' 12:34:56', '.', '..', ': x', '=', '&x=1', '#x'],
);

test('an IPv6 address directly behind a time is replaced, and the time is left', () => {
  fc.assert(
    fc.property(times, address, (time, each) => {
      // Behind a point, digits of a fraction and of a first group that is not in use cannot be told apart.
      fc.pre(/^(?:2a02|fe80):/.test(each) || (/^[^:.]+:/.test(each) && !/[.,]$/.test(time)));
      const redacted = redact(`at ${time}${each} x`);
      expect(redacted).toMatch(new RegExp(`^at ${time.replace(/[.+]/g, '\\$&')}${address6} x$`));
    }),
    { numRuns: rounds(1000, 100) },
  );
});

test('no group of an address of the original is left, whatever is beside it', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(before, address, after), { minLength: 1, maxLength: 4 }), (pieces) => {
      const text = pieces.map((each) => each.join('')).join(' ');
      const redacted = redact(text).toLowerCase();
      const left = pieces
        .flatMap(([, each]) => each.split(/[:.]/))
        .filter((each) => 4 <= each.length && each !== 'ffff' && each !== 'fe80')
        .filter((each) => new RegExp(`(?<![\\da-f])${each}(?![\\da-f])`).test(redacted));
      const whole = pieces.filter(([, each]) => redacted.includes(each));
      expect([text, whole]).toEqual([text, []]);
      // A random pseudonym has a given group once in two thousand.
      expect(left.length).toBeLessThan(2);
    }),
    { numRuns: rounds(3000, 300) },
  );
});
