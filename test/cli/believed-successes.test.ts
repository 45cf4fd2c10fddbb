import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { template } from '../administration/a-template.ts';
import { serve } from '../client/http-server.ts';
import { run } from './run-in-process.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logquarry-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Answers a call of a path below the administrative address; `count` is the number of calls of it before. */
type Answer = (path: string, count: number) => unknown;

/** A deployment that says of everything that it went well, and does what the test says. */
async function boasting(answer: Answer) {
  const counts = new Map<string, number>();
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    await text(request);
    const path = new URL(request.url ?? '/', 'http://gis.test').pathname.replace(/^\/gis\/admin\//, '');
    const count = counts.get(path) ?? 0;
    counts.set(path, count + 1);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer(path, count)));
  };
  const server = await serve((request, response) => void respond(request, response));
  const environment = { LOGQUARRY_URL: `${server.url}/gis`, LOGQUARRY_TOKEN: 'a-token' };
  return {
    call: (line: string) => run(line.split(' '), { environment }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const more = {
  ...template,
  spec: { ...template.spec, replicas: { ...template.spec.replicas, min: 2, max: 2 } },
};
const edit = `properties edit --id ${template.id} --set spec.replicas.min=2 --set spec.replicas.max=2 --yes`;

describe('an edit of the default properties', () => {
  const deploymentWith = (stored: unknown, success: object = {}) =>
    boasting((path, count) =>
      path.endsWith('/edit') ? { status: 'success', ...success } : count === 0 ? template : stored,
    );

  test.each<[kind: string, messages: unknown, shown: string]>([
    ['texts', ['It is used from tomorrow on.'], 'It is used from tomorrow on.'],
    ['objects with a text', [{ type: 'warning', message: 'Not yet.' }], 'Not yet.'],
    ['other objects', [{ code: 41, description: 'Not yet.' }], '{"code":41,"description":"Not yet."}'],
    ['one object', { description: 'Not yet.' }, '{"description":"Not yet."}'],
    ['lists and numbers', [[], 7, null], '7'],
  ])('is done where the same comes back, and its messages are shown: %s', async (_, messages, shown) => {
    await using deployment = await deploymentWith(more, { messages });
    const { code, err } = await deployment.call(edit);
    expect([code, err]).toEqual([0, expect.stringContaining(shown)]);
    expect(err).toContain('The default properties were changed.');
  });

  test.each<[why: string, stored: unknown]>([
    ['nothing was stored', template],
    ['something else was stored', { ...more, mode: 'shared' }],
    ['it cannot be read back', { error: { code: 500, message: 'Later.', details: [] } }],
    ['another template comes back', { ...more, id: 'another' }],
  ])('is not said to be done where %s', async (_, stored) => {
    await using deployment = await deploymentWith(stored);
    const { code, err } = await deployment.call(edit);
    expect(code).toBe(4);
    expect(err).not.toContain('The default properties were changed.');
  });

  test('is not made of a template that another identifier was asked for', async () => {
    await using deployment = await boasting((path) =>
      path.endsWith('/edit') ? { status: 'success' } : { ...template, id: 'another' },
    );
    const { code, err } = await deployment.call(edit);
    expect(code).not.toBe(0);
    expect(err).toContain(`answered with the template "another" in place of "${template.id}"`);
  });

  test('is not made of a file that has a member twice', async () => {
    const path = join(folder, 'twice.json');
    await writeFile(path, JSON.stringify(template).replace('"min":1', '"min":1,"min":7'));
    await using deployment = await deploymentWith(more);
    for (const line of [`properties check ${path}`, `properties edit ${path} --yes`])
      expect(await deployment.call(line)).toMatchObject({
        code: 2,
        err: expect.stringContaining('"spec.replicas.min"'),
      });
  });
});

test('a license that was not committed is none', async () => {
  const path = join(folder, 'license.json');
  await writeFile(path, '{}');
  const item = { itemID: 'i1', itemName: 'license.json', committed: false };
  await using deployment = await boasting(() => ({ success: true, item }));
  const { code, out, err } = await deployment.call(`upgrade license ${path}`);
  expect([code, out]).toEqual([3, '']);
  expect(err).toContain('did not commit it');
});

describe('an upgrade that is started and watched', () => {
  const status = (state: string, code: number, ...messages: unknown[]) => ({
    status: { state, code, messages },
  });
  const begun = { message: 'Upgrade process started.', code: 2010, when: 4_000_000_000_000 };
  const ended = { message: 'Upgrade process completed.', code: 2011, when: 4_000_000_060_000 };
  const stale = { ...ended, when: 1_000_000_000_000 };

  test.each<[why: string, end: unknown, said: string]>([
    ['a success with the code of a failure', status('success', 2, begun, ended), 'code of another state'],
    ['messages that are older than the start', status('success', 3, stale), 'older than the start'],
    ['no upgrade after one was under way', status('no_upgrade', 0), 'how it ended is not known'],
  ])('has no known end with %s', async (_, end, said) => {
    await using deployment = await boasting((path, count) => {
      if (path.endsWith('/upgrade')) return status('in_progress', 1);
      return count === 0 ? status('no_upgrade', 0) : count === 1 ? status('in_progress', 1) : end;
    });
    const { code, err } = await deployment.call('upgrade start rel_1_1 --yes --watch --every 1s');
    expect([code, err]).toEqual([4, expect.stringContaining(said)]);
    expect(err).not.toContain('The upgrade succeeded');
  });
});
