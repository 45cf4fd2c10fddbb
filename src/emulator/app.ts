import { randomUUID } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { crashLog, requestLog } from './activity.ts';
import { type Attempt, attempt } from './attempt.ts';
import { BrokenConnection, type NextEffects } from './faults.ts';
import { type Operation, type Refusal, refuse } from './operation.ts';
import { toResponse } from './respond.ts';
import type { Site } from './site.ts';
import { createUpgradeRecorder } from './upgrade/record-upgrades.ts';

/** What the server knows of a request besides what is in it. */
export interface Env {
  /** The address of the caller. */
  readonly caller: string;
}

type AppContext = Context<{ Bindings: Env }>;

// A form of this interface takes some kilobytes; templates and manifests of upgrades some hundred.
const largestBody = 1024 * 1024;

/** The application: every operation at its path, each request checked, answered and logged in the same way. */
export function createApp(
  site: Site,
  operations: readonly Operation[],
  nextEffects: NextEffects,
): Hono<{ Bindings: Env }> {
  const app = new Hono<{ Bindings: Env }>({ strict: false });
  const recordUpgrades = createUpgradeRecorder(site);
  app.use(async (_, next) => {
    recordUpgrades();
    await next();
  });
  const onError = (c: AppContext) => handle({ site, method: c.req.method, run: async () => tooLarge });
  app.use(bodyLimit({ maxSize: largestBody, onError }));
  for (const operation of operations) {
    app.all(operation.path, (c) => {
      const { raw: request, method } = c.req;
      const about = { request, id: c.req.param('id') ?? '', caller: c.env.caller };
      const run = (requestID: string) => attempt(site, operation, { ...about, requestID, nextEffects });
      return handle({ site, method, operation, run });
    });
  }
  // Without this an answer that cannot be written, such as one with an impossible status, would be printed.
  app.onError((error) => {
    if (error instanceof BrokenConnection) throw error;
    return toResponse(broken, 'json', undefined);
  });
  app.notFound((c) => handle({ site, method: c.req.method, run: async () => nothingHere }));
  return app;
}

const broken: Refusal = { ...refuse(500, 'Internal error.'), status: 500 };

const tooLarge: Attempt = {
  answer: {
    ...refuse(413, 'The body is too large.', `A body requires at most ${largestBody} bytes.`),
    status: 413,
  },
  format: 'json',
};

const nothingHere: Attempt = {
  answer: { ...refuse(404, 'Not found.', 'There is no operation or resource at this address.'), status: 404 },
  format: 'json',
};

interface Handled {
  readonly site: Site;
  readonly method: string;
  readonly operation?: Operation;
  readonly run: (requestID: string) => Promise<Attempt>;
}

async function handle({ site, method, operation, run }: Handled): Promise<Response> {
  const started = performance.now();
  const requestID = randomUUID();
  const { answer, format, username } = await run(requestID).catch((error: unknown): Attempt => {
    if (error instanceof BrokenConnection) throw error;
    site.record(crashLog(site.now(), requestID, error));
    return { answer: broken, format: 'json' };
  });
  const response = toResponse(answer, format, operation);
  response.headers.set('date', new Date(site.now()).toUTCString());
  // Zero would mean "not measured".
  const elapsed = Math.max(1, Math.round(performance.now() - started)) / 1000;
  site.record(requestLog({ time: site.now(), requestID, method, operation, username, answer, elapsed }));
  return response;
}
