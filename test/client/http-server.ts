import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';

/** A server on loopback. Closing it ends its connections. */
export interface TestServer extends AsyncDisposable {
  readonly url: string;
}

/** Listens on a free port of loopback. */
export async function serve(listener: RequestListener): Promise<TestServer> {
  const server = createServer(listener);
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: () => close(server) };
}

/** The same over TLS. */
export async function serveTls(
  identity: { key: string; cert: string },
  listener: RequestListener,
): Promise<TestServer> {
  const server = createTlsServer(identity, listener);
  const port = await listen(server);
  return { url: `https://localhost:${port}`, [Symbol.asyncDispose]: () => close(server) };
}

/** Starts to listen and gives back the port. */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function close(server: ReturnType<typeof createServer>): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
