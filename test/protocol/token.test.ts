import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  bearerHeader,
  fromTokenForm,
  tokenClients,
  tokenOf,
  tokenReplyOf,
  toTokenForm,
} from '../../src/protocol/token.ts';

test('every request comes back from its form', () => {
  const text = fc.string({ minLength: 1 });
  const request = fc
    .record(
      {
        username: text,
        password: text,
        client: fc.constantFrom(...tokenClients),
        referer: text,
        ip: text,
        expiration: fc.integer({ min: 1 }),
      },
      { requiredKeys: ['username', 'password', 'client', 'referer', 'expiration'] },
    )
    .filter(({ client, ip }) => client !== 'ip' || ip !== undefined);
  fc.assert(
    fc.property(request, (original) => {
      expect(fromTokenForm(new URLSearchParams(toTokenForm(original).toString()))).toEqual({
        request: original,
        findings: [],
      });
    }),
  );
});

const login = { username: 'ada', password: 'secret', client: 'requestip' };

test('a token lives an hour unless asked otherwise', () => {
  expect(fromTokenForm(new URLSearchParams(login)).request.expiration).toBe(60);
});

test.each([
  [{ ...login, username: '' }, '"username" requires a value'],
  [{ ...login, password: '' }, '"password" requires a value'],
  [{ ...login, client: 'cookie' }, '"client" requires one of "referer", "ip", "requestip"'],
  [{ ...login, client: 'referer' }, '"referer" requires a value for the client "referer"'],
  [{ ...login, client: '' }, '"referer" requires a value for the client "referer"'],
  [{ ...login, client: 'ip', referer: 'x' }, '"ip" requires a value for the client "ip"'],
  [{ ...login, expiration: 'soon' }, '"expiration" requires a whole number of minutes above 0'],
  [{ ...login, expiration: '-5' }, '"expiration" requires a whole number of minutes above 0'],
])('%j', (form, message) => {
  expect(fromTokenForm(new URLSearchParams(form)).findings.map((finding) => finding.message)).toEqual([
    message,
  ]);
});

test.each([
  [
    { token: 'abc', expires: 1_700_000_000_000, ssl: true, more: 1 },
    { token: 'abc', expires: 1_700_000_000_000, ssl: true },
  ],
  [
    { token: 'abc', expires: 1 },
    { token: 'abc', expires: 1, ssl: false },
  ],
  [{ token: '', expires: 1 }, undefined],
  [
    { token: 'abc', expires: '1700000000000', ssl: 'true' },
    { token: 'abc', expires: 1_700_000_000_000, ssl: true },
  ],
  [{ token: 'abc' }, { token: 'abc', ssl: false }],
  [
    { token: 'abc', expires: 'soon' },
    { token: 'abc', ssl: false },
  ],
  [
    { token: 'abc', expires: 0, ssl: null },
    { token: 'abc', ssl: false },
  ],
  [{ token: 7, expires: 1 }, undefined],
  [null, undefined],
])('the reply %j', (body, reply) => {
  expect(tokenReplyOf(body)).toEqual(reply);
});

test.each([
  ['token=abc', {}, 'abc'],
  ['', { authorization: bearerHeader('abc') }, 'abc'],
  ['', { authorization: 'bearer   abc' }, 'abc'],
  ['token=abc', { authorization: bearerHeader('other') }, 'abc'],
  ['', { authorization: 'Basic YWRhOnNlY3JldA==' }, undefined],
  ['', {}, undefined],
])('the token of the form "%s" and the headers %j', (form, headers, token) => {
  expect(tokenOf(new URLSearchParams(form), new Headers(headers))).toBe(token);
});
