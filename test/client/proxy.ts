import { createServer, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { listen } from './http-server.ts';

/** Requests to a proxy, a line each: method and target. */
export interface TestProxy extends AsyncDisposable {
  readonly url: string;
  readonly asked: readonly string[];
}

export interface ProxyOptions {
  /** The only user, as `USER:PASSWORD`. Default: everyone. */
  readonly account?: string;
  /** The status that every request is answered with. */
  readonly status?: number;
  /** Ends every connection without an answer. */
  readonly closes?: boolean;
}

/** A proxy on loopback that tunnels and forwards, and is awkward where asked to be. */
export async function runProxy({ account, status, closes }: ProxyOptions = {}): Promise<TestProxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const expected = account === undefined ? undefined : `Basic ${Buffer.from(account).toString('base64')}`;
  const answerOf = (incoming: IncomingMessage): number | undefined => {
    asked.push(`${incoming.method} ${incoming.url}`);
    if (expected !== undefined && incoming.headers['proxy-authorization'] !== expected) return 407;
    return status;
  };
  const server = createServer((incoming, outgoing) => {
    const refused = answerOf(incoming);
    if (closes) return void incoming.socket.destroy();
    if (refused !== undefined) {
      const headers = { 'proxy-authenticate': 'Basic realm="proxy"', connection: 'close' };
      return void outgoing.writeHead(refused, headers).end('<html><title>Denied</title></html>');
    }
    const { 'proxy-authorization': _, ...headers } = incoming.headers;
    const onward = request(incoming.url ?? '', { method: incoming.method ?? 'GET', headers }, (reply) => {
      // Chunks of its own, and a header that says so.
      const { 'content-length': _length, ...rest } = reply.headers;
      outgoing.writeHead(reply.statusCode ?? 502, { ...rest, via: '1.1 test' });
      reply.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  server.on('connect', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    const refused = answerOf(incoming);
    if (closes) return void socket.destroy();
    if (refused !== undefined) {
      return void socket.end(
        `HTTP/1.1 ${refused} Denied\r\nProxy-Authenticate: Basic realm="proxy"\r\nContent-Length: 4\r\n\r\nno!\n`,
      );
    }
    const [host, port] = (incoming.url ?? '').split(':');
    const onward = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\nX-Proxy: test\r\n\r\n');
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    sockets.add(onward);
    onward.on('error', () => socket.destroy());
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
