import {
  introducedIn,
  isUpdateId,
  listedUpdatesOf,
  newMessages,
  type RollbackRequest,
  rollbackOptionsOf,
  toRollbackForm,
  toUpdateId,
  toUpgradeForm,
  type Update,
  type UpgradeMessage,
  type UpgradeRequest,
  type UpgradeSetting,
  type UpgradeStatus,
  upgradeSettingsOf,
  upgradeStageOf,
  upgradeStatusOf,
} from '../protocol/index.ts';
import { readExactJson } from '../records/index.ts';
import {
  type CallOptions,
  type Client,
  callChanging,
  callReading,
  type OperationCall,
  openCodes,
  outcomeUnknown,
  plainForm,
  readJson,
  withDoubt,
} from './client.ts';
import { ClientError, type ClientErrorCode } from './errors.ts';
import { type Purpose, sinceVersion, unexpectedReplyError } from './transport.ts';

/**
 * Upgrades the deployment with a release or a patch and returns the state of the upgrade (section
 * 4.2.5 of the interface document). Sends the request once. If the reply is lost, it looks for a new
 * upgrade; if that stays unclear, the error is `inDoubt`. If an upgrade is running already, before
 * the request or by its refusal, the error has the code `UPGRADE_RUNNING`.
 *
 * A token that lives less than `upgradeTokenLife` is renewed first; how long a
 * new one lives is up to `minutes` of the credentials, and to the deployment.
 *
 * ```ts
 * const [update] = await readAvailableUpdates(client);
 * if (update) {
 *   const settings = await getUpgradeSettings(client, update.id);
 *   await startUpgrade(client, { id: update.id, settings });
 * }
 * ```
 */
export async function startUpgrade(
  client: Client,
  request: UpgradeRequest,
  options: StartOptions = {},
): Promise<StartedUpgrade> {
  checkUpdateId(request.id);
  const job = { operation: 'upgrade', name: 'upgrade', form: toUpgradeForm(request) };
  return submitUpgrade(client, job, options);
}

/** Required lifetime of the token of an upgrade, milliseconds: six hours, from the field notes. */
export const upgradeTokenLife = 6 * 3_600_000;

/** Time limit for finding an upgrade whose reply was lost, milliseconds. */
export const lookingTime = 120_000;

/** Options of the start of an upgrade or a rollback. */
export interface StartOptions extends CallOptions {
  /** Time to look for an upgrade whose answer got lost, in milliseconds. Default `lookingTime`. */
  readonly patience?: number | undefined;
  /** Is called before each step from which on the upgrade may have begun. */
  readonly onStep?: ((step: StartStep) => void) | undefined;
}

/** A step of a start: the request is on its way, or its answer is lost and the upgrade is looked for. */
export type StartStep =
  | { readonly kind: 'sending' }
  | { readonly kind: 'looking'; readonly error: ClientError; readonly patience: number };

/** State of an upgrade after its start. */
export interface StartedUpgrade extends UpgradeStatus {
  /** The state from before the request: `watchUpgrade` takes it, so as not to mistake an earlier upgrade for this one. */
  readonly before: UpgradeStatus;
  /** False where the answer was lost and an upgrade is under way that need not be this one. */
  readonly isCertain: boolean;
}

/** An operation that begins an upgrade or a rollback. */
export interface UpgradeJob {
  /** The name of the operation below the upgrades resource. */
  readonly operation: string;
  /** The noun of messages: `upgrade` or `rollback`. */
  readonly name: string;
  readonly form: FormData | URLSearchParams;
  /** The version that brought the operation, where a deployment may lack it. */
  readonly since?: string;
}

/** Sends what begins an upgrade, once, and returns how the upgrade stands. */
export async function submitUpgrade(
  client: Client,
  job: UpgradeJob,
  options: StartOptions = {},
): Promise<StartedUpgrade> {
  const { signal, patience = lookingTime, onStep } = options;
  await client.signIn({ atLeast: upgradeTokenLife });
  const before = await readUpgradeStatus(client, { signal });
  if (upgradeStageOf(before) === 'running')
    throw running('An upgrade is under way already: watch it instead');
  signal?.throwIfAborted();
  onStep?.({ kind: 'sending' });
  try {
    return { ...(await submit(client, job, options)), before, isCertain: true };
  } catch (error) {
    signal?.throwIfAborted();
    if (isRunningRefusal(error)) throw refusedWhileRunning(error, job);
    if (!outcomeUnknown(error)) throw error;
    onStep?.({ kind: 'looking', error, patience });
    const found = await lookFor(client, { before, patience, signal }).catch((failure: unknown) => {
      throw failure instanceof ClientError ? withDoubt(failure, doubtOf(job)) : failure;
    });
    if (found) return { ...found, before, isCertain: false };
    throw withDoubt(error, doubtOf(job));
  }
}

function doubtOf({ name }: UpgradeJob): string {
  return `Whether the ${name} has started is not known: look at the upgrades before it is tried again`;
}

async function submit(client: Client, job: UpgradeJob, { signal }: CallOptions): Promise<UpgradeStatus> {
  const address = `${client.addresses.upgrades}/${job.operation}`;
  const missing = job.since !== undefined && { whenMissing: sinceVersion(job.since) };
  const purpose = { failed: `The ${job.name} was not started`, privilege: 'manage upgrades', ...missing };
  const body = await callChanging(client, { address, body: job.form, purpose, signal });
  const status = upgradeStatusOf(body);
  if (!status)
    throw unexpectedReplyError(body, 'the state of an upgrade', { address, purpose, hide: client.hide });
  return status;
}

/** With which code and in which words this is refused is not documented. Words far apart speak of something else. */
const runningWords =
  /\b(upgrad|updat|rollback|rolling back)\w*(\s+\w+){0,3}\s+(in progress|under ?way|running|ongoing)\b/i;

function isRunningRefusal(error: unknown): error is ClientError {
  return error instanceof ClientError && runningWords.test(error.refusal?.said ?? '');
}

function refusedWhileRunning({ refusal }: ClientError, { name }: UpgradeJob): ClientError {
  const said = refusal?.said ?? '';
  return running(
    `The ${name} was not started: the deployment refused it (${said}), as another one is under way: watch that instead`,
  );
}

function running(message: string): ClientError {
  return new ClientError('UPGRADE_RUNNING', message, { arrived: false });
}

interface Search extends CallOptions {
  readonly before: UpgradeStatus;
  readonly patience: number;
}

/** The upgrade that has begun since; undefined where none shows in the time allowed. */
async function lookFor(
  client: Client,
  { before, patience, signal }: Search,
): Promise<UpgradeStatus | undefined> {
  const deadline = client.clock.now() + patience;
  for (;;) {
    const status = await statusOrNothing(client, { signal });
    if (status && isOtherRun(status, before)) return status;
    if (deadline <= client.clock.now()) return undefined;
    await client.clock.sleep(pause, signal);
  }
}

/** Milliseconds between two looks. */
const pause = 5000;

async function statusOrNothing(client: Client, options: CallOptions): Promise<UpgradeStatus | undefined> {
  try {
    return await readUpgradeStatus(client, options);
  } catch (error) {
    options.signal?.throwIfAborted();
    if (error instanceof ClientError && [...openCodes, 'READ_ONLY'].includes(error.code)) return undefined;
    throw error;
  }
}

/**
 * State of the latest upgrade, with its messages (section 2.8 of the interface document).
 *
 * ```ts
 * const status = await readUpgradeStatus(client);
 * ```
 */
export async function readUpgradeStatus(client: Client, options: CallOptions = {}): Promise<UpgradeStatus> {
  return (await receiveUpgradeStatus(client, options)).status;
}

/**
 * Returns the state of the latest upgrade and the reply, unchanged but without secrets of this client.
 *
 * ```ts
 * const { status, received } = await receiveUpgradeStatus(client);
 * ```
 */
export async function receiveUpgradeStatus(
  client: Client,
  { signal }: CallOptions = {},
): Promise<{ readonly status: UpgradeStatus; readonly received: unknown }> {
  const address = client.addresses.upgrades;
  const purpose = { failed: 'The state of the upgrade could not be read', privilege: 'see upgrades' };
  const body = await readJson(client, { address, body: plainForm(), purpose, signal });
  const status = upgradeStatusOf(body);
  if (!status)
    throw unexpectedReplyError(body, 'the state of an upgrade', { address, purpose, hide: client.hide });
  return { status, received: body };
}

/**
 * The releases and patches that the deployment can be upgraded to. The operation is known from the field notes.
 *
 * ```ts
 * const updates = await readAvailableUpdates(client);
 * ```
 */
export async function readAvailableUpdates(
  client: Client,
  options: CallOptions = {},
): Promise<readonly Update[]> {
  return askChild(client, {
    ...options,
    operation: 'available',
    form: plainForm(),
    failed: 'The available updates could not be read',
    what: 'a list of updates',
    read: listedUpdatesOf,
  });
}

/**
 * The releases and patches that are installed. The operation is that of the public documentation of the vendor, which
 * has its history as a page only.
 *
 * ```ts
 * const updates = await readInstalledUpdates(client);
 * ```
 */
export async function readInstalledUpdates(
  client: Client,
  options: CallOptions = {},
): Promise<readonly Update[]> {
  return askChild(client, {
    ...options,
    operation: 'installed',
    since: introducedIn.installed,
    form: plainForm(),
    failed: 'The installed updates could not be read',
    what: 'a list of updates',
    read: listedUpdatesOf,
  });
}

/**
 * The settings that an upgrade to a release or patch requires (section 4.2.3 of
 * the interface document), for deployments of version 11.0 and later. Filled
 * in, they are part of the upgrade.
 *
 * ```ts
 * const settings = await getUpgradeSettings(client, 'update');
 * ```
 */
export async function getUpgradeSettings(
  client: Client,
  id: string,
  options: CallOptions = {},
): Promise<readonly UpgradeSetting[]> {
  checkUpdateId(id);
  return askChild(client, {
    ...options,
    operation: 'getUpgradeSettings',
    since: introducedIn.getUpgradeSettings,
    form: plainForm({ upgradeId: toUpdateId(id) }),
    failed: `The settings of the upgrade to "${id}" could not be read`,
    what: 'settings of an upgrade',
    read: upgradeSettingsOf,
    parse: readExactJson,
  });
}

/**
 * Throws a `ClientError` for an identifier that cannot be one of a release or patch, before anything is sent.
 *
 * ```ts
 * checkUpdateId('11.2-patch-1'); // undefined
 * ```
 */
export function checkUpdateId(id: string): void {
  if (isUpdateId(id)) return;
  const message = `${JSON.stringify(id)} is no identifier of a release or patch`;
  throw new ClientError('REFUSED', message, { arrived: false });
}

/**
 * Returns the possible rollbacks; empty if no patch is installed (section 4.2.4 of the interface document).
 *
 * ```ts
 * const updates = await checkRollback(client);
 * ```
 */
export async function checkRollback(client: Client, options: CallOptions = {}): Promise<readonly Update[]> {
  return askChild(client, {
    ...options,
    operation: 'checkRollback',
    form: plainForm(),
    failed: 'The rollback options could not be read',
    what: 'rollback options',
    read: rollbackOptionsOf,
  });
}

interface ChildCall<T> extends CallOptions {
  readonly operation: string;
  /** The version that brought the operation, where that is known. */
  readonly since?: string;
  readonly form: URLSearchParams;
  readonly failed: string;
  readonly what: string;
  readonly parse?: OperationCall['parse'];
  readonly read: (body: unknown) => T | undefined;
}

async function askChild<T>(client: Client, call: ChildCall<T>): Promise<T> {
  const { operation, since, form, failed, what, read, signal, parse } = call;
  const address = `${client.addresses.upgrades}/${operation}`;
  const missing = since !== undefined && { whenMissing: sinceVersion(since) };
  const purpose: Purpose = { failed, privilege: 'manage upgrades', ...missing };
  // Settings are sent back, so their numbers stay as they are written.
  const body = await callReading(client, { address, body: form, purpose, signal, ...(parse && { parse }) });
  const found = read(body);
  if (found === undefined) throw unexpectedReplyError(body, what, { address, purpose, hide: client.hide });
  return found;
}

/**
 * Reports if a state belongs to another upgrade than an earlier state: it is running, has a new
 * message, or ended differently. Messages are compared by code, text and time. No upgrade is not
 * another one.
 *
 * ```ts
 * const before = await readUpgradeStatus(client);
 * isOtherRun(await readUpgradeStatus(client), before);
 * ```
 */
export function isOtherRun(now: UpgradeStatus, before: UpgradeStatus): boolean {
  const stage = upgradeStageOf(now);
  if (stage === 'running') return true;
  if (newMessages(before.messages, now.messages).length > 0) return true;
  return stage !== 'none' && now.state !== before.state;
}

/**
 * Rolls the deployment back to a release or patch that `checkRollback` names,
 * with the same care as `startUpgrade`: sent once, looked for where its answer
 * gets lost. The request is that of the vendor's public documentation; its
 * progress shows in the upgrades resource, as that of an upgrade does.
 *
 * ```ts
 * const [update] = await checkRollback(client);
 * if (update) await startRollback(client, { id: update.id });
 * ```
 */
export async function startRollback(
  client: Client,
  request: RollbackRequest,
  options: StartOptions = {},
): Promise<StartedUpgrade> {
  checkUpdateId(request.id);
  const form = toRollbackForm(request);
  const job = { operation: 'rollback', name: 'rollback', form, since: introducedIn.rollback };
  return submitUpgrade(client, job, options);
}

/** An event of a watched upgrade. */
export type UpgradeEvent =
  /** A new message. */
  | { readonly kind: 'message'; readonly message: UpgradeMessage }
  /** The state of the upgrade after new messages, and the unchanged reply with it. */
  | { readonly kind: 'status'; readonly status: UpgradeStatus; readonly received: unknown }
  /** The deployment still shows the state from before the start. */
  | { readonly kind: 'waiting'; readonly status: UpgradeStatus }
  /** An undocumented state; watching continues. */
  | { readonly kind: 'unknown'; readonly status: UpgradeStatus }
  /** The deployment is unreachable or does not reply, which is usual during an upgrade. */
  | { readonly kind: 'lost'; readonly error: ClientError }
  /** The deployment replies again. */
  | { readonly kind: 'found' }
  /** The upgrade ended, successfully or not, or there is none; `wasUnderWay` is false if it had ended before the first request. */
  | { readonly kind: 'ended'; readonly status: UpgradeStatus; readonly wasUnderWay: boolean };

/** Options for watching an upgrade. */
export interface WatchOptions extends CallOptions {
  /** Milliseconds between two requests. Default 5 s. */
  readonly pause?: number | undefined;
  /**
   * Milliseconds without an answer after which the last error is thrown, and
   * milliseconds without a change in a state that is not known. Default one hour.
   */
  readonly patience?: number | undefined;
  /**
   * The state from before the start of the upgrade that is watched. It is not
   * taken for that of the upgrade, whose own has to show within two minutes.
   */
  readonly before?: UpgradeStatus | undefined;
}

/** State between two polls. Times are milliseconds since the epoch. */
interface Watched {
  readonly seen: readonly UpgradeMessage[];
  /** True once a state of the watched upgrade was seen. */
  readonly hasBegun: boolean;
  /** True if it was seen before it ended. */
  readonly wasUnderWay: boolean;
  readonly lostSince?: number | undefined;
  /** The state that it waits in, by its event and its name, and since when. */
  readonly idle?: { readonly key: string; readonly since: number } | undefined;
}

/**
 * Watches the running upgrade to its end (section 2.8 of the interface document). Yields the messages
 * written so far first. Reports and waits out lost connections, a deployment that does not reply, and
 * unknown states.
 *
 * ```ts
 * for await (const event of watchUpgrade(client)) console.log(event);
 * ```
 */
export async function* watchUpgrade(
  client: Client,
  options: WatchOptions = {},
): AsyncGenerator<UpgradeEvent, void> {
  const { signal, pause = 5000, patience = 3_600_000, before } = options;
  let watched: Watched = { seen: before?.messages ?? [], ...begunOf(before) };
  for (;;) {
    const look = await lookAt(client, { signal });
    const now = client.clock.now();
    if ('error' in look) {
      const { lostSince = now } = watched;
      if (watched.lostSince === undefined) yield { kind: 'lost', error: look.error };
      if (lostSince + patience <= now) throw look.error;
      watched = { ...watched, lostSince };
    } else {
      if (watched.lostSince !== undefined) yield { kind: 'found' };
      const { status, received } = look;
      const fresh = newMessages(watched.seen, status.messages);
      for (const message of fresh) yield { kind: 'message', message };
      if (fresh.length > 0) yield { kind: 'status', status, received };
      const hasBegun = watched.hasBegun || (before !== undefined && isOtherRun(status, before));
      const kind = kindOf(status, hasBegun);
      if (kind === 'ended') return yield { kind, status, wasUnderWay: watched.wasUnderWay };
      const idle = idleOf({ kind, status, fresh, now }, watched);
      if (kind && idle?.key !== watched.idle?.key) yield { kind, status };
      if (idle) checkIdle(idle, { kind, status, now, patience });
      watched = { seen: status.messages, hasBegun, wasUnderWay: true, idle };
    }
    await client.clock.sleep(pause, signal);
  }
}

/** With the state from before a start, the upgrade has yet to show, and is one that was not over before. */
function begunOf(before: UpgradeStatus | undefined): Pick<Watched, 'hasBegun' | 'wasUnderWay'> {
  return { hasBegun: before === undefined, wasUnderWay: before !== undefined };
}

/** The event that a state asks for; undefined while the upgrade runs. */
function kindOf(status: UpgradeStatus, hasBegun: boolean): 'waiting' | 'unknown' | 'ended' | undefined {
  const stage = upgradeStageOf(status);
  if (stage === 'running') return undefined;
  if (!hasBegun) return 'waiting';
  return stage === 'unknown' ? 'unknown' : 'ended';
}

interface Look {
  readonly kind: 'waiting' | 'unknown' | undefined;
  readonly status: UpgradeStatus;
  readonly fresh: readonly UpgradeMessage[];
  readonly now: number;
}

/** Start of the current state. A new message in an unknown state restarts its time. */
function idleOf({ kind, status, fresh, now }: Look, { idle }: Watched): Watched['idle'] {
  if (kind === undefined) return undefined;
  const key = `${kind} ${status.state} ${status.code}`;
  if (idle?.key !== key) return { key, since: now };
  if (kind === 'unknown' && fresh.length > 0) return { ...idle, since: now };
  return idle;
}

interface IdleLook extends Omit<Look, 'fresh'> {
  readonly patience: number;
}

/** Throws where a state has been what it is for longer than allowed. */
function checkIdle({ since }: NonNullable<Watched['idle']>, { kind, status, now, patience }: IdleLook): void {
  const limit = kind === 'waiting' ? Math.min(patience, lookingTime) : patience;
  if (now < since + limit) return;
  const state = `"${status.state}" (code ${status.code})`;
  const message =
    kind === 'waiting'
      ? `The deployment still shows the state from before, ${state}, ${limit / 1000} s after the start`
      : `The state of the upgrade has been ${state} for ${limit / 1000} s, which is none that is documented`;
  throw new ClientError('BAD_REPLY', message);
}

/** Failures to expect, or already observed, during an upgrade. */
const passing: readonly ClientErrorCode[] = [
  'UNREACHABLE',
  'UNTRUSTED',
  'TIMED_OUT',
  'READ_ONLY',
  'REFUSED',
  'SERVER_ERROR',
  'BAD_REPLY',
];

async function lookAt(
  client: Client,
  options: CallOptions,
): Promise<Awaited<ReturnType<typeof receiveUpgradeStatus>> | { readonly error: ClientError }> {
  try {
    return await receiveUpgradeStatus(client, options);
  } catch (error) {
    options.signal?.throwIfAborted();
    if (error instanceof ClientError && passing.includes(error.code)) return { error };
    throw error;
  }
}
