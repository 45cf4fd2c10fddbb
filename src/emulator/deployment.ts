import { adminPath, maxLogs } from '../protocol/index.ts';
import type { Log } from '../records/log.ts';
import type { Case } from '../store/case.ts';
import { type Account, createSignIn, generateAccount } from './accounts.ts';
import { isRecorded, startedLog } from './activity.ts';
import { createApp } from './app.ts';
import { createFaults, type Fault } from './faults.ts';
import { createJobs } from './jobs.ts';
import { openLogStore } from './log-store.ts';
import { exportLogs } from './operations/export-logs.ts';
import { generateToken } from './operations/generate-token.ts';
import { jobResource } from './operations/job.ts';
import { downloadUpload, uploadResource } from './operations/upload.ts';
import type { ExportRules, Settings, Site } from './site.ts';
import { createTokens } from './tokens.ts';

/** What a deployment starts with. */
export interface DeploymentOptions extends Partial<Omit<Settings, 'exports'>> {
  /**
   * Its logs; none by default. A case that is given stays open when the
   * deployment is closed, and the deployment writes its own activity into it.
   */
  readonly logs?: Iterable<Log> | Case;
  /** Who can sign in. Default: `admin` with a random password. */
  readonly users?: readonly [Account, ...Account[]];
  /** The time, in milliseconds since the epoch. Default: the clock of this machine. */
  readonly now?: () => number;
  /** How exports behave. Default: at most 10,000 logs, sorted, bounds included, times heeded beside a search. */
  readonly exports?: Partial<ExportRules>;
  /** What goes wrong. Default: nothing. */
  readonly faults?: readonly Fault[];
  /** So many exports are kept, with their zips; the oldest are forgotten. Default 20. */
  readonly jobLimit?: number;
}

/** A deployment on this machine: the interface as one function from a request to its response. */
export interface Deployment extends AsyncDisposable {
  /** Answers a request whose path begins with `paths.context`. Rejects with a `BrokenConnection` where a fault wants that, else never. */
  readonly fetch: (request: Request, from?: { readonly address?: string | undefined }) => Promise<Response>;
  readonly paths: {
    /** The path of the deployment. */
    readonly context: string;
    /** The path of its administrative interface: `{root}` of the interface document. */
    readonly root: string;
  };
  /** The first of its users: who to sign in as. Holds a secret. */
  readonly account: Account;
}

const context = '/gis';

/** What holds unless `DeploymentOptions` say otherwise. */
const defaults: Settings = {
  // The level at which the sample logs were written: only DEBUG is not.
  logLevel: 'VERBOSE',
  tokenMinutes: 14 * 24 * 60,
  // An export of 10,000 logs takes about a second and a half.
  pace: { queued: 150, running: 350, perLog: 0.1 },
  archive: {},
  exports: { cap: maxLogs, bounds: 'included', order: 'sorted', windowWithSearch: true },
};

/**
 * Starts a reference deployment: it signs users in, exports logs by structured
 * filters and by the search language through jobs, offers the zips, and writes
 * its own activity into the same logs.
 *
 * ```ts
 * await using deployment = await createDeployment({ logs: incidentLogs() });
 * const reply = await deployment.fetch(new Request('http://gis.test/gis/sharing/rest/generateToken', { … }));
 * ```
 */
export async function createDeployment(options: DeploymentOptions = {}): Promise<Deployment> {
  const { users = [generateAccount()], now = Date.now, jobLimit = 20, faults = [] } = options;
  const { site, close } = await openSite(options, { users, now, jobLimit });
  const operations = [generateToken, exportLogs, jobResource, uploadResource, downloadUpload];
  const app = createApp(
    site,
    operations.map((operation) => operation(site)),
    createFaults(faults),
  );
  site.record(startedLog(now(), await site.logs.count()));
  return {
    fetch: async (request, { address = '127.0.0.1' } = {}) => app.fetch(request, { caller: address }),
    paths: { context, root: site.root },
    account: users[0],
    [Symbol.asyncDispose]: close,
  };
}

async function openSite(
  options: DeploymentOptions,
  { users, now, jobLimit }: { users: readonly Account[]; now: () => number; jobLimit: number },
): Promise<{ site: Site; close: () => Promise<void> }> {
  const { logLevel, tokenMinutes, pace, archive, exports } = options;
  const settings: Settings = {
    logLevel: logLevel ?? defaults.logLevel,
    tokenMinutes: tokenMinutes ?? defaults.tokenMinutes,
    pace: pace ?? defaults.pace,
    archive: archive ?? defaults.archive,
    exports: { ...defaults.exports, ...exports },
  };
  const logs = await openLogStore(options.logs ?? []);
  const closing = new AbortController();
  const site: Site = {
    context,
    root: context + adminPath,
    now,
    signIn: createSignIn(users),
    tokens: createTokens(now),
    jobs: createJobs(jobLimit),
    logs,
    record: (log) => {
      if (isRecorded(log, settings.logLevel)) logs.record(log);
    },
    settings,
    closed: closing.signal,
  };
  const close = async () => {
    closing.abort();
    await logs[Symbol.asyncDispose]();
  };
  return { site, close };
}
