import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { createAdaptorServer, type ServerType } from '@hono/node-server';
import { isAllowedHost } from './access/hosts.ts';
import type { Deployment } from './deployment.ts';
import { BrokenConnection } from './faults.ts';
import { refuse } from './operation.ts';
import { toResponse } from './respond.ts';

/** Where a deployment listens. */
export interface ServeOptions {
  /** 0, the default, takes a free port. */
  readonly port?: number;
  /** Default `127.0.0.1`: nobody outside this machine reaches it. */
  readonly host?: string;
  /** Names under which it can be reached besides loopback names and its own address, such as `gis.test`. Requests for others are refused. */
  readonly hosts?: readonly string[];
  /** How long a sender may take for one request, in milliseconds. Default 30 s. */
  readonly patience?: number;
}

/** A deployment that can be reached. */
export interface Served extends AsyncDisposable {
  /** The address of the deployment, such as `http://127.0.0.1:8080/gis`; the administrative interface is at `/admin` below it. */
  readonly url: string;
  /** Stops listening and ends all connections. The deployment itself stays open. */
  readonly close: () => Promise<void>;
}

/** Lets a deployment listen. Rejects with the system's error when the port cannot be taken. */
export async function serveDeployment(deployment: Deployment, options: ServeOptions = {}): Promise<Served> {
  const { port = 0, host = '127.0.0.1', hosts = [], patience = 30_000 } = options;
  const allowed = [host, ...hosts];
  const server = createAdaptorServer({
    fetch: async (request, { incoming }) => {
      try {
        const { socket } = incoming;
        if (!isForThisHost(request, incoming, allowed)) return misdirected();
        return breaking(await deployment.fetch(plain(request), { address: socket.remoteAddress }), socket);
      } catch (error) {
        if (!(error instanceof BrokenConnection)) throw error;
        incoming.socket.destroy();
        return new Response(null);
      }
    },
    // A library leaves the global Request and Response as they are.
    overrideGlobalObjects: false,
    // A sender that is slower than this holds a connection for nothing.
    serverOptions: {
      headersTimeout: Math.min(10_000, patience),
      requestTimeout: patience,
      // Node looks for slow senders at these intervals only.
      connectionsCheckingInterval: Math.min(5000, patience / 2),
    },
  });
  server.listen(port, host);
  await once(server, 'listening');
  const close = () => closeServer(server);
  return { url: urlOf(server, host) + deployment.paths.context, close, [Symbol.asyncDispose]: close };
}

/** True if both the target of a request and its `Host` header name this deployment: a target can have a host of its own. */
function isForThisHost(
  request: Request,
  { headers, socket: { localAddress } }: Pick<IncomingMessage, 'headers'> & { readonly socket: Socket },
  allowed: readonly string[],
): boolean {
  const named = [headers.host ?? '', new URL(request.url).host];
  return named.every((host) => isAllowedHost({ host, localAddress }, allowed));
}

/** The refusal of a request for another host (RFC 9110, status 421). */
function misdirected(): Response {
  const rule = 'The deployment is not known under this host. "--allow-host NAME" adds a name.';
  return toResponse({ ...refuse(421, 'Misdirected request.', rule), status: 421 }, { as: 'json' });
}

/**
 * A request that has a body as one of Node: that of the server only stands for
 * one, and cannot be made into another, which the limit of bodies without a stated
 * length has to do.
 */
function plain(request: Request): Request {
  const { url, method, headers, body, signal } = request;
  return body ? new Request(url, { method, headers, body, signal, duplex: 'half' }) : request;
}

/**
 * A response that breaks the connection where its body breaks off on purpose: the
 * server would take that for a failure of its own, and print it.
 */
function breaking(response: Response, socket: Socket): Response {
  const reader = response.body?.getReader();
  if (!reader) return response;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        if (!(error instanceof BrokenConnection)) throw error;
        socket.destroy();
        controller.close();
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(body, response);
}

function urlOf(server: ServerType, host: string): string {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

async function closeServer(server: ServerType): Promise<void> {
  if (!server.listening) return;
  server.close();
  if ('closeAllConnections' in server) server.closeAllConnections();
  await once(server, 'close');
}
