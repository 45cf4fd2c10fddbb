import { expect, test } from 'vitest';
import { createDeployment } from '../../src/emulator/deployment.ts';
import { admin, exportPath, formBody, post, postJson, signIn, startDeployment, textOf } from './calls.ts';

const path = '/gis/sharing/rest/generateToken';
const refused = (...details: string[]) => ({
  error: { code: 400, message: 'Unable to generate token.', details },
});
const invalid = { error: { code: 498, message: 'Invalid token.', details: [] } };

test('a token comes with its end, an hour later by default', async () => {
  await using deployment = await startDeployment();
  const body = await postJson(deployment, path, { ...admin, client: 'requestip' });
  expect(body).toEqual({
    token: expect.stringMatching(/^[\w-]{64}$/),
    expires: Date.UTC(2025, 2, 12, 13, 1),
    ssl: false,
  });
});

test('no two tokens are alike', async () => {
  await using deployment = await startDeployment();
  expect(await signIn(deployment)).not.toBe(await signIn(deployment));
});

test.each([
  ['a wrong password', { ...admin, password: 'wrong' }],
  ['a wrong password as long as the right one', { ...admin, password: 'Correct horse battery staple' }],
  ['an unknown user', { ...admin, username: 'root' }],
  ['the name of another case', { ...admin, username: 'ADMIN' }],
])('%s is refused in the same words', async (_, account) => {
  await using deployment = await startDeployment();
  expect(await postJson(deployment, path, { ...account, client: 'requestip' })).toEqual(
    refused('Invalid username or password.'),
  );
});

test('the password of one user does not fit the name of another', async () => {
  const other = { username: 'other', password: 'another password' };
  await using deployment = await startDeployment({ users: [admin, other] });
  const mixed = { username: admin.username, password: other.password, client: 'requestip' };
  expect(await postJson(deployment, path, mixed)).toEqual(refused('Invalid username or password.'));
  expect(await signIn(deployment, other)).toBeTypeOf('string');
});

test('every parameter that is missing or wrong is named', async () => {
  await using deployment = await startDeployment();
  expect(await postJson(deployment, path, { expiration: 'long' })).toEqual(
    refused(
      '"username" requires a value',
      '"password" requires a value',
      '"referer" requires a value for the client "referer"',
      '"expiration" requires a whole number of minutes above 0',
    ),
  );
});

test('a password in the address counts as none', async () => {
  await using deployment = await startDeployment();
  const query = new URLSearchParams({ ...admin, client: 'requestip' });
  expect(await postJson(deployment, `${path}?${query}`, {})).toMatchObject(
    refused('"username" requires a value', '"password" requires a value', expect.any(String)),
  );
});

test('a token ends when it said', async () => {
  await using deployment = await startDeployment();
  const body = await postJson(deployment, path, { ...admin, client: 'requestip', expiration: '5' });
  const form = { token: textOf(body, 'token') };
  deployment.wait(5 * 60_000 - 1);
  expect(await postJson(deployment, exportPath, form)).toMatchObject({ status: 'SUBMITTED' });
  deployment.wait(1);
  expect(await postJson(deployment, exportPath, form)).toEqual(invalid);
});

test('no token lives longer than the deployment allows', async () => {
  await using deployment = await startDeployment({ tokenMinutes: 10 });
  const body = await postJson(deployment, path, { ...admin, client: 'requestip', expiration: '600' });
  expect(body).toMatchObject({ expires: Date.UTC(2025, 2, 12, 12, 11) });
});

test.each([
  [{ referer: 'https://desk.test/' }, 'SUBMITTED'],
  [{ referer: 'https://desk.test' }, 498],
  [{}, 498],
])('a token for a referer, used with %o', async (headers, outcome) => {
  await using deployment = await startDeployment();
  const body = await postJson(deployment, path, {
    ...admin,
    client: 'referer',
    referer: 'https://desk.test/',
  });
  const response = await post(deployment, exportPath, { token: textOf(body, 'token') }, headers);
  expect(await response.json()).toMatchObject(outcome === 498 ? invalid : { status: outcome });
});

test('a token for an address is refused from another', async () => {
  await using deployment = await startDeployment();
  const body = await postJson(deployment, path, { ...admin, client: 'ip', ip: '10.0.0.7' });
  const call = async (address: string) => {
    const form = formBody(exportPath, { token: textOf(body, 'token'), f: 'json' });
    const response = await deployment.fetch(
      new Request(`http://gis.test${exportPath}`, { method: 'POST', body: form }),
      { address },
    );
    return response.json();
  };
  expect(await call('10.0.0.7')).toMatchObject({ status: 'SUBMITTED' });
  expect(await call('10.0.0.8')).toEqual(invalid);
});

test('without users there is an administrator with a password that nobody knows before', async () => {
  await using first = await createDeployment();
  await using second = await createDeployment();
  expect(first.account.username).toBe('admin');
  expect(first.account.password).toMatch(/^[\w-]{16}$/);
  expect(second.account.password).not.toBe(first.account.password);
  expect(await signIn(first, first.account)).toBeTypeOf('string');
});

test.each([
  ['the body', (token: string) => ({ form: { token }, headers: {}, query: '' })],
  ['a header', (token: string) => ({ form: {}, headers: { authorization: `Bearer ${token}` }, query: '' })],
  ['the address', (token: string) => ({ form: {}, headers: {}, query: `?token=${token}` })],
])('a token is accepted in %s', async (_, carry) => {
  await using deployment = await startDeployment();
  const { form, headers, query } = carry(await signIn(deployment));
  const response = await post(deployment, exportPath + query, form, headers);
  expect(await response.json()).toMatchObject({ status: 'SUBMITTED' });
});

test.each([
  ['no token', {}, { error: { code: 499, message: 'Token Required.', details: [] } }],
  ['an invented token', { token: 'x'.repeat(64) }, invalid],
])('%s is refused with HTTP status 200', async (_, form, body) => {
  await using deployment = await startDeployment();
  for (const path of [
    exportPath,
    '/gis/admin/jobs/j1',
    '/gis/admin/uploads/i1',
    '/gis/admin/uploads/i1/download',
  ]) {
    expect(await postJson(deployment, path, form)).toEqual(body);
  }
});
