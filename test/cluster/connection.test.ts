import { createServer, type RequestListener } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { parseClusterAddress } from '../../src/cluster/address.ts';
import { type ClusterOptions, openCluster } from '../../src/cluster/connection.ts';
import { checkSchema } from '../../src/cluster/schema.ts';

/** A server that answers as a proxy or another version may. */
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function serve(answer: RequestListener, options: ClusterOptions = {}) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return openCluster(parseClusterAddress(`clickhouse://127.0.0.1:${port}/x`), options);
}

const failureOf = async (work: Promise<unknown>) => {
  const error = await work.catch((each: unknown) => each);
  return error instanceof Error
    ? { name: error.name, code: 'code' in error && error.code, message: error.message }
    : error;
};

describe('an awkward server', () => {
  const exception =
    'Code: 241. DB::Exception: Memory limit exceeded: s3cret. (MEMORY_LIMIT_EXCEEDED) (version 26.7.2.1)';

  test.each<[name: string, answer: RequestListener, code: string]>([
    [
      'an error with its status',
      (_, response) => response.writeHead(500, { 'X-ClickHouse-Exception-Code': '241' }).end(exception),
      'CLUSTER_LIMIT',
    ],
    [
      'an error with status 200 at the end of the rows',
      (_, response) =>
        response
          .writeHead(200, { 'X-ClickHouse-Exception-Tag': 'abcdefghijklmnop' })
          .end(
            `["1"]\n["2"]\n\r\n__exception__\r\nabcdefghijklmnop\r\n${exception}\n113 abcdefghijklmnop\r\n__exception__\r\n`,
          ),
      'CLUSTER_LIMIT',
    ],
    [
      'an error with status 200 of an old version',
      (_, response) => response.writeHead(200).end(`["1"]\n${exception}`),
      'CLUSTER_LIMIT',
    ],
    [
      'rows that are cut off',
      (_, response) => {
        response.writeHead(200, { 'Content-Length': '1000' }).write('["1"]\n["2"]\n["');
        setTimeout(() => response.destroy(), 20);
      },
      'CLUSTER_UNREACHABLE',
    ],
    [
      'chunks that are cut off between rows',
      (_, response) => {
        response.writeHead(200).write('["1"]\n["2"]\n');
        setTimeout(() => response.destroy(), 20);
      },
      'CLUSTER_UNREACHABLE',
    ],
    [
      'rows that end within one',
      (_, response) => response.writeHead(200).end('["1"]\n["2"'),
      'CLUSTER_FAILED',
    ],
    [
      'a page of a proxy',
      (_, response) => response.writeHead(502).end('<html>Bad Gateway</html>'),
      'CLUSTER_FAILED',
    ],
    [
      'a page with status 200',
      (_, response) => response.writeHead(200).end('<html>Sign in</html>\n'),
      'CLUSTER_FAILED',
    ],
    ['a closed connection', (request) => request.destroy(), 'CLUSTER_UNREACHABLE'],
    [
      'a wrong password',
      (_, response) =>
        response
          .writeHead(403)
          .end(
            'Code: 516. DB::Exception: default: Authentication failed: s3cret. (AUTHENTICATION_FAILED) (version 26.7.2.1)',
          ),
      'CLUSTER_REFUSED',
    ],
  ])('%s is a failure of the cluster', async (_, answer, code) => {
    await using cluster = await serve(answer, { password: 's3cret' });
    const failure = await failureOf(cluster.query('SELECT 1'));
    expect(failure).toMatchObject({ name: 'ClusterError', code });
    expect(JSON.stringify(failure)).not.toContain('s3cret');
  });

  test('no answer in time', async () => {
    await using cluster = await serve(() => undefined, { limits: { time: 50, grace: 50 } });
    expect(await failureOf(cluster.query('SELECT 1'))).toMatchObject({ code: 'CLUSTER_UNREACHABLE' });
  });

  test('nobody listens', async () => {
    await using cluster = openCluster(parseClusterAddress('clickhouse://127.0.0.1:9/x'));
    expect(await failureOf(cluster.query('SELECT 1'))).toMatchObject({ code: 'CLUSTER_UNREACHABLE' });
  });

  test('tables of a newer version are refused', async () => {
    const answers = ['["1","26.7.2.1"]\n', '["7"]\n'];
    await using cluster = await serve((_, response) => response.writeHead(200).end(answers.shift()));
    expect(await failureOf(checkSchema(cluster))).toMatchObject({ code: 'CLUSTER_SCHEMA' });
  });

  test.each([
    ['25.8.4.1', 'CLUSTER_VERSION'],
    ['26.3.9.1', 'CLUSTER_VERSION'],
    ['26.4.1.1', 'CLUSTER_SCHEMA'],
    ['27.1.1.1', 'CLUSTER_SCHEMA'],
  ])('a server of version %s without tables is refused by %s', async (version, code) => {
    await using cluster = await serve((_, response) => response.writeHead(200).end(`["0","${version}"]\n`));
    const failure = await failureOf(checkSchema(cluster));
    expect(failure).toMatchObject({ code });
    if (code === 'CLUSTER_VERSION')
      expect(failure).toMatchObject({ message: expect.stringContaining(`ClickHouse ${version}, and 26.4`) });
  });

  test('an end before the first row ends the wait, with the reason given', async () => {
    await using cluster = await serve(() => undefined);
    const abort = new AbortController();
    const asked = cluster.query('SELECT 1', { signal: abort.signal });
    setTimeout(() => abort.abort(new Error('enough')), 20);
    await expect(asked).rejects.toThrow('enough');
  });

  test('the password is in a header, never in an address', async () => {
    const seen: string[] = [];
    await using cluster = await serve(
      (request, response) => {
        seen.push(request.url ?? '', request.headers.authorization ?? '');
        response.writeHead(200).end('["1"]\n');
      },
      { user: 'reader', password: 's3cret' },
    );
    await cluster.query('SELECT 1');
    expect(seen[0]).not.toContain('s3cret');
    expect(seen[1]).toBe(`Basic ${Buffer.from('reader:s3cret').toString('base64')}`);
  });
});
