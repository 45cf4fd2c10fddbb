import { setTimeout as wait } from 'node:timers/promises';
import type { Case } from '../case/index.ts';
import { adminPath, maxLogs, type ProfileName, vendorProfiles } from '../protocol/index.ts';
import type { Log } from '../records/index.ts';
import { type Account, createSignIn, generateAccount } from './access/accounts.ts';
import { createSessions } from './access/sessions.ts';
import { createSignInDelay } from './access/sign-in-delay.ts';
import { createTokens } from './access/tokens.ts';
import { isRecorded, startedLog } from './activity/activity.ts';
import { createApp } from './app.ts';
import { createJobQueue, type JobLimits } from './jobs/job-queue.ts';
import { openLogStore } from './logs/log-store.ts';
import { catalogOperation } from './operations/catalog.ts';
import { deleteUploadOperation } from './operations/delete-upload.ts';
import { directoryOperation } from './operations/directory.ts';
import { exportLogsOperation } from './operations/export-logs.ts';
import { generateTokenOperation } from './operations/generate-token.ts';
import { jobOperation } from './operations/job.ts';
import { jobsOperation } from './operations/jobs.ts';
import { queryLogsOperation, searchLogsOperation } from './operations/list-logs.ts';
import { editLogSettingsOperation, logSettingsOperation } from './operations/log-settings.ts';
import { microserviceStatusOperation, microservicesOperation } from './operations/microservices.ts';
import { signInOperation, signOutOperation } from './operations/pages.ts';
import {
  appAccessOperation,
  portalOperation,
  selfOperation,
  serverInfoOperation,
  sharingInfoOperation,
} from './operations/portal.ts';
import { restFolderOperation, restServicesOperation } from './operations/rest-services.ts';
import { revokeTokenOperation } from './operations/revoke-token.ts';
import { rollbackOperation } from './operations/rollback.ts';
import { editTemplateOperation, templateOperation, templatesOperation } from './operations/templates.ts';
import { upgradeOperation } from './operations/upgrade.ts';
import {
  availableOperation,
  checkRollbackOperation,
  getUpgradeSettingsOperation,
  installedOperation,
  upgradesOperation,
} from './operations/upgrades.ts';
import { downloadOperation, uploadOperation } from './operations/upload.ts';
import { uploadFileOperation } from './operations/upload-file.ts';
import { uploadsOperation } from './operations/uploads.ts';
import { createFaults, type Fault } from './site/faults.ts';
import { currentLogLevel } from './site/log-level.ts';
import type { Operation } from './site/operation.ts';
import type { ExportRules, Settings, Site } from './site/site.ts';
import { initialTemplates } from './state/initial-templates.ts';
import { openState, type StateStore } from './state/open-state.ts';
import { deploymentVersions, releaseOf } from './upgrade/releases.ts';

/** Options of a deployment. */
export interface DeploymentOptions extends Partial<Omit<Settings, 'exports' | 'profile'>> {
  /**
   * Its logs; none by default. A case stays open when the deployment is closed, and the deployment writes its
   * own activity into it.
   */
  readonly logs?: Iterable<Log> | Case;
  /** Accounts. Default: `admin` with a random password. */
  readonly users?: readonly [Account, ...Account[]];
  /** The time, in milliseconds since the epoch. Default: the clock of this machine. */
  readonly now?: () => number;
  /**
   * Behaviour of exports. Default: at most 10,000 logs, sorted, bounds included, times used beside a search.
   */
  readonly exports?: Partial<ExportRules>;
  /** Initial version, one of `deploymentVersions`. Default 11.2. */
  readonly version?: string;
  /** Vendor names in the catalog and the templates. Default: those of the interface document. */
  readonly profile?: ProfileName;
  /** File for templates, upgrades and uploads. Default: in memory. */
  readonly state?: string;
  /** Faults. Default: none. */
  readonly faults?: readonly Fault[];
  /** Number of exports that are stored with their zips; the oldest are deleted. Default 20. */
  readonly jobLimit?: number;
  /** Minutes from the end of an export until it is deleted with its zip. Default 60. */
  readonly jobMinutes?: number;
  /** Exports that run at the same time. Default 2. */
  readonly jobsAtOnce?: number;
  /** Exports that wait for their turn; further ones are refused with HTTP status 503. Default 8. */
  readonly jobsWaiting?: number;
}

/** A deployment on this machine: the interface as one function from a request to its response. */
export interface Deployment extends AsyncDisposable {
  /**
   * Answers a request whose path begins with `paths.context`. Rejects with a `BrokenConnection` only, and only
   * if a fault requires it.
   */
  readonly fetch: (request: Request, from?: { readonly address?: string | undefined }) => Promise<Response>;
  readonly paths: {
    /** The path of the deployment. */
    readonly context: string;
    /** The path of its administrative interface: `{root}` of the interface document. */
    readonly root: string;
  };
  /** The first of its accounts. Holds a secret. */
  readonly account: Account;
}

const context = '/gis';

/** Interval at which expired jobs, tokens and failures are deleted, in milliseconds, also without requests. */
const sweepInterval = 60_000;

/** Defaults of `DeploymentOptions`. */
const defaults: Settings = {
  // The level at which the sample logs were written: only DEBUG is not.
  logLevel: 'VERBOSE',
  tokenMinutes: 14 * 24 * 60,
  // An export of 10,000 logs takes about a second and a half.
  pace: { queued: 150, running: 350, perLog: 0.1 },
  archive: {},
  exports: {
    ...{ cap: maxLogs, bounds: 'included', order: 'sorted', windowWithSearch: true },
    ...{ missing: 'default', sortOrderInSearchOnly: false, counts: false },
  },
  profile: vendorProfiles.default,
  requiresTokens: true,
  // Real upgrades take hours.
  upgradePace: { release: 90_000, patch: 30_000 },
};

/**
 * Starts a reference deployment. It signs users in, exports logs by structured filters and by the search language
 * through jobs, and offers the zips. It describes its services in SOAP, stores default properties, upgrades itself,
 * and writes its own activity into the same logs.
 *
 * ```ts
 * await using deployment = await createDeployment({ logs: incidentLogs() });
 * const reply = await deployment.fetch(new Request('http://gis.test/gis/sharing/rest/generateToken', { method: 'POST' }));
 * ```
 */
export async function createDeployment(options: DeploymentOptions = {}): Promise<Deployment> {
  const { users = [generateAccount()], now = Date.now, faults = [] } = options;
  const { site, close } = await openSite(options, { users, now });
  const app = createApp(site, operationsOf(site), createFaults(faults));
  site.record(startedLog(now(), await site.logs.count()));
  return {
    fetch: async (request, { address = '127.0.0.1' } = {}) => app.fetch(request, { caller: address }),
    paths: { context, root: site.root },
    account: users[0],
    [Symbol.asyncDispose]: close,
  };
}

function operationsOf(site: Site): readonly Operation[] {
  // The directory lists them in this order. A fixed path comes before one with a parameter.
  const operations = [
    signInOperation,
    signOutOperation,
    generateTokenOperation,
    revokeTokenOperation,
    selfOperation,
    portalOperation,
    sharingInfoOperation,
    serverInfoOperation,
    appAccessOperation,
    catalogOperation,
    restServicesOperation,
    restFolderOperation,
    exportLogsOperation,
    queryLogsOperation,
    searchLogsOperation,
    logSettingsOperation,
    editLogSettingsOperation,
    microservicesOperation,
    templatesOperation,
    upgradesOperation,
    availableOperation,
    getUpgradeSettingsOperation,
    checkRollbackOperation,
    installedOperation,
    upgradeOperation,
    rollbackOperation,
    uploadsOperation,
    uploadFileOperation,
    uploadOperation,
    downloadOperation,
    deleteUploadOperation,
    jobsOperation,
    jobOperation,
    templateOperation,
    editTemplateOperation,
    microserviceStatusOperation,
  ].map((operation) => operation(site));
  return [directoryOperation(site, operations), ...operations];
}

async function openSite(
  options: DeploymentOptions,
  { users, now }: { readonly users: readonly Account[]; readonly now: () => number },
): Promise<{ site: Site; close: () => Promise<void> }> {
  const settings = settingsOf(options);
  const state = await openStateOf(options, settings, now());
  const logs = await openLogStore(options.logs ?? []);
  const closing = new AbortController();
  const { signal } = closing;
  const check = createSignIn(users);
  const delay = createSignInDelay({
    now,
    sleep: (milliseconds) => wait(milliseconds, undefined, { signal }),
  });
  const site: Site = {
    context,
    root: context + adminPath,
    now,
    signIn: ({ password, ...by }) => delay.attempt(by, () => check(by.username, password)),
    tokens: createTokens(now),
    sessions: createSessions(),
    state,
    jobs: createJobQueue(jobLimitsOf(options), now),
    logs,
    record: (log) => {
      if (isRecorded(log, currentLogLevel({ state, settings }))) logs.record(log);
    },
    settings,
    closed: signal,
  };
  const sweep = setInterval(() => {
    for (const each of [site.jobs, site.tokens, delay]) each.expire();
  }, sweepInterval).unref();
  const close = async () => {
    closing.abort();
    clearInterval(sweep);
    site.jobs.close();
    await logs[Symbol.asyncDispose]();
  };
  return { site, close };
}

function jobLimitsOf(options: DeploymentOptions): JobLimits {
  const { jobLimit = 20, jobMinutes = 60, jobsAtOnce = 2, jobsWaiting = 8 } = options;
  return { atOnce: jobsAtOnce, waiting: jobsWaiting, remembered: jobLimit, minutes: jobMinutes };
}

function settingsOf(options: DeploymentOptions): Settings {
  const { logLevel, tokenMinutes, pace, archive, exports, profile, requiresTokens, upgradePace } = options;
  return {
    logLevel: logLevel ?? defaults.logLevel,
    tokenMinutes: tokenMinutes ?? defaults.tokenMinutes,
    pace: pace ?? defaults.pace,
    archive: archive ?? defaults.archive,
    exports: { ...defaults.exports, ...exports },
    profile: profile ? vendorProfiles[profile] : defaults.profile,
    requiresTokens: requiresTokens ?? defaults.requiresTokens,
    upgradePace: upgradePace ?? defaults.upgradePace,
  };
}

async function openStateOf(options: DeploymentOptions, settings: Settings, now: number): Promise<StateStore> {
  const { version = '11.2', state: path } = options;
  const release = releaseOf(version);
  if (!release) {
    throw new RangeError(
      `A deployment requires one of the versions ${deploymentVersions.join(', ')}, not "${version}"`,
    );
  }
  const templates = initialTemplates(version, settings.profile, now);
  return openState(path, { release, templates, upgrades: [], uploads: [] });
}
