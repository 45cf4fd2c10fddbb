import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { makeRedactor } from '../../../src/records/redactor.ts';

const keyed = (text: string) => createHash('sha256').update(text).digest();
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** A redactor that has seen a log of each user and of a machine. */
function redactorOf(...users: readonly string[]) {
  const redactor = makeRedactor(keyed);
  for (const username of users) redactor.learn({ username, machine: 'gis-node-7' });
  return redactor;
}

test.each([
  ['credentials in Base64', `Authorization: Basic ${base64('scott:tiger99')}`, 'c2NvdHQ6'],
  ['a known user in Base64', `state=${base64('{"u":"Ann Lee"}')}`, 'eyJ1Ijoi'],
  ['a web token', `token eyJhbGciOiJIUzI1NiJ9.${base64('{"sub":"x"}')}.c2lnbmF0dXJl.`, 'eyJhbGci'],
  ['a bearer token', 'Authorization: Bearer 3f9aa-81b_cd45ef', '3f9aa'],
  ['a name with escapes', 'GET /users/Ann%20Lee/items', 'Lee'],
  ['a name whose letters are escaped', '/u/J%C3%BCrgen.Ma%6Eg', 'rgen'],
  ['a name in Latin-1', '/u/J%FCrgen.Mang', 'rgen'],
  ['an address with escapes', 'from=10%2E20%2E30%2E40', '30'],
  ['an address with hyphens', 'Node ip-172-31-5-6 is gone', '172-31'],
  ['an address as a number', 'clientIp=2886729990', '2886729990'],
  ['an address as a number in a URL', 'GET http://3232235777/admin failed.', '3232235777'],
  ['an address as a number behind a word', 'No route to host 3232235777, addr 3232235778.', '323223577'],
  ['an address as a number behind an underscore', 'source_ip=3232235777', '3232235777'],
  ['an address as a number with a port', 'peer=3232235777:8443', '3232235777'],
  ['an address as a hexadecimal number', 'ip: 0xAC1F0506', 'AC1F'],
  ['a hardware address', 'lease of 00:1A:2b:3C:4d:5E', '2b'],
  ['a hardware address with hyphens', 'lease of 00-1A-2b-3C-4d-5E', '2b'],
  ['a hardware address with points', 'lease of 001A.2b3C.4d5E', '2b3C'],
  ['a domain', 'Account KONTOR\\bo was locked', 'KONTOR'],
  ['an account of a domain', 'Account KONTOR\\bo was locked', '\\bo'],
  ['the domain of a known user', 'acme\\dora has no licence', 'acme'],
])('%s is replaced', (_, text, secret) => {
  const { redactText } = redactorOf('Ann Lee', 'Jürgen.Mang', 'acme\\dora');
  expect(redactText(text)).not.toContain(secret);
});

test('a person in other letters is the same person', () => {
  const { redactText, redactLog, counts } = redactorOf('ann.lee', 'Ann.Lee', 'CORP\\ann.lee');
  const [first, second] = ['ann.lee', 'ANN.LEE'].map((username) => redactLog({ username }).username);
  expect(second).toBe(first);
  expect(redactText('Ann.Lee')).toBe(first);
  expect(redactText('/x/ann%2Elee')).toBe(`/x/${first}`);
  expect(redactLog({ username: 'CORP\\Ann.Lee' }).username?.split('\\')[1]).toBe(first);
  expect(counts().user).toBe(1);
});

test('an address has one pseudonym in all its spellings', () => {
  const { redactText, redactExtra } = redactorOf();
  const address = redactText('172.31.5.6');
  const number = address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);
  expect(redactText('ip-172-31-5-6')).toBe(`ip-${address.replaceAll('.', '-')}`);
  expect(redactText('ip=2887714054')).toBe(`ip=${number}`);
  expect(redactExtra({ clientIp: 2_887_714_054, bytes: 2_887_714_054 })).toEqual({
    clientIp: number,
    bytes: 2_887_714_054,
  });
  const [colons, hyphens] = ['00:1a:2b:3c:4d:5e', '00-1A-2B-3C-4D-5E'].map(redactText);
  expect(hyphens).toBe(colons);
});

test.each([
  'Read C:\\Temp\\data and cache\\tiles',
  'Basic authentication is required, or a bearer token',
  'com.example.MapServiceHandler.executeQuery',
  'Item 3f9aa81bcd45ef took 2026-11-28 1234567890 ms',
  '/arcgis/rest/services/WaterNetwork/MapServer',
])('%s stays', (text) => expect(redactorOf().redactText(text)).toBe(text));
