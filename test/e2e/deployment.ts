import { createDeployment, type Deployment, type DeploymentOptions } from '../../src/emulator/deployment.ts';
import { incidentLogs } from '../../src/emulator/incident/incident-logs.ts';
import { type Served, serveDeployment } from '../../src/emulator/serve.ts';

/** A password that appears nowhere but where it was put. */
export const password = 'Zz-9 geheim"\'&%1';

/** A deployment on a port of this machine. */
export interface Running extends AsyncDisposable, Pick<Served, 'url'> {
  /** The environment in which the command line reaches it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Every token that it gave out. */
  readonly tokens: readonly string[];
}

/** Runs a deployment with a thin incident and one user. */
export async function runDeployment(options: DeploymentOptions = {}): Promise<Running> {
  const deployment = await createDeployment({
    logs: incidentLogs({ count: 500 }),
    users: [{ username: 'ann', password }],
    pace: { queued: 50, running: 50, perLog: 0 },
    ...options,
  });
  const tokens: string[] = [];
  const fetch: Deployment['fetch'] = async (request, from) => {
    const response = await deployment.fetch(request, from);
    if (request.url.endsWith('/generateToken')) tokens.push(...tokenIn(await response.clone().text()));
    return response;
  };
  const served = await serveDeployment({ ...deployment, fetch });
  return {
    url: served.url,
    tokens,
    environment: { LOGQUARRY_URL: served.url, LOGQUARRY_USER: 'ann', LOGQUARRY_PASSWORD: password },
    async [Symbol.asyncDispose]() {
      await served.close();
      await deployment[Symbol.asyncDispose]();
    },
  };
}

/** The token in an answer; none in a refusal. */
function tokenIn(body: string): string[] {
  const { token } = JSON.parse(body) as { token?: unknown };
  return typeof token === 'string' ? [token] : [];
}
