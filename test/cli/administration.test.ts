import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDeployment, type DeploymentOptions } from '../../src/emulator/deployment.ts';
import { serveDeployment } from '../../src/emulator/serve.ts';
import { largeTest } from '../large-test.ts';
import { type Ran, type RunOptions, run } from './run-in-process.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-test-'));
});
afterEach(() => rm(folder, { recursive: true }));

const at = (name: string) => join(folder, name);

/** A deployment that listens, and command lines that know where it is. */
async function start(options: DeploymentOptions = {}) {
  const deployment = await createDeployment({
    users: [{ username: 'ann', password: 'pw' }],
    upgradePace: { release: 1500, patch: 1500 },
    ...options,
  });
  const served = await serveDeployment(deployment);
  const environment = { LOGQUARRY_URL: served.url, LOGQUARRY_USER: 'ann', LOGQUARRY_PASSWORD: 'pw' };
  const call = (line: string, more: RunOptions = {}): Promise<Ran> =>
    run(line.split(' '), { ...more, environment: { ...environment, ...more.environment } });
  const close = async () => {
    await served.close();
    await deployment[Symbol.asyncDispose]();
  };
  return { call, url: served.url, [Symbol.asyncDispose]: close };
}

const gp = '9375dd81-30d1-41c0-a802-cabb425159b1';

describe('catalog', () => {
  test('info needs no token', async () => {
    await using deployment = await start();
    const { code, out } = await run(['catalog', 'info', '--anonymous'], {
      environment: { LOGQUARRY_URL: deployment.url },
    });
    expect(code).toBe(0);
    expect(out).toBe(
      `message version      10.8 (vendorVersion108)
desktop version      Pro 3.3 (vendorProVersion3_3)
message formats      vendorServiceCatalogMessageFormatSoap
tokens are required  yes
token service        ${deployment.url}/sharing/rest/generateToken
`,
    );
  });

  test('tokens are required where the catalog requires them', async () => {
    await using open = await start({ requiresTokens: false });
    const nobody = (line: string, url: string) => run([...line.split(' '), '--url', url]);
    expect(await nobody('catalog services --sources', open.url)).toMatchObject({
      code: 0,
      out: expect.stringContaining('Basemaps/City.MapServer\n'),
    });
    await using closed = await start();
    expect(await nobody('catalog services', closed.url)).toMatchObject({
      code: 2,
      err: expect.stringContaining('A user is required'),
    });
    expect(await nobody('catalog info', closed.url)).toMatchObject({
      code: 0,
      out: expect.stringContaining('tokens are required  yes'),
    });
  });

  test('folders, one a line or as JSON', async () => {
    await using deployment = await start();
    expect((await deployment.call('catalog folders')).out).toBe(
      'Analysis\nBasemaps\nPlanning\nSystem\nTransport\nUtilities\n',
    );
    expect(JSON.parse((await deployment.call('catalog folders --json')).out)).toHaveLength(6);
    expect(await deployment.call('catalog folders --anonymous')).toMatchObject({
      code: 3,
      err: expect.stringContaining(
        'the deployment requires a token (Token Required; 499): sign in, or pass a token',
      ),
    });
  });

  test('a folder without services is said to be one', async () => {
    await using deployment = await start();
    expect(await deployment.call('catalog services --folder Nope')).toMatchObject({
      code: 0,
      err: 'The catalog has no services in the folder "Nope".\n',
    });
    expect(JSON.parse((await deployment.call('catalog services --folder Nope --json')).out)).toEqual([]);
  });

  test('services as a table, a tree, sources or JSON', async () => {
    await using deployment = await start();
    const { out } = await deployment.call('catalog services --folder Basemaps');
    expect(out).toMatch(
      /^name +type +capabilities +url\nBasemaps\/City +MapServer +Map,Query,Data +http.*\nBasemaps\/Streets +TileServer/,
    );
    expect((await deployment.call('catalog services --all --tree')).out).toContain(
      '├── Basemaps/\n│   ├── City (MapServer)\n│   └── Streets (TileServer)\n',
    );
    expect((await deployment.call('catalog services --folder= --sources')).out).toBe('Overview.MapServer\n');
    expect(JSON.parse((await deployment.call('catalog services --all --json')).out)).toHaveLength(11);
    expect((await deployment.call('catalog services --tree --json')).code).toBe(2);
  });

  test('sources one a line, each once and sorted, as the logs have them', async () => {
    await using deployment = await start();
    const sources = `Analysis/Drainage.GPServer
Basemaps/City.MapServer
Basemaps/Streets.TileServer
Overview.MapServer
Planning/Parcels.FeatureServer
Planning/Zoning.MapServer
System/PublishingTools.GPServer
Transport/Roadworks.FeatureServer
Utilities/Geometry.GeometryServer
Utilities/Sewer.FeatureServer
Utilities/Water.FeatureServer
`;
    expect((await deployment.call('catalog services --sources')).out).toBe(sources);
    const written = await deployment.call(`catalog services --all --sources --out ${at('sources.txt')}`);
    expect([written.code, written.out]).toEqual([0, '']);
    expect(await readFile(at('sources.txt'), 'utf8')).toBe(sources);
    const { out } = await deployment.call('catalog services --folder Basemaps --sources');
    expect(out).toBe('Basemaps/City.MapServer\nBasemaps/Streets.TileServer\n');
    expect((await deployment.call('catalog services --sources --json')).code).toBe(2);
  });

  test('under the names of the vendor, and with the token in the address', async () => {
    await using deployment = await start({ profile: 'arcgis' });
    expect((await deployment.call('catalog info --names arcgis --token-in-url')).out).toContain(
      'esriArcGISVersion108',
    );
    expect((await deployment.call('catalog folders --names arcgis --token-in-url')).code).toBe(0);
  });

  test('a group without a command says what there is', async () => {
    expect((await run(['catalog'])).err).toContain('services');
    expect((await run(['catalog', '--help'])).out).toContain('info');
    expect((await run(['catalog', 'nothing'])).code).toBe(2);
    expect((await run(['help', 'all'])).out).toMatch(/catalog +Query the service catalog/);
  });
});

describe('properties', () => {
  test('list and show', async () => {
    await using deployment = await start();
    expect((await deployment.call('properties list')).out).toMatch(
      new RegExp(`${gp} +GPServer +VendorObjects11 +Dedicated +1 +manual\n`),
    );
    await deployment.call(`properties show ${gp} --out ${at('gp.json')}`);
    expect(JSON.parse(await readFile(at('gp.json'), 'utf8'))).toMatchObject({ id: gp, type: 'GPServer' });
  });

  test('check says what is wrong, and where', async () => {
    await using deployment = await start();
    await deployment.call(`properties show ${gp} --out ${at('before.json')}`);
    const template = JSON.parse(await readFile(at('before.json'), 'utf8'));
    expect(await run(['properties', 'check', at('before.json')])).toMatchObject({
      code: 0,
      out: 'No findings.\n',
    });
    template.spec.replicas.max = 4;
    template.mode = 'Shared';
    await writeFile(at('after.json'), JSON.stringify(template));
    const { code, out } = await run([
      'properties',
      'check',
      at('after.json'),
      '--original',
      at('before.json'),
    ]);
    expect([code, out]).toEqual([
      1,
      'error: "mode" cannot be edited and requires the value of the original [fixed-member]\nerror: "scalingMode": "manual" requires "min" and "max" to be equal, not 1 and 4 [manual-range]\n',
    ]);
    const old = await run(['properties', 'check', at('before.json'), '--for-version', '10.9', '--json']);
    expect(JSON.parse(old.out)).toMatchObject([{ code: 'needs-version' }, { code: 'needs-version' }]);
    expect((await run(['properties', 'check', '-'], { input: '{}' })).out).toContain(
      '"id" requires a value [wrong-type]',
    );
    expect(await run(['properties', 'diff', at('before.json'), at('after.json')])).toMatchObject({
      code: 0,
      out: 'mode: "Dedicated" → "Shared" (cannot be edited)\nspec.replicas.max: 1 → 4\n',
      err: expect.stringContaining('those that exist keep theirs'),
    });
  });

  test('edit shows what changes and asks', async () => {
    await using deployment = await start();
    const edit = `properties edit --id ${gp} --set spec.replicas.min=2 --set spec.replicas.max=2`;
    const dry = await deployment.call(`${edit} --dry-run`);
    expect(dry).toMatchObject({
      code: 0,
      out: 'spec.replicas.min: 1 → 2\nspec.replicas.max: 1 → 2\n',
      err: expect.stringContaining('Nothing was sent.'),
    });
    expect(await deployment.call(edit)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--yes is required'),
    });
    expect(await deployment.call(edit, { confirm: false })).toMatchObject({
      code: 1,
      err: expect.stringContaining('Nothing was sent.'),
    });
    expect(await deployment.call(edit, { confirm: true })).toMatchObject({
      code: 0,
      err: expect.stringContaining('were changed'),
    });
    expect(await deployment.call(`${edit} --yes`)).toMatchObject({ code: 0, out: 'No changes.\n' });
    expect((await deployment.call('properties list')).out).toMatch(new RegExp(`${gp} .* 2 +manual`));
  });

  test('edit sends a file, unless someone else was faster', async () => {
    await using deployment = await start();
    await deployment.call(`properties show ${gp} --out ${at('gp.json')}`);
    const file = `properties edit ${at('gp.json')} --yes --set spec.containers.main-container.resources.cpuMax=3`;
    expect((await deployment.call(file)).code).toBe(0);
    expect(await deployment.call(file)).toMatchObject({
      code: 1,
      err: expect.stringContaining('may have been edited in between'),
    });
  });

  test.each([
    ['properties edit --yes', 'One template is required'],
    [`properties edit a.json --id ${gp}`, 'One template is required'],
    [`properties edit --id ${gp} --set spec.replica.max=4`, 'There is no "spec.replica" in the template'],
    [`properties edit --id ${gp} --set spec`, 'requires the form PATH=VALUE'],
    ['properties edit /nowhere.json', 'cannot be read'],
    ['properties check - --for-version new', '--for-version must be a version such as 11.2, got "new"'],
  ])('%s is a mistake', async (line, message) => {
    await using deployment = await start();
    expect(await deployment.call(line)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  });

  test('a template that there is not', async () => {
    await using deployment = await start();
    expect(await deployment.call('properties show nope')).toMatchObject({
      code: 3,
      err: expect.stringContaining('check the identifier of the template, "nope"'),
    });
  });

  test('edit refuses what the check finds', async () => {
    await using deployment = await start();
    expect(await deployment.call(`properties edit --id ${gp} --set spec.replicas.max=4 --yes`)).toMatchObject(
      {
        code: 1,
        err: expect.stringContaining('[manual-range]'),
      },
    );
  });
});

describe('upgrade', () => {
  const release = 'rel_20062023_3480';
  const patch = 'pat_24012023_3162';

  test('from the settings to the end', async () => {
    await using deployment = await start({ version: '11.0' });
    const { call } = deployment;
    expect((await call('upgrade available')).out).toMatch(
      new RegExp(`${patch} +patch +11\\.0[\\s\\S]*${release} +release +11\\.1`),
    );
    const settings = await call(`upgrade settings ${release} --out ${at('settings.json')}`);
    expect(settings).toMatchObject({
      code: 0,
      err: expect.stringContaining('Still missing: "licenseUpload" requires'),
    });
    expect(await call(`upgrade check ${at('settings.json')}`)).toMatchObject({
      code: 1,
      out: expect.stringContaining('[license-missing]'),
    });
    expect(await call(`upgrade start ${release} --settings ${at('settings.json')} --yes`)).toMatchObject({
      code: 1,
    });

    await writeFile(at('license.json'), '{}');
    await writeFile(at('license.txt'), '{}');
    expect(await call(`upgrade license ${at('license.txt')}`)).toMatchObject({
      code: 2,
      err: expect.stringContaining('A license must be a ".json" file'),
    });
    const license = await call(`upgrade license ${at('license.json')} --settings ${at('settings.json')}`);
    expect(license.out).toMatch(/^i[0-9a-f-]{36}\n$/);
    expect(await call(`upgrade check ${at('settings.json')}`)).toMatchObject({
      code: 0,
      out: 'No findings.\n',
    });

    const started = await call(
      `upgrade start ${release} --settings ${at('settings.json')} --yes --watch --every 1s --out ${at('messages.ndjson')}`,
    );
    expect(started.code).toBe(0);
    expect(started.err).toContain('The upgrade has started (in_progress).');
    expect(started.err).toContain('The upgrade succeeded. It took 1.5 s.');
    expect(started.out).toMatch(
      /^\d{4}-.*Z {2}2010 {2}Upgrade process started from version 11\.0\.3150 to version 11\.1\.3495\. {2}\(the upgrade has started/,
    );
    expect(started.out).toContain('2175  9 out of 9 deployments updated.');
    const messages = (await readFile(at('messages.ndjson'), 'utf8')).trimEnd().split('\n');
    expect(messages).toHaveLength(started.out.trimEnd().split('\n').length);

    const imported = await run(['import', at('messages.ndjson'), '--into', at('upgrade.duckdb')]);
    expect(imported.code).toBe(0);
    const found = await run([
      'sql',
      'SELECT msg FROM logs WHERE "logCode" = 2010',
      at('upgrade.duckdb'),
      '--csv',
    ]);
    expect(found.out).toContain('Upgrade process started from version 11.0.3150');
    expect((await call('upgrade rollback-options')).out).toContain('release');
  });

  largeTest('messages are loaded into a case beside its logs, each once', async () => {
    const faults = [{ on: 'upgrade', effect: 'failUpgrade', after: 0.9 }] as const;
    await using deployment = await start({ version: '11.0', faults });
    const { call } = deployment;
    await run(['import', 'samples/incident.ndjson', '--into', at('case.duckdb')]);
    expect(await call(`upgrade start ${patch} --yes --into ${at('case.duckdb')}`)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--into requires --watch'),
    });
    const watched = await call(
      `upgrade start ${patch} --yes --watch --every 1s --into ${at('case.duckdb')} --out ${at('messages.ndjson')}`,
    );
    expect(watched.code).toBe(3);
    const said = watched.out.trimEnd().split('\n').length;
    const inCase = (...words: string[]) => run([...words, at('case.duckdb')]);
    const counted = async () =>
      JSON.parse(
        (await inCase('search', 'source:"Enterprise Admin" AND logCode:[2010 TO 2291]', '--count', '--json'))
          .out,
      );
    const count = await counted();
    expect(JSON.stringify(count)).toContain(`${said}`);

    // Everything that was said is said again, and nothing of it is loaded again.
    expect((await call(`upgrade watch --every 1s --into ${at('case.duckdb')}`)).code).toBe(3);
    const again = await run(['import', at('messages.ndjson'), '--into', at('case.duckdb')]);
    expect(again.out).toMatch(new RegExp(` 0 +0 +${said} messages already in the case\\n$`));
    expect(await counted()).toEqual(count);
    expect(await inCase('verify')).toMatchObject({ code: 0 });

    const failure = await inCase('search', 'msg:failed AND logCode:2013', '--json');
    expect(JSON.parse(failure.out)).toMatchObject({
      logs: [{ log: { source: 'Enterprise Admin', logCode: 2013 } }],
    });
    expect((await inCase('histogram', '--search', 'logCode:2173')).code).toBe(0);
    expect((await inCase('top', 'source')).out).toContain('Enterprise Admin');
    const parts = await inCase(
      'sql',
      'SELECT format, sum(logs) FROM parts GROUP BY format ORDER BY format',
      '--csv',
    );
    expect(parts.out).toContain(`upgrade,${said}`);
  });

  test('an unusable case is reported before the upgrade starts', async () => {
    await using deployment = await start({ version: '11.0' });
    await writeFile(at('text.duckdb'), 'no case');
    const begun = await deployment.call(`upgrade start ${patch} --yes --watch --into ${at('text.duckdb')}`);
    expect(begun).toMatchObject({ code: 2, err: expect.stringContaining('[NOT_A_CASE]') });
    expect((await deployment.call('upgrade watch')).err).toContain('No upgrade is running');
  });

  test('watch tells of a failure, of nothing, and as JSON', async () => {
    // The clock of the deployment stands until the upgrade is watched.
    const started = Date.now();
    let stood: number | undefined;
    await using deployment = await start({
      version: '11.0',
      faults: [{ on: 'upgrade', effect: 'failUpgrade', after: 0.5 }],
      now: () => (stood === undefined ? started : Date.now() - stood),
    });
    const { call } = deployment;
    expect(await call('upgrade watch --every 1s')).toMatchObject({
      code: 1,
      err: expect.stringContaining('No upgrade is running'),
    });
    expect(await call('upgrade rollback-options')).toMatchObject({
      err: expect.stringContaining('so there is no rollback'),
    });
    expect(await call(`upgrade start ${patch}`, { confirm: false })).toMatchObject({ code: 1 });
    expect(await call(`upgrade start ${patch}`, { confirm: true })).toMatchObject({
      code: 0,
      err: expect.stringContaining('Follow it with "logquarry upgrade watch"'),
    });
    expect(await call(`upgrade start ${patch} --yes`)).toMatchObject({
      code: 3,
      err: expect.stringContaining('[UPGRADE_RUNNING]'),
    });
    stood = Date.now() - started;
    const { code, out } = await call('upgrade watch --every 1s --json');
    expect(code).toBe(3);
    const events = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events[0]).toMatchObject({
      kind: 'message',
      message: { code: 2010 },
      meaning: expect.stringContaining('the upgrade has started'),
    });
    expect(events.at(-1)).toMatchObject({ kind: 'ended', status: { state: 'failed' } });
    expect(await call('upgrade watch --every 1s')).toMatchObject({
      code: 3,
      err: expect.stringContaining('The upgrade failed after'),
    });
  });

  test.each([
    ['upgrade check /nowhere.json', 'cannot be read'],
    ['upgrade license /nowhere.json', 'cannot be read'],
    ['upgrade start rel_1_1 --settings SETTINGS', 'must hold the settings of an upgrade'],
    ['upgrade license TEXT', 'must hold a license in JSON'],
  ])('%s is a mistake', async (line, message) => {
    await writeFile(at('settings.json'), '{"a":1}');
    await writeFile(at('text.json'), 'text');
    const words = line.replace('SETTINGS', at('settings.json')).replace('TEXT', at('text.json'));
    expect(await run(words.split(' '))).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  });
});

describe('sign-in and sign-out', () => {
  test('keep a token in a profile for its owner, and end it', async () => {
    await using deployment = await start();
    await writeFile(at('gis.json'), 'readable by others', { mode: 0o644 });
    const { code, out } = await deployment.call(`sign-in --out ${at('gis.json')} --minutes 5 --json`);
    expect(code).toBe(0);
    expect(Date.parse(JSON.parse(out).expires) - Date.now()).toBeLessThan(301_000);
    expect((await stat(at('gis.json'))).mode & 0o777).toBe(0o600);
    expect(await readFile(at('gis.json'), 'utf8')).not.toContain('"pw"');
    const byProfile = (line: string) => run([...line.split(' '), '--profile', at('gis.json')]);
    expect(await byProfile('catalog folders')).toMatchObject({ code: 0 });
    expect(await byProfile('sign-out')).toMatchObject({ code: 0, err: 'The token was revoked.\n' });
    expect(await byProfile('catalog folders')).toMatchObject({
      code: 3,
      err: expect.stringContaining('[TOKEN_EXPIRED]'),
    });
    expect(await deployment.call('sign-out')).toMatchObject({
      code: 2,
      err: expect.stringContaining('A token is required'),
    });
    expect(await deployment.call('sign-in')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--out FILE or --save NAME is required'),
    });
  });

  test('a command gives tokens', async () => {
    await using deployment = await start();
    await deployment.call(`sign-in --out ${at('gis.json')}`);
    const command = `node -p "JSON.parse(require('fs').readFileSync('${at('gis.json')}','utf8')).token"`;
    const call = (tokenCommand: string) =>
      run([
        'upgrade',
        'available',
        '--url',
        deployment.url,
        '--referer',
        `${deployment.url}/admin`,
        '--token-command',
        tokenCommand,
      ]);
    expect(await call(command)).toMatchObject({ code: 0 });
    expect(await call('exit 3')).toMatchObject({
      code: 2,
      err: expect.stringContaining('failed (exit code 3)'),
    });
    expect(await call('echo two words')).toMatchObject({
      code: 2,
      err: expect.stringContaining('one token and nothing else'),
    });
  });
});
