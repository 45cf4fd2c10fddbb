import { expect, test } from 'vitest';
import { createDeployment, type DeploymentOptions } from '../../src/emulator/deployment.ts';
import { serveDeployment } from '../../src/emulator/serve.ts';
import { largeTest } from '../large-test.ts';
import { type RunOptions, run } from './run-in-process.ts';

const patch = 'pat_24012023_3162';
const release = 'rel_13092022_3150';

/** A deployment on loopback with a patch installed, and command lines that know where it is. */
async function patchedDeployment(options: DeploymentOptions = {}) {
  const deployment = await createDeployment({
    users: [{ username: 'ann', password: 'pw' }],
    version: '11.0',
    upgradePace: { release: 150, patch: 150 },
    ...options,
  });
  const served = await serveDeployment(deployment);
  const environment = { LOGQUARRY_URL: served.url, LOGQUARRY_USER: 'ann', LOGQUARRY_PASSWORD: 'pw' };
  const call = (line: string, more: RunOptions = {}) => run(line.split(' '), { environment, ...more });
  expect(await call(`upgrade start ${patch} --yes --watch --every 1s`)).toMatchObject({ code: 0 });
  const close = async () => {
    await served.close();
    await deployment[Symbol.asyncDispose]();
  };
  return { call, [Symbol.asyncDispose]: close };
}

test('a rollback is checked, asked for, started and watched; the patch is available again', async () => {
  await using deployment = await patchedDeployment();
  const { call } = deployment;
  expect((await call('upgrade available')).out).not.toContain(patch);
  const installed = async () => JSON.parse((await call('upgrade installed --json')).out) as { id: string }[];
  expect((await installed()).map(({ id }) => id)).toEqual([release, patch]);
  expect(await call(`upgrade rollback ${patch} --yes`)).toMatchObject({
    code: 1,
    err: `The deployment cannot be rolled back to "${patch}". It offers: ${release}.\n`,
  });
  expect(await call(`upgrade rollback ${release} --dry-run`)).toMatchObject({
    code: 0,
    err: expect.stringContaining(`will be rolled back to "${release}"`),
  });
  expect(await call(`upgrade rollback ${release}`)).toMatchObject({ code: 2 });
  expect(await call(`upgrade rollback ${release}`, { confirm: false })).toMatchObject({
    code: 1,
    err: expect.stringContaining('Nothing was sent.'),
  });
  const rolled = await call(`upgrade rollback ${release} --yes --watch --every 1s`);
  expect(rolled).toMatchObject({ code: 0, err: expect.stringContaining('The rollback has started') });
  expect(rolled.err).toContain('The rollback succeeded.');
  expect(rolled.out).toMatch(
    /2072 {2}Starting the rollback process from 11\.0\.3162 to 11\.0\.3150\. {2}\(the rollback has/,
  );
  expect(rolled.out).not.toContain('Upgrade process started');
  expect((await call('upgrade available')).out).toContain(patch);
  expect((await installed()).map(({ id }) => id)).toEqual([release]);
  expect(await call(`upgrade rollback ${release} --yes`)).toMatchObject({
    code: 1,
    err: expect.stringContaining('It offers: nothing.'),
  });
});

largeTest('a rollback that fails leaves the patch installed and ends with 3', async () => {
  await using deployment = await patchedDeployment({
    faults: [{ on: 'rollback', effect: 'failUpgrade', after: 0.5 }],
  });
  const { call } = deployment;
  expect(await call(`upgrade rollback ${release} --yes --watch --every 1s`)).toMatchObject({
    code: 3,
    err: expect.stringContaining('The rollback failed'),
  });
  expect((await call('upgrade rollback-options')).out).toContain(release);
});
