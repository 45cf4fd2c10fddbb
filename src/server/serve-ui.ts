import { once } from 'node:events';
import { createAdaptorServer } from '@hono/node-server';
import type { RuleSet } from '../analysis/index.ts';
import type { Schema } from '../language/index.ts';
import { makeAccess } from './access.ts';
import { makeTurns } from './api/turns.ts';
import type { Workspace } from './api/workspace.ts';
import { pageFolder, readAssets } from './assets.ts';
import type { Downloads } from './download.ts';
import { handleRequest, type PageSite } from './handle-request.ts';

/** Sources of the page, and the port that it listens on. */
export interface ServeUiOptions {
  readonly workspace: Workspace;
  /** 0: any free port. */
  readonly port: number;
  readonly downloads: Downloads;
  /** Rules of the view of detections. */
  readonly rules: RuleSet;
  /** Their folder or file; absent for the rules of Logquarry. */
  readonly rulesPath?: string | undefined;
  /** Author of notes and saved searches. */
  readonly author: string;
  /** Fields of the query bar; the documented ones unless given. */
  readonly schema?: Schema;
}

/** Longest time of sending a file to the server, in milliseconds. */
const longestRequest = 3_600_000;

/** A page that listens. */
export interface ServedUi extends AsyncDisposable {
  /** The first address, with the secret of this run: it opens the page for who knows it. */
  readonly url: string;
}

/**
 * Starts to listen for the page of some sources, on the loopback interface alone. Rejects with the
 * system's error if the port is not available.
 */
export async function serveUi({
  workspace,
  port,
  downloads,
  rules,
  author,
  schema,
  rulesPath,
}: ServeUiOptions): Promise<ServedUi> {
  const assets = await readAssets(pageFolder(import.meta.url));
  let site: PageSite | undefined;
  const server = createAdaptorServer({
    fetch: (request) => (site ? handleRequest(request, site) : new Response(null, { status: 503 })),
    overrideGlobalObjects: false,
    serverOptions: { requestTimeout: longestRequest, headersTimeout: 10_000 },
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  const own = typeof bound === 'object' && bound ? bound.port : port;
  const shared = {
    turns: makeTurns(patience),
    rules,
    author,
    ...(schema && { schema }),
    ...(rulesPath !== undefined && { rulesPath }),
  };
  site = { assets, access: makeAccess(own), port: own, workspace, shared, downloads };
  const close = async () => {
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${own}/?key=${site.access.secret}`, [Symbol.asyncDispose]: close };
}

/** Longest wait of a note for views and downloads that still read, in milliseconds. */
const patience = 10_000;
