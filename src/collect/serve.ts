import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { packageVersion } from '../database/index.ts';
import type { CollectConfiguration } from './configuration.ts';
import { metricsText, metricsType } from './metrics.ts';
import { readStatus } from './status.ts';

/** A collector that is listened to. */
export interface ServedCollector extends AsyncDisposable {
  /** Its address, such as `http://127.0.0.1:9642`. */
  readonly url: string;
}

/**
 * Serves the state of a collector: `/healthz` (the process works), `/readyz` (503 names the sources that are behind)
 * and `/metrics`. It shows no log and no secret. Rejects with the error of the system if it cannot listen.
 */
export async function serveCollector(
  configuration: () => CollectConfiguration,
  { host, port, now }: { readonly host: string; readonly port: number; readonly now: () => number },
): Promise<ServedCollector> {
  const server = createServer((request, response) => {
    replyTo(request.url ?? '/', configuration(), now).then(
      ({ status, type = 'text/plain; charset=utf-8', body }) => {
        response.writeHead(request.method === 'GET' ? status : 405, {
          'content-type': type,
          'cache-control': 'no-store',
        });
        response.end(request.method === 'GET' ? body : 'Only GET is answered.\n');
      },
      (error: unknown) => {
        response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' });
        response.end(`${error instanceof Error ? error.message : String(error)}\n`);
      },
    );
  });
  server.requestTimeout = 30_000;
  server.listen(port, host);
  await once(server, 'listening');
  return {
    url: urlOf(server, host),
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

interface Reply {
  readonly status: number;
  readonly type?: string;
  readonly body: string;
}

async function replyTo(path: string, configuration: CollectConfiguration, now: () => number): Promise<Reply> {
  switch (path.split('?', 1)[0]) {
    case '/healthz':
      return { status: 200, body: 'ok\n' };
    case '/readyz': {
      const behind = (await readStatus(configuration, now())).filter(({ isReady }) => !isReady);
      const lines = behind.map(
        ({ source, lastFailure }) => `${source}: ${lastFailure?.code ?? 'behind or incomplete'}\n`,
      );
      return behind.length === 0 ? { status: 200, body: 'ok\n' } : { status: 503, body: lines.join('') };
    }
    case '/metrics':
      return {
        status: 200,
        type: metricsType,
        body: metricsText(await readStatus(configuration, now()), packageVersion),
      };
    default:
      return { status: 404, body: 'There are /healthz, /readyz and /metrics.\n' };
  }
}

function urlOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
