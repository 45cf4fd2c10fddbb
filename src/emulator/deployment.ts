import { setTimeout as wait } from 'node:timers/promises';
import type { Case } from '../case/index.ts';
import {
  adminPath,
  catalogPath,
  fromRollbackForm,
  introducedIn,
  jobsPath,
  maxLogs,
  type ProfileName,
  revokeTokenPath,
  type ServiceDescription,
  toStatusBody,
  type Update,
  uploadField,
  uploadPath,
  uploadsPath,
  vendorProfiles,
} from '../protocol/index.ts';
import type { Log } from '../records/index.ts';
import {
  type Account,
  createSessions,
  createSignIn,
  createSignInDelay,
  createTokens,
  generateAccount,
  sessionCookie,
  sessionMinutes,
} from './access.ts';
import { fileUploadedLog, isRecorded, signInLog, startedLog, uploadDeletedLog } from './activity.ts';
import {
  adminInfoOperation,
  adminTokenOperation,
  appAccessOperation,
  editLogSettingsOperation,
  generateTokenOperation,
  logSettingsOperation,
  microserviceStatusOperation,
  microservicesOperation,
  portalOperation,
  portalServersOperation,
  portalUrlsOperation,
  selfOperation,
  serverInfoOperation,
  sharingInfoOperation,
  tooManySignInsRefusal,
  updateLogIndexOperation,
} from './administration.ts';
import { createApp } from './app.ts';
import { catalogOperation } from './catalog.ts';
import {
  cleanLogsOperation,
  exportLogsOperation,
  jobOperation,
  queryLogsOperation,
  searchLogsOperation,
} from './export-logs.ts';
import { folderOf, foldersOf, incidentServices } from './incident/fixtures.ts';
import { createJobQueue, type JobLimits, newUploadId } from './jobs.ts';
import { openLogStore } from './log-store.ts';
import {
  type Answer,
  type CheckedRequest,
  createFaults,
  effectOf,
  type Fault,
  type Operation,
  refuseWith,
} from './operation.ts';
import type { SearchEngine } from './search-engine.ts';
import { currentLogLevel, type ExportRules, type Settings, type Site } from './site.ts';
import { initialTemplates, openState, type StateStore, type StoredUpload, type UpgradeRun } from './state.ts';
import { editTemplateOperation, templateOperation, templatesOperation } from './templates.ts';
import {
  deploymentVersions,
  progressAt,
  releaseAt,
  releaseOf,
  releaseText,
  rollbackOptions,
} from './upgrade.ts';
import {
  availableOperation,
  checkRollbackOperation,
  getUpgradeSettingsOperation,
  installedOperation,
  upgradeOperation,
  upgradesChild,
  upgradesOperation,
} from './upgrade-operations.ts';
import {
  downloadOperation,
  findJobResult,
  listUploads,
  noUpload,
  refuseAccess,
  toUploadedFile,
  toUploadedItem,
  uploadOperation,
  uploadResourcePath,
} from './upload.ts';

/** Options of a deployment. */
export interface DeploymentOptions extends Partial<Omit<Settings, 'exports' | 'profile'>> {
  /**
   * Its logs; none by default. A case stays open when the deployment is closed, and the deployment writes its
   * own activity into it.
   */
  readonly logs?: Iterable<Log> | Case;
  /** The search server that answers queries; it stays open when the deployment is closed. Default: this program itself. */
  readonly engine?: SearchEngine;
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
    cap: maxLogs,
    bounds: 'included',
    order: 'sorted',
    windowWithSearch: true,
    missing: 'default',
    sortOrderInSearchOnly: false,
    counts: false,
    commaTimes: false,
    userLists: false,
  },
  profile: vendorProfiles.default,
  requiresTokens: true,
  // Real upgrades take hours.
  upgradePace: { release: 90_000, patch: 30_000 },
  dateAhead: 0,
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
    adminTokenOperation,
    revokeTokenOperation,
    selfOperation,
    portalOperation,
    portalServersOperation,
    portalUrlsOperation,
    sharingInfoOperation,
    serverInfoOperation,
    adminInfoOperation,
    appAccessOperation,
    catalogOperation,
    restServicesOperation,
    restFolderOperation,
    exportLogsOperation,
    queryLogsOperation,
    searchLogsOperation,
    logSettingsOperation,
    editLogSettingsOperation,
    updateLogIndexOperation,
    cleanLogsOperation,
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
  const logs = await openLogStore(options.logs ?? [], { engine: options.engine });
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
    for (const store of [site.jobs, site.tokens, delay]) store.expire();
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
    dateAhead: options.dateAhead ?? defaults.dateAhead,
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

/** Signs in a user of the pages in a browser, by a token in a cookie. */
function signInOperation(site: Site): Operation {
  return {
    name: 'signIn',
    title: 'Sign in',
    path: `${site.root}/login`,
    methods: ['POST'],
    fields: [
      { name: 'username', required: true, autocomplete: 'username' },
      { name: 'password', type: 'password', required: true, autocomplete: 'current-password' },
      { name: 'next', type: 'hidden' },
    ],
    isPageOnly: true,
    run: (call) => signIn(site, call),
  };
}

async function signIn(
  site: Site,
  { body, origin, caller, requestID, foreign }: CheckedRequest,
): Promise<Answer> {
  // Otherwise a page of another site could sign a user in under a name of its choice.
  if (foreign) return refuseWith(403, 'Access denied.', 'The form is not from a page of this deployment.');
  const [username, password] = [body.get('username') ?? '', body.get('password') ?? ''];
  const user = await site.signIn({ username, password, address: caller });
  if (user === 'too many') return tooManySignInsRefusal;
  site.record(signInLog(site.now(), requestID, user?.username));
  if (!user) return refuseWith(400, 'Unable to sign in.', 'Invalid username or password.');
  const { token } = site.tokens.issue(user, {}, Math.min(sessionMinutes, site.settings.tokenMinutes));
  const location = localAddress(body.get('next') ?? '', origin, site) ?? site.root;
  return { kind: 'redirect', location, cookie: sessionCookie(token, scopeOf(site, origin)) };
}

/** The path and parameters of an address of this deployment; undefined for other addresses. */
function localAddress(address: string, origin: string, { context }: Site): string | undefined {
  if (address === '' || !URL.canParse(address, origin)) return undefined;
  const { origin: its, pathname, search } = new URL(address, origin);
  return its === origin && pathname.startsWith(`${context}/`) ? pathname + search : undefined;
}

/** Ends the session of a browser. */
function signOutOperation(site: Site): Operation {
  return {
    name: 'signOut',
    title: 'Sign out',
    path: `${site.root}/logout`,
    methods: ['POST'],
    fields: [],
    isPageOnly: true,
    run: ({ origin, foreign, identify, session }) => {
      const user = identify();
      if (foreign || 'kind' in user) return refuseWith(403, 'Access denied.', 'There is no session to end.');
      if (session !== undefined) site.tokens.revoke(session);
      return {
        kind: 'redirect',
        location: site.root,
        cookie: sessionCookie(undefined, scopeOf(site, origin)),
      };
    },
  };
}

function scopeOf({ context }: Site, origin: string) {
  return { path: context, secure: origin.startsWith('https:') };
}

/** Revokes a token. An unknown token gets the same answer, so that the answer reveals no token. */
function revokeTokenOperation(site: Site): Operation {
  return {
    name: 'revokeToken',
    title: 'Revoke a token',
    path: site.context + revokeTokenPath,
    methods: ['POST'],
    fields: [{ name: 'auth_token', type: 'password' }],
    run: ({ body }) => {
      site.tokens.revoke(body.get('auth_token') ?? '');
      return { kind: 'body', body: { success: true } };
    },
  };
}

/** The services outside all folders, and the folders, in JSON as public clients read them. */
function restServicesOperation(site: Site): Operation {
  return {
    name: 'restServices',
    title: 'Services',
    path: servicesPath(site),
    methods: ['GET', 'POST'],
    fields: [],
    run: (call) => list(site, call),
  };
}

/** The services in a folder. */
function restFolderOperation(site: Site): Operation {
  return {
    ...restServicesOperation(site),
    name: 'restFolder',
    title: 'Folder',
    path: `${servicesPath(site)}/:id`,
  };
}

function servicesPath({ context }: Site): string {
  return `${context}/rest/services`;
}

function list({ context, settings }: Site, { id, identify, origin }: CheckedRequest): Answer {
  const user = settings.requiresTokens ? identify() : undefined;
  if (user && 'kind' in user) return user;
  const described = incidentServices(origin + context + catalogPath);
  const folders = foldersOf(described);
  if (id !== '' && !folders.includes(id)) return refuseWith(404, 'Folder not found.');
  const services = described.filter((description) => folderOf(description) === id).map(toItem);
  return { kind: 'body', body: { folders: id === '' ? folders : [], services } };
}

function toItem({ name, type }: ServiceDescription): object {
  return { name, type };
}

/** Rolls the deployment back to an earlier patch or to its release (the vendor's public documentation). */
function rollbackOperation(site: Site): Operation {
  return {
    ...upgradesChild(site, 'rollback', 'Rollback'),
    since: introducedIn.rollback,
    fields: [{ name: 'versionManifest' }, { name: 'rollbackSettings', type: 'lines', value: '{}' }],
    run: (call) => start(site, call),
  };
}

async function start(site: Site, call: CheckedRequest): Promise<Answer> {
  const { request, findings } = fromRollbackForm(call.form);
  if (findings.length > 0)
    return refuseWith(400, 'Invalid parameters.', ...findings.map(({ message }) => message));
  const option = rollbackOptions(releaseAt(site.state.read(), site.now())).find(
    ({ id }) => id === request.id,
  );
  if (!option) {
    return refuseWith(400, 'Invalid parameters.', 'There is no rollback option with this identifier.');
  }
  const run = toRun(site, call, option);
  await site.state.change((state) => ({ ...state, upgrades: [...state.upgrades, run] }));
  return { kind: 'body', body: toStatusBody(progressAt(site.state.read(), site.now()).status) };
}

function toRun(site: Site, call: CheckedRequest, option: Update): UpgradeRun {
  const failsAfter = effectOf(call.effects, 'failUpgrade')?.after;
  const started = site.now();
  return {
    update: option.id,
    kind: 'rollback',
    from: releaseAt(site.state.read(), started),
    to: { version: option.version ?? '', build: option.build ?? '' },
    started,
    duration: site.settings.upgradePace.patch,
    ...(failsAfter !== undefined && { failsAfter }),
    username: call.user?.username ?? '',
    requestID: call.requestID,
  };
}

/** The uploads that a user may see: files that someone uploaded, and results of jobs (public documentation of `uploads`). */
function uploadsOperation(site: Site): Operation {
  return {
    name: 'uploads',
    title: 'Uploads',
    path: site.root + uploadsPath,
    methods: ['GET', 'POST'],
    privilege: 'downloadUploads',
    fields: [],
    run: async ({ user }) => {
      const files = await listUploads(site, user);
      return { kind: 'body', body: { uploadItems: files.map(toUploadedItem) } };
    },
  };
}

/**
 * Stores a file, such as a license, under an identifier (field notes). Its name is data only: nothing is
 * written under it.
 */
function uploadFileOperation(site: Site): Operation {
  return {
    name: 'uploadFile',
    title: 'Upload a file',
    path: site.root + uploadPath,
    methods: ['POST'],
    reads: 'multipart',
    privilege: 'uploadFiles',
    closed: 'in read-only mode',
    fields: [{ name: uploadField, type: 'file', required: true }, { name: 'description' }],
    run: (call) => keep(site, call),
  };
}

/** Most stored files; the oldest are deleted. */
const mostUploads = 50;
const longestDescription = 1000;

async function keep(site: Site, { files, form, user, requestID }: CheckedRequest): Promise<Answer> {
  const file = files.get(uploadField);
  if (!file)
    return refuseWith(400, 'Invalid parameters.', `"${uploadField}" requires a file in a multipart form`);
  const upload: StoredUpload = {
    id: newUploadId(),
    name: file.name,
    description: (form.get('description') ?? '').slice(0, longestDescription),
    date: site.now(),
    content: Buffer.from(file.bytes).toString('base64'),
  };
  await site.state.change((state) => ({ ...state, uploads: [...state.uploads, upload].slice(-mostUploads) }));
  site.record(fileUploadedLog(site.now(), { id: upload.id, requestID, username: user?.username ?? '' }));
  return { kind: 'body', body: { status: 'success', item: toUploadedItem(toUploadedFile(upload)) } };
}

/**
 * Deletes an upload; a job whose upload is deleted stays without a result (public documentation of
 * `uploads/<itemID>/delete`).
 */
function deleteUploadOperation(site: Site): Operation {
  return {
    name: 'deleteUpload',
    title: 'Delete an upload',
    path: `${uploadResourcePath(site, ':id')}/delete`,
    methods: ['POST'],
    privilege: 'uploadFiles',
    closed: 'in read-only mode',
    fields: [],
    run: (call) => remove(site, call),
  };
}

async function remove(site: Site, { id, user, requestID }: CheckedRequest): Promise<Answer> {
  const isFile = site.state.read().uploads.some((upload) => upload.id === id);
  if (isFile) {
    await site.state.change((state) => ({
      ...state,
      uploads: state.uploads.filter((upload) => upload.id !== id),
    }));
  } else {
    const result = await findJobResult(site, id, user);
    if (!result) return noUpload;
    if ('kind' in result) return result;
    if (!site.jobs.forgetResult(id)) return refuseWith(404, 'Upload not found.');
  }
  site.record(uploadDeletedLog(site.now(), { id, requestID, username: user?.username ?? '' }));
  return { kind: 'body', body: { status: 'success' } };
}

/** The identifiers of the jobs that a user may see, the oldest first (public documentation of `jobs`). */
function jobsOperation(site: Site): Operation {
  return {
    name: 'jobs',
    title: 'Jobs',
    path: site.root + jobsPath,
    methods: ['GET', 'POST'],
    privilege: 'exportLogs',
    since: introducedIn.jobs,
    fields: [],
    run: ({ user }) => {
      const seen = site.jobs.all().filter((job) => !refuseAccess(user, job));
      return { kind: 'body', body: { jobs: seen.map(({ id }) => id) } };
    },
  };
}

/** The front page: the resources and operations of the deployment, by their addresses. */
function directoryOperation(site: Site, listed: readonly Operation[]): Operation {
  return {
    name: 'directory',
    title: 'Administration of the reference deployment',
    path: site.root,
    methods: ['GET', 'POST'],
    fields: [],
    run: ({ origin }) => {
      const shown = listed.filter(({ path }) => !path.includes(':'));
      const addresses = Object.fromEntries(shown.map(({ title, path }) => [title, origin + path]));
      const currentVersion = releaseText(releaseAt(site.state.read(), site.now()));
      return { kind: 'body', body: { currentVersion, ...addresses } };
    },
  };
}
