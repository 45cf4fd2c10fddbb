import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { createAdaptorServer, type ServerType } from '@hono/node-server';
import type { Deployment } from './deployment.ts';
import { BrokenConnection, refuseWith } from './operation.ts';
import { toResponse } from './respond.ts';

/** Options of a listening deployment. */
export interface ServeOptions {
  /** Default 0: any free port. */
  readonly port?: number;
  /** Default `127.0.0.1`: not reachable from other machines. */
  readonly host?: string;
  /**
   * Allowed host names besides loopback names and its own address, such as `gis.test`. Requests for others are
   * refused.
   */
  readonly hosts?: readonly string[];
  /** Longest time to receive one request, in milliseconds. Default 30 s. */
  readonly patience?: number;
}

/** A listening deployment. */
export interface Served extends AsyncDisposable {
  /**
   * The address of the deployment, such as `http://127.0.0.1:8080/gis`. The administrative interface is at
   * `/admin` below it.
   */
  readonly url: string;
  /** Stops listening and ends all connections. The deployment itself stays open. */
  readonly close: () => Promise<void>;
}

/**
 * Starts to listen for a deployment. Rejects with the system's error if the port is not available.
 *
 * ```ts
 * await using deployment = await createDeployment();
 * await using served = await serveDeployment(deployment, { port: 0 });
 * ```
 */
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
    // A library must not replace the global Request and Response.
    overrideGlobalObjects: false,
    // Slower senders would hold a connection.
    serverOptions: {
      headersTimeout: Math.min(10_000, patience),
      requestTimeout: patience,
      // As the proxy before a deployment: a client that pauses for a few seconds keeps its connection.
      keepAliveTimeout: 75_000,
      // Node checks for slow senders at this interval only.
      connectionsCheckingInterval: Math.min(5000, patience / 2),
    },
  });
  server.listen(port, host);
  await once(server, 'listening');
  const close = () => closeServer(server);
  return { url: urlOf(server, host) + deployment.paths.context, close, [Symbol.asyncDispose]: close };
}

/**
 * True if both the target of a request and its `Host` header name this deployment: a target may have its own
 * host.
 */
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
  return toResponse({ ...refuseWith(421, 'Misdirected request.', rule), status: 421 }, { as: 'json' });
}

/**
 * Converts a request with a body into a standard `Request`. The server's own object cannot be copied, and the
 * body limit has to copy requests without a stated length.
 */
function plain(request: Request): Request {
  const { url, method, headers, body, signal } = request;
  return body ? new Request(url, { method, headers, body, signal, duplex: 'half' }) : request;
}

/**
 * A response that breaks the connection at a fault in its body. Otherwise the server would print the fault as
 * its own failure.
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

/** The host that a request names, and the address at which it arrived. */
interface NamedHost {
  /** The host of the target of the request, with or without a port. */
  readonly host: string;
  /** The address of this machine at which the request arrived. */
  readonly localAddress: string | undefined;
}

/**
 * True if a request may name this host: a loopback name, the address at which it arrived, or one of `allowed`.
 * Guards against DNS rebinding: a page of another site can point its own name at this machine, and its scripts
 * then count as the deployment's own. It cannot choose the host that its requests name.
 */
export function isAllowedHost({ host, localAddress }: NamedHost, allowed: readonly string[]): boolean {
  const name = hostName(host);
  if (name === undefined) return false;
  if (isLoopback(name) || allowed.some((allowedHost) => hostName(allowedHost) === name)) return true;
  return localAddress !== undefined && hostName(plainAddress(localAddress)) === name;
}

/** Normalizes a host: without port, brackets and final dot; undefined if the text is no host. */
function hostName(host: string): string | undefined {
  const urlHost = isIP(host) === 6 ? `[${host}]` : host;
  if (!URL.canParse(`http://${urlHost}`)) return undefined;
  const { hostname, username, password, pathname, search, hash } = new URL(`http://${urlHost}`);
  if (username + password + search + hash !== '' || pathname !== '/') return undefined;
  return hostname.replace(/\.$/, '');
}

/** `localhost` and names below it always lead to this machine (RFC 6761). */
function isLoopback(name: string): boolean {
  return /^(.+\.)?localhost$/.test(name) || /^127(\.\d{1,3}){3}$/.test(name) || name === '[::1]';
}

/** Writes an IPv4 address that an IPv6 socket reports in its usual form. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/, '').replace(/%.*$/, '');
}
