import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../cluster/start-server.ts';
import { installServer } from './install-server.ts';

/** A running OpenSearch of one node. */
export interface SearchNode extends AsyncDisposable {
  readonly port: number;
  /** Calls the server with JSON, or lines of it, and returns its reply; rejects with what it refused. */
  readonly ask: (method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: unknown) => Promise<unknown>;
}

/** Starts a server on loopback, with its data in a temporary folder. */
export async function startNode(): Promise<SearchNode> {
  const libraries = await installServer();
  const folder = await mkdtemp(join(tmpdir(), 'opensearch-'));
  await writeFile(join(folder, 'log4j2.properties'), 'status = error\nrootLogger.level = error\n');
  const [port, transport] = [await freePort(), await freePort()];
  const source = fileURLToPath(new URL('OneNode.java', import.meta.url));
  const server = spawn(
    'java',
    [
      ...['-Xmx512m', '-Djava.security.manager=allow'],
      ...[`-Dlog4j2.configurationFile=${join(folder, 'log4j2.properties')}`, '-cp', libraries],
      ...[source, folder, String(port), String(transport)],
    ],
    { stdio: ['pipe', 'ignore', 'pipe'] },
  );
  let errors = '';
  server.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-2000);
  });
  const ask: SearchNode['ask'] = async (method, path, body) => {
    const isText = typeof body === 'string';
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body !== undefined && {
        body: isText ? body : JSON.stringify(body),
        headers: { 'content-type': isText ? 'application/x-ndjson' : 'application/json' },
      }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return await response.json();
  };
  const node = {
    port,
    ask,
    [Symbol.asyncDispose]: async () => {
      if (server.exitCode === null && server.signalCode === null) {
        const ended = once(server, 'exit');
        server.kill('SIGKILL');
        await ended;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
  // A machine that does much else starts it in a minute.
  for (let tries = 0; tries < 3000; tries += 1) {
    const isUp = await ask('GET', '/').then(
      () => true,
      () => false,
    );
    if (isUp) return node;
    if (server.exitCode !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await node[Symbol.asyncDispose]();
  throw new Error(`The server did not begin to listen: ${errors}`);
}
