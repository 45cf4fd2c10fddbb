import { describe, expect, test } from 'vitest';
import { ClientError } from '../../src/client/errors.ts';
import { readJob, submitExport } from '../../src/client/exports.ts';
import { newestLogsRequest, toExportForm } from '../../src/protocol/export-jobs.ts';
import { type FailureShape, toFailureBody } from '../../src/protocol/reply.ts';
import { clientOf, deploymentOf, emptyZip, gis } from './deployment.ts';

const submitted = { jobsUrl: `${gis.root}/jobs/j1`, jobid: 'j1', status: 'SUBMITTED' };

async function errorOf(response: Response): Promise<Pick<ClientError, 'code' | 'message'>> {
  const { fetch } = deploymentOf(() => response.clone());
  const error = await submitExport(clientOf(fetch), newestLogsRequest).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(ClientError);
  return { code: error.code, message: error.message };
}

test('an export is submitted with all its parameters and the token in the form', async () => {
  const { fetch, seen } = deploymentOf(() => Response.json(submitted));
  expect(await submitExport(clientOf(fetch), newestLogsRequest)).toEqual(submitted);
  expect(seen).toMatchObject([
    {
      method: 'POST',
      path: '/arcgis/admin/logs/export',
      search: '',
      form: { ...Object.fromEntries(toExportForm(newestLogsRequest)), token: 'token-1' },
    },
  ]);
});

test('a job address behind a proxy is asked where the deployment is, without the token it may hold', async () => {
  const { fetch } = deploymentOf(() =>
    Response.json({ ...submitted, jobsUrl: 'http://10.1.2.3:7443/arcgis/admin/jobs/j1?token=token-1' }),
  );
  expect((await submitExport(clientOf(fetch), newestLogsRequest)).jobsUrl).toBe(submitted.jobsUrl);
});

describe('a failure of the deployment with HTTP status 200', () => {
  const failed = 'The export was not accepted: ';
  test.each([
    [403, 'FORBIDDEN', `${failed}the user lacks the privilege to export logs (403: No; really)`],
    [400, 'REFUSED', `${failed}the deployment refused the request (400: No; really)`],
    [undefined, 'REFUSED', `${failed}the deployment refused the request (No; really)`],
    [
      500,
      'SERVER_ERROR',
      `${failed}the deployment is in trouble or overloaded (500: No; really): try again later`,
    ],
    [
      404,
      'BAD_REPLY',
      `${failed}there is nothing at "${gis.exportLogs}" (404: No; really): check the address of the deployment; the operation requires version 11.0`,
    ],
  ])('with the code %s', async (code, expected, message) => {
    const failure = { ...(code !== undefined && { code }), message: 'No', details: ['really'] };
    for (const shape of [
      'error',
      'status error',
      'status failed',
      'success false',
    ] satisfies FailureShape[]) {
      expect(await errorOf(Response.json(toFailureBody(failure, shape)))).toEqual({
        code: expected,
        message,
      });
    }
  });

  test('that gives no reason', async () => {
    expect((await errorOf(Response.json({ success: false }))).message).toContain('(no reason given)');
  });

  test('with control characters and a long text', async () => {
    const failure = { message: `\u001b[2J${'x'.repeat(5000)}`, details: [] };
    const { message } = await errorOf(Response.json(toFailureBody(failure)));
    expect(message).not.toMatch(/\p{Cc}/u);
    expect(message.length).toBeLessThan(400);
  });
});

describe('an answer that is not what was asked for', () => {
  test.each([
    [
      'a sign-in page',
      new Response('<!DOCTYPE html><html><head><title>Sign In</title>', {
        headers: { 'content-type': 'text/html' },
      }),
      'BAD_REPLY',
      `"${gis.exportLogs}" answered with a web page ("Sign In") instead of JSON: the address of the deployment may be wrong, or a sign-in page or a proxy stands before it`,
    ],
    ['nothing', new Response(null, { status: 204 }), 'BAD_REPLY', 'answered with something that is not JSON'],
    [
      'a text',
      new Response('upstream error'),
      'BAD_REPLY',
      'answered with something that is not JSON ("upstream error")',
    ],
    ['half of it', new Response('{"jobsUrl":'), 'BAD_REPLY', 'is not JSON ("{"jobsUrl":")'],
    ['a zip', new Response(emptyZip), 'BAD_REPLY', 'answered with a zip instead of JSON'],
    [
      'other JSON',
      Response.json({ a: 1 }),
      'BAD_REPLY',
      'answered with JSON that is not a submitted job ("{"a":1}")',
    ],
    [
      'a job without an address',
      Response.json({ ...submitted, jobsUrl: 'file:///x' }),
      'BAD_REPLY',
      'not a submitted job',
    ],
    [
      'a page not found',
      new Response('<html><h1>404</h1></html>', { status: 404 }),
      'BAD_REPLY',
      'there is nothing at',
    ],
    [
      'a page of a proxy',
      new Response('<html></html>', { status: 502 }),
      'SERVER_ERROR',
      '(HTTP 502): try again later',
    ],
    ['JSON with a status of failure', Response.json({ a: 1 }, { status: 500 }), 'SERVER_ERROR', 'HTTP 500'],
    [
      'a redirect',
      new Response(null, {
        status: 301,
        headers: { location: 'https://new.example.com/arcgis/admin/logs/export?token=x' },
      }),
      'BAD_REPLY',
      'redirects to "https://new.example.com/arcgis/admin/logs/export": use the address of the deployment that it leads to',
    ],
    ['a redirect to nowhere', new Response(null, { status: 302 }), 'BAD_REPLY', 'redirects elsewhere'],
  ])('%s', async (_what, response, code, message) => {
    expect(await errorOf(response)).toEqual({ code, message: expect.stringContaining(message) });
  });
});

describe('a job', () => {
  test('that failed is read like any other', async () => {
    const { fetch } = deploymentOf(() =>
      Response.json({ jobid: 'j1', status: 'FAILED', messages: ['Disk full'] }),
    );
    expect(await readJob(clientOf(fetch), submitted.jobsUrl)).toEqual({
      jobid: 'j1',
      status: 'FAILED',
      messages: ['Disk full'],
    });
  });

  test.each([
    ['JSON that is none', Response.json([]), 'answered with JSON that is not a job ("[]")'],
    ['a page', new Response('<html><title>Home</title>'), 'The job could not be read: '],
  ])('answered by %s', async (_what, response, message) => {
    const { fetch } = deploymentOf(() => response.clone());
    await expect(readJob(clientOf(fetch), submitted.jobsUrl)).rejects.toMatchObject({
      code: 'BAD_REPLY',
      message: expect.stringContaining(message),
    });
  });

  test('that the deployment has forgotten', async () => {
    const forgotten = toFailureBody({ code: 404, message: 'Job not found.', details: [] });
    const { fetch } = deploymentOf(() => Response.json(forgotten));
    await expect(readJob(clientOf(fetch), submitted.jobsUrl)).rejects.toMatchObject({
      code: 'BAD_REPLY',
      message: `The job could not be read: there is nothing at "${submitted.jobsUrl}" (404: Job not found.): where the deployment has forgotten the job, the export can only be started anew`,
    });
  });

  test('without a usable address', async () => {
    const { fetch, seen } = deploymentOf(() => Response.json({}));
    await expect(readJob(clientOf(fetch), 'file:///etc/passwd')).rejects.toMatchObject({ code: 'BAD_REPLY' });
    expect(seen).toEqual([]);
  });
});
