import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { ClientError, toNetworkError } from '../../src/client/errors.ts';
import { type NetworkOptions, openNetwork } from '../../src/client/network.ts';
import { wholeReplies } from '../../src/client/transport.ts';
import { listen, serve, serveTls } from './http-server.ts';

const identity = {
  key: readFileSync(new URL('localhost-key.pem', import.meta.url), 'utf8'),
  cert: readFileSync(new URL('localhost-certificate.pem', import.meta.url), 'utf8'),
};

async function failureOf(
  url: string,
  options: NetworkOptions = {},
  signal?: AbortSignal,
): Promise<ClientError> {
  await using network = openNetwork(options);
  const send = wholeReplies()(network.send);
  try {
    const response = await send(new Request(url, { method: 'POST', body: 'a=b', signal: signal ?? null }));
    throw new Error(`Answered with ${response.status}: ${await response.text()}`);
  } catch (error) {
    if (error instanceof ClientError) return error;
    throw error;
  }
}

async function checkFailure(url: string, expected: object, options: NetworkOptions = {}): Promise<void> {
  const { code, message, arrived } = await failureOf(url, options);
  expect({ code, message, arrived }).toEqual({
    arrived: true,
    ...expected,
  });
}

describe('a deployment that cannot be reached', () => {
  test('has no such host', async () => {
    await checkFailure('http://no-such-host.invalid/arcgis/admin', {
      code: 'UNREACHABLE',
      arrived: false,
      message: expect.stringMatching(
        /^(There is no host "no-such-host.invalid"|The name .* could not be looked up)/,
      ),
    });
  });

  test('refuses connections', async () => {
    const server = createServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    await checkFailure(`http://127.0.0.1:${port}/arcgis`, {
      code: 'UNREACHABLE',
      arrived: false,
      message: `"127.0.0.1:${port}" refuses connections: check the port, and whether the deployment is running (ECONNREFUSED, http://127.0.0.1:${port}/arcgis)`,
    });
  });

  test('is none that HTTP is served at', async () => {
    await checkFailure('http://127.0.0.1:1/arcgis', {
      code: 'UNREACHABLE',
      arrived: false,
      message:
        'The port of "127.0.0.1:1" is none that serves HTTP: check the address (bad port, http://127.0.0.1:1/arcgis)',
    });
  });

  test('resets the connection', async () => {
    await using server = await serve((request) => void request.socket.destroy());
    await checkFailure(server.url, {
      code: 'UNREACHABLE',
      message: expect.stringContaining('broke before the answer was complete'),
    });
  });

  test('does not speak HTTP', async () => {
    const server = createServer((socket) => socket.end('220 mail.example.com ESMTP\r\n'));
    const port = await listen(server);
    await checkFailure(`http://127.0.0.1:${port}/`, {
      code: 'BAD_REPLY',
      message: expect.stringContaining('does not speak HTTP there'),
    });
    server.close();
  });

  test('does not speak TLS', async () => {
    await using server = await serve((_request, response) => void response.end());
    await checkFailure(server.url.replace('http:', 'https:'), {
      code: 'UNTRUSTED',
      arrived: false,
      message: expect.stringContaining('does not speak TLS there'),
    });
  });
});

describe('a slow deployment', () => {
  test('does not answer in time', async () => {
    await using server = await serve(() => {});
    await checkFailure(
      server.url,
      { code: 'TIMED_OUT', message: expect.stringContaining('did not answer in time') },
      { answerTimeout: 100 },
    );
  });

  test('stops in the middle of its answer', async () => {
    await using server = await serve((_request, response) => void response.write('{"status":'));
    await checkFailure(
      server.url,
      { code: 'TIMED_OUT', message: expect.stringContaining('stopped in the middle of its answer') },
      { pauseTimeout: 100 },
    );
  });

  test('sends a byte now and then, for ever', async () => {
    await using server = await serve((_request, response) => {
      const drip = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(drip));
    });
    await using network = openNetwork();
    const send = wholeReplies({ bytes: 1e6, milliseconds: 150 })(network.send);
    await expect(send(new Request(server.url))).rejects.toMatchObject({
      code: 'TIMED_OUT',
      message: `The answer of "${server.url}/" took longer than 0.15 s`,
    });
  });
});

describe('an answer that is cut', () => {
  test('is shorter than it said', async () => {
    await using server = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"status":"SUBMITTED"', () => response.destroy());
    });
    await checkFailure(server.url, { code: 'UNREACHABLE', message: expect.stringContaining('broke before') });
  });

  test('lacks its last chunk', async () => {
    await using server = await serve((_request, response) => {
      response.write('{"status":"SUBMITTED"', () => response.destroy());
    });
    await checkFailure(server.url, { code: 'UNREACHABLE', message: expect.stringContaining('broke before') });
  });

  test('is longer than any reply', async () => {
    await using server = await serve((_request, response) => void response.end('x'.repeat(2000)));
    await using network = openNetwork();
    const send = wholeReplies({ bytes: 1000, milliseconds: 5000 })(network.send);
    await expect(send(new Request(server.url))).rejects.toMatchObject({
      code: 'BAD_REPLY',
      message: `The answer of "${server.url}/" is longer than 1000 bytes and is no zip`,
    });
  });

  test('has a status that HTTP does not define', async () => {
    const server = createServer((socket) => socket.end('HTTP/1.1 999 Denied\r\ncontent-length: 0\r\n\r\n'));
    const port = await listen(server);
    await checkFailure(`http://127.0.0.1:${port}/`, {
      code: 'BAD_REPLY',
      message: expect.stringContaining('999'),
    });
    server.close();
  });
});

describe('an abort', () => {
  const reason = new Error('interrupted');

  test.each([
    ['before the answer', () => {}],
    ['within the answer', (response: { write: (text: string) => void }) => response.write('{')],
  ])('%s ends the call with its reason', async (_when, answer) => {
    const abort = new AbortController();
    await using server = await serve((_request, response) => {
      answer(response);
      setTimeout(() => abort.abort(reason), 30);
    });
    await expect(failureOf(server.url, {}, abort.signal)).rejects.toBe(reason);
  });
});

describe('TLS', () => {
  const hello = (_request: unknown, response: { end: (text: string) => void }) => response.end('hello');

  test('a self-signed certificate is not trusted', async () => {
    await using server = await serveTls(identity, hello);
    await checkFailure(server.url, {
      code: 'UNTRUSTED',
      arrived: false,
      message: expect.stringMatching(
        /certificate of "localhost:\d+" is self-signed: pass it with "--ca FILE"/,
      ),
    });
  });

  test('a certificate for another name is not trusted', async () => {
    await using server = await serveTls(identity, hello);
    await checkFailure(
      server.url.replace('localhost', '127.0.0.1'),
      {
        code: 'UNTRUSTED',
        arrived: false,
        message: expect.stringContaining('use the host name that it was made for'),
      },
      { authorities: identity.cert },
    );
  });

  test.each<[string, NetworkOptions]>([
    ['when it is given as an authority', { authorities: identity.cert }],
    ['when nothing is checked', { insecure: true }],
  ])('a self-signed certificate does %s', async (_when, options) => {
    await using server = await serveTls(identity, hello);
    await using network = openNetwork(options);
    const response = await network.send(new Request(server.url));
    expect(await response.text()).toBe('hello');
  });

  test('a file that holds no certificate is refused', () => {
    expect(() => openNetwork({ authorities: 'not a certificate' })).toThrow(
      'The file of "--ca" requires certificates in PEM form',
    );
  });
});

test('redirects are not followed by themselves', async () => {
  await using server = await serve(
    (_request, response) => void response.writeHead(302, { location: '/x' }).end(),
  );
  await using network = openNetwork();
  const { status, headers } = await network.send(new Request(server.url));
  expect([status, headers.get('location')]).toEqual([302, '/x']);
});

test('a form arrives with its type, its referer and the name of the tool', async () => {
  const arrived: unknown[] = [];
  await using server = await serve(async (request, response) => {
    const { 'content-type': type, referer, 'user-agent': agent } = request.headers;
    const body = await text(request);
    arrived.push(request.method, type, referer, agent, body);
    response.end();
  });
  await using network = openNetwork();
  const body = new URLSearchParams({ q: 'a & b', empty: '' });
  await network.send(
    new Request(server.url, { method: 'POST', body, headers: { referer: 'https://gis.example.com/x' } }),
  );
  const type = 'application/x-www-form-urlencoded;charset=UTF-8';
  expect(arrived).toEqual(['POST', type, 'https://gis.example.com/x', 'logquarry', 'q=a+%26+b&empty=']);
});

describe('what the codes of a failed connection mean', () => {
  // Those that no server on loopback can bring about.
  test.each([
    [
      'EAI_AGAIN',
      'UNREACHABLE',
      false,
      'The name "h.example.com" could not be looked up: check the network or the VPN',
    ],
    ['EHOSTUNREACH', 'UNREACHABLE', false, 'No network route leads to "h.example.com"'],
    ['ENETUNREACH', 'UNREACHABLE', false, 'No network route leads to "h.example.com"'],
    ['ETIMEDOUT', 'TIMED_OUT', false, '"h.example.com" did not accept a connection in time'],
    ['UND_ERR_CONNECT_TIMEOUT', 'TIMED_OUT', false, '"h.example.com" did not accept a connection in time'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'UNTRUSTED', false, 'signed by an authority that is not known: pass that'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNTRUSTED', false, 'with "--ca FILE"'],
    ['CERT_HAS_EXPIRED', 'UNTRUSTED', false, 'The certificate of "h.example.com" has expired'],
    ['CERT_NOT_YET_VALID', 'UNTRUSTED', false, 'check the clock of this machine'],
    [
      'EPIPE',
      'UNREACHABLE',
      true,
      'The connection to "h.example.com" broke before the answer was complete (EPIPE, ',
    ],
  ])('%s', (code, expected, arrived, message) => {
    const cause = Object.assign(new Error('failed'), { code });
    const several = new AggregateError([cause, new Error('the other address')]);
    for (const error of [
      cause,
      new TypeError('fetch failed', { cause }),
      new TypeError('fetch failed', { cause: several }),
    ]) {
      const read = toNetworkError(error, 'https://h.example.com/arcgis?token=abc');
      expect(read).toMatchObject({ code: expected, arrived, message: expect.stringContaining(message) });
      expect(read.message).not.toContain('abc');
    }
  });

  test('what is no error has a message all the same', () => {
    expect(toNetworkError('oops', 'https://h/').message).toContain('(oops, https://h/)');
  });
});
