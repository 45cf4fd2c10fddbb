import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Interrupted } from '../../src/cli/terminal/terminal.ts';
import { serve } from '../client/http-server.ts';
import { largeTest } from '../large-test.ts';
import { type RunOptions, run } from './run-in-process.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-test-'));
});
afterAll(() => rm(folder, { recursive: true }));
const at = (name: string) => join(folder, name);

/** A request to an operation below the upgrades resource; its name is empty for the resource itself. */
interface Asked {
  readonly operation: string;
  readonly body: string;
  readonly contentType: string;
  /** Number of earlier calls of the operation. */
  readonly before: number;
}

type Answer = { readonly status?: number; readonly body: unknown } | 'break' | 'hang';

/** A deployment on loopback that answers as the test says, and what it was asked. */
async function deploymentOf(answer: (asked: Asked) => Answer) {
  const asked: Asked[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const operation = /\/upgrades\/?(\w*)$/.exec(request.url ?? '')?.[1] ?? '';
    const before = asked.filter((each) => each.operation === operation).length;
    const now = { operation, body, contentType: request.headers['content-type'] ?? '', before };
    asked.push(now);
    const answered = answer(now);
    if (answered === 'break') return void request.socket.destroy();
    if (answered === 'hang') return;
    response.writeHead(answered.status ?? 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answered.body));
  };
  const server = await serve((request, response) => void respond(request, response));
  const environment = { LOGQUARRY_URL: `${server.url}/gis`, LOGQUARRY_TOKEN: 'a-token' };
  const call = (line: string, more: RunOptions = {}) =>
    run(line.split(' '), { environment: { ...environment, ...more.environment }, ...more });
  return { asked, call, url: server.url, [Symbol.asyncDispose]: server[Symbol.asyncDispose] };
}

const status = (state: string | number, code: number | string, ...messages: unknown[]): Answer => ({
  body: { status: { state, code, messages } },
});
const old = { message: 'The deployment was upgraded.', code: 2012, when: 1_700_000_000_000 };
const first = { message: 'Upgrade process started.', code: 2010, when: 4_000_000_000_000 };
const last = { message: 'Upgrade process completed.', code: 2011, when: 4_000_000_060_000 };
const start = 'upgrade start rel_1_1 --yes';

describe.concurrent('starting and watching', () => {
  test('the state of an earlier upgrade is not taken for this one', async () => {
    await using deployment = await deploymentOf(({ operation, before }) => {
      if (operation === 'upgrade') return status('in_progress', 1, first);
      return before < 2 ? status('success', 3, old) : status('success', 3, first, last);
    });
    const { code, out, err } = await deployment.call(`${start} --watch --every 1s`);
    expect(code).toBe(0);
    expect(err).toContain('The deployment still reports the state from before the start ("success", code 3)');
    expect(err).toContain('The upgrade succeeded. It took 1 min 0 s.');
    expect(out).not.toContain(old.message);
  });

  test('nor is that of no upgrade; a failure ends with 3', async () => {
    await using deployment = await deploymentOf(({ operation, before }) => {
      if (operation === 'upgrade') return status('in_progress', 1, first);
      return before < 2 ? status('no_upgrade', 0) : status('failed', 2, first, last);
    });
    expect(await deployment.call(`${start} --watch --every 1s`)).toMatchObject({
      code: 3,
      err: expect.stringContaining('The upgrade failed after 1 min 0 s'),
    });
  });

  largeTest('a state that stays as it was ends with 4, and says how to watch again', async () => {
    await using deployment = await deploymentOf(({ operation }) =>
      operation === 'upgrade' ? status('in_progress', 1, first) : status('success', 3, old),
    );
    const { code, err } = await deployment.call(`${start} --watch --every 1s --patience 1s`);
    expect(code).toBe(4);
    expect(err).not.toContain('succeeded');
    expect(err).toContain('A running upgrade continues: watch again with "logquarry upgrade watch".');
    expect(err).toContain('[BAD_REPLY]');
  });

  test('a start that is refused while another upgrade runs has not started', async () => {
    await using deployment = await deploymentOf(({ operation, before }) => {
      const refusal = { error: { code: 503, message: 'An upgrade is in progress.' } };
      if (operation === 'upgrade') return { status: 503, body: refusal };
      return before === 0 ? status('success', 3, old) : status('in_progress', 1, first);
    });
    const { code, err } = await deployment.call(`${start} --watch`);
    expect(code).toBe(3);
    expect(err).toContain('The upgrade was not started: the deployment refused it');
    expect(err).not.toContain('has started');
  });

  test('where the answer is lost, an upgrade that shows is perhaps another one', async () => {
    await using deployment = await deploymentOf(({ operation, before }) => {
      if (operation === 'upgrade') return 'break';
      if (before === 0) return status('success', 3, old);
      return before === 1 ? status('in_progress', 1, first) : status('success', 3, first, last);
    });
    const { code, err } = await deployment.call(`${start} --watch --every 1s`);
    expect(err).toContain('looking for it for up to 2 min 0 s');
    expect(err).toContain('An upgrade is running, perhaps not this one (in_progress)');
    expect(err).toContain('The upgrade succeeded.');
    expect(code).toBe(4);
  });

  test('an answer that says that it failed is no start', async () => {
    await using deployment = await deploymentOf(({ operation }) =>
      operation === 'upgrade' ? status('failed', 2, first) : status('no_upgrade', 0),
    );
    const { code, err } = await deployment.call(start);
    expect({ code, err }).toEqual({
      code: 3,
      err: expect.stringContaining('The upgrade failed immediately'),
    });
    expect(err).not.toContain('has started');
  });

  test('an answer with the state from before is no failure of this one', async () => {
    await using deployment = await deploymentOf(() => status('failed', 2, old));
    const { code, err } = await deployment.call(start);
    expect(code).toBe(0);
    expect(err).toContain(
      'The deployment accepted the upgrade, and still reports the previous state (failed)',
    );
  });

  test('Ctrl-C while the request is on its way says that it may have started', async () => {
    const abort = new AbortController();
    await using deployment = await deploymentOf(({ operation }) => {
      if (operation !== 'upgrade') return status('no_upgrade', 0);
      abort.abort(new Interrupted('Interrupted'));
      return 'hang';
    });
    const { code, err } = await deployment.call(`${start} --watch`, { signal: abort.signal });
    expect(code).toBe(130);
    expect(err).toContain('The request was already sent, so the upgrade may have started');
    expect(err).toContain('after two minutes at the latest');
  });

  test('Ctrl-C before it is on its way says that nothing was sent', async () => {
    const abort = new AbortController();
    await using deployment = await deploymentOf(() => {
      abort.abort(new Interrupted('Interrupted'));
      return status('no_upgrade', 0);
    });
    const { code, err } = await deployment.call(start, { signal: abort.signal });
    expect(code).toBe(130);
    expect(err).toContain('Nothing was sent.\nInterrupted.\n');
    expect(deployment.asked.map(({ operation }) => operation)).toEqual(['']);
  });

  test('Ctrl-C while watching says that the upgrade goes on', async () => {
    const abort = new AbortController();
    await using deployment = await deploymentOf(() => {
      setTimeout(() => abort.abort(new Interrupted('Interrupted')), 50);
      return status('in_progress', 1, first);
    });
    const { code, err } = await deployment.call(`upgrade watch --url ${deployment.url}/gis`, {
      signal: abort.signal,
    });
    expect(code).toBe(130);
    expect(err).toContain(`A running upgrade continues: watch again with "logquarry upgrade watch --url `);
  });
});

describe.concurrent('watching', () => {
  test('a token that is refused ends with 4: how the upgrade ends is not known', async () => {
    await using deployment = await deploymentOf(() => ({
      body: { error: { code: 498, message: 'Invalid token' } },
    }));
    expect(await deployment.call('upgrade watch')).toMatchObject({
      code: 4,
      err: expect.stringMatching(/continues[\s\S]*\[TOKEN_EXPIRED\]/),
    });
  });

  test('none is none', async () => {
    await using deployment = await deploymentOf(() => status('no_upgrade', 0));
    expect(await deployment.call('upgrade watch')).toMatchObject({
      code: 1,
      err: expect.stringContaining('No upgrade is running, and there was none before.'),
    });
  });

  test('the latest finished one is shown with its time', async () => {
    await using deployment = await deploymentOf(() => status('success', 3, first, last));
    expect(await deployment.call('upgrade watch')).toMatchObject({
      code: 0,
      err: 'No upgrade is running. The latest one ended at 2096-10-02T07:07:40Z. The upgrade succeeded. It took 1 min 0 s.\n',
    });
  });

  test('a state that is not known is shown, and not waited for without end', async () => {
    await using deployment = await deploymentOf(() => status('FINALIZING', 7, first));
    const { code, err } = await deployment.call('upgrade watch --every 1s --patience 1s');
    expect(code).toBe(4);
    expect(err).toContain('The state "FINALIZING", code 7 is not documented');
    expect(err).toContain('[BAD_REPLY]');
  });

  test('messages without a time, a code or a text are shown, and never as of 1970', async () => {
    await using deployment = await deploymentOf(() =>
      status('SUCCESS', '3', { message: 'a' }, { code: '2012', when: 0, other: 1 }, 'b', {
        message: 7,
        when: null,
      }),
    );
    const { code, out, err } = await deployment.call('upgrade watch');
    expect(code).toBe(0);
    expect(out).not.toContain('1970');
    expect(out.split('\n').map((line) => line.replace(/ {2,}/g, ' '))).toEqual([
      'no time given 0 a',
      'no time given 2012 (the deployment is upgraded)',
      'no time given 0 b',
      'no time given 0 7',
      '',
    ]);
    expect(err).toBe(
      'No upgrade is running. The latest one ended at an unknown time. The upgrade succeeded.\n',
    );
  });
});

largeTest('messages without a time are in a case once each, beside those that have one', async () => {
  const timeless = { message: 'Upgrade process started.', code: 2010 };
  await using deployment = await deploymentOf(({ before }) =>
    before === 0
      ? status('in_progress', 1, timeless)
      : status('success', 3, timeless, { message: 'b', code: '2012', when: null }, last),
  );
  const watched = await deployment.call(`upgrade watch --every 1s --into ${at('timeless.duckdb')}`);
  expect(watched).toMatchObject({ code: 0 });
  const count = 'SELECT "logCode", source, "time" IS NULL AS timeless FROM logs ORDER BY "logCode"';
  expect((await run(['sql', count, at('timeless.duckdb'), '--csv'])).out.trim().split(/\r?\n/)).toEqual([
    'logCode,source,timeless',
    '2010,Enterprise Admin,true',
    '2011,Enterprise Admin,false',
    '2012,Enterprise Admin,true',
  ]);
});

describe.concurrent('what is sent', () => {
  const steady = ({ operation }: Asked): Answer =>
    operation === '' ? status('no_upgrade', 0) : status('in_progress', 1, first);

  async function formOf({ body, contentType }: Asked): Promise<FormData> {
    return new Response(body, { headers: { 'content-type': contentType } }).formData();
  }

  test('the version manifest and the patches go with the form', async () => {
    await writeFile(at('versionManifest.dat'), 'opaque');
    await using deployment = await deploymentOf(steady);
    const line = `${start} --version-manifest ${at('versionManifest.dat')} --update-to-latest-patch false`;
    expect((await deployment.call(line)).code).toBe(0);
    const sent = deployment.asked.find(({ operation }) => operation === 'upgrade');
    const form = sent && (await formOf(sent));
    const file = form?.get('versionManifestFile');
    expect(file instanceof File && [file.name, await file.text()]).toEqual(['versionManifest.dat', 'opaque']);
    expect(form?.get('updateToLatestPatch')).toBe('false');
    expect(form?.get('versionManifest')).toBe('{"id":"rel_1_1"}');
  });

  test('what cannot be is refused before anything is sent', async () => {
    await writeFile(at('empty.dat'), '');
    await writeFile(at('list.json'), '[]');
    await using deployment = await deploymentOf(steady);
    const words: [readonly string[], string][] = [
      [['start', '', '--yes'], 'ID must be the identifier of a release or patch'],
      [['start', ' ', '--yes'], 'ID must be the identifier of a release or patch'],
      [['settings', ''], 'ID must be the identifier of a release or patch'],
      [['rollback', 'rel_1_1\n', '--yes'], 'ID must be the identifier of a release or patch'],
      [
        ['rollback', 'rel_1_1', '--yes', '--settings', at('list.json')],
        'must hold the settings of a rollback',
      ],
      [['start', 'rel_1_1', '--yes', '--version-manifest', at('empty.dat')], 'is empty'],
      [['start', 'rel_1_1', '--yes', '--license', at('empty.dat')], 'A license must be a ".json" file'],
      [['start', 'rel_1_1', '--yes', '--update-to-latest-patch', 'yes'], 'must be one of true, false'],
    ];
    const environment = { LOGQUARRY_URL: `${deployment.url}/gis`, LOGQUARRY_TOKEN: 'a-token' };
    for (const [line, message] of words) {
      const ran = await run(['upgrade', ...line], { environment });
      expect(ran).toMatchObject({ code: 2, err: expect.stringContaining(message) });
    }
    expect(deployment.asked).toEqual([]);
  });

  test('a rehearsal asks and changes nothing', async () => {
    const available: Answer = {
      body: { versions: [{ id: 'rel_1_1', version: 11.3, released: '1718000000000' }] },
    };
    await using deployment = await deploymentOf((asked) =>
      asked.operation === 'available' ? available : steady(asked),
    );
    expect(await deployment.call('upgrade start rel_1_1 --dry-run')).toMatchObject({
      code: 0,
      err: expect.stringContaining('Nothing was sent.'),
    });
    expect(await deployment.call('upgrade start rel_2_2 --dry-run')).toMatchObject({
      code: 1,
      err: expect.stringContaining('"rel_2_2" is not one of the available updates: rel_1_1.'),
    });
    expect((await deployment.call('upgrade available')).out).toMatch(/rel_1_1 +11\.3 +2024-06-10/);
    expect(deployment.asked.some(({ operation }) => operation === 'upgrade')).toBe(false);
  });

  test('how long the token lives is said before the start', async () => {
    await using deployment = await deploymentOf(steady);
    const profile = (minutes: number) => {
      const expires = new Date(Date.now() + minutes * 60_000).toISOString();
      return JSON.stringify({ url: `${deployment.url}/gis`, token: 'a-token', expires });
    };
    await writeFile(at('short.json'), profile(30), { mode: 0o600 });
    await writeFile(at('long.json'), profile(600), { mode: 0o600 });
    const environment = { LOGQUARRY_URL: '', LOGQUARRY_TOKEN: '' };
    const said = async (name: string) =>
      (await deployment.call(`upgrade start rel_1_1 --profile ${at(name)}`, { environment, confirm: false }))
        .err;
    expect(await said('short.json')).toMatch(
      /The token expires at \d{4}-.*Z, in 29 min .*cannot be watched then/,
    );
    expect(await said('long.json')).not.toContain('token');
    expect((await deployment.call(start)).err).toContain('The expiry of the token is unknown');
  });
});

describe.concurrent('the edit of a template', () => {
  test('whose answer is lost may have been made', async () => {
    const template = await readFile('samples/template.json', 'utf8');
    const { id } = JSON.parse(template);
    await using server = await serve((request, response) => {
      if (request.url?.endsWith('/edit')) request.socket.destroy();
      else response.end(template);
    });
    const words = `properties edit --id ${id} --set spec.replicas.min=2 --set spec.replicas.max=2 --yes`;
    const environment = { LOGQUARRY_URL: `${server.url}/gis`, LOGQUARRY_TOKEN: 'a-token' };
    const { code, err } = await run(words.split(' '), { environment });
    expect(code).toBe(3);
    expect(err).toContain(`check with "logquarry properties show ${id}" after two minutes at the latest`);
  });

  test('that is interrupted may have been made', async () => {
    const abort = new AbortController();
    const template = JSON.parse(await readFile('samples/template.json', 'utf8'));
    await using server = await serve((request, response) => {
      if (!request.url?.endsWith('/edit')) return void response.end(JSON.stringify(template));
      abort.abort(new Interrupted('Interrupted'));
    });
    const words = `properties edit --id ${template.id} --set spec.replicas.min=2 --set spec.replicas.max=2 --yes`;
    const environment = { LOGQUARRY_URL: `${server.url}/gis`, LOGQUARRY_TOKEN: 'a-token' };
    const { code, err } = await run(words.split(' '), { environment, signal: abort.signal });
    expect(code).toBe(130);
    expect(err).toContain('The edit may have been made, if the request was already sent');
    expect(err).toContain(`"logquarry properties show ${template.id}"`);
  });
});
