import { type UpgradeStatus, upgradeStageOf, upgradeStatusOf } from '../../protocol/index.ts';
import { type CallOptions, callChanging } from '../calls/call.ts';
import type { Client } from '../calls/client.ts';
import { mayBeCarriedOut, openCodes, withDoubt } from '../calls/in-doubt.ts';
import { sinceVersion, unexpectedReplyError } from '../transport/answer.ts';
import { ClientError } from '../transport/client-error.ts';
import { isOtherRun } from './is-other-run.ts';
import { readUpgradeStatus } from './upgrade-resources.ts';

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
    if (!mayBeCarriedOut(error)) throw error;
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
