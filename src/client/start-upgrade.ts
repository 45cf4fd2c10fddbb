import {
  toUpgradeForm,
  type UpgradeRequest,
  type UpgradeStatus,
  upgradeStageOf,
  upgradeStatusOf,
} from '../protocol/index.ts';
import { unexpected } from './answer.ts';
import { type CallOptions, order } from './call.ts';
import type { Client } from './client.ts';
import { ClientError, type ClientErrorCode } from './client-error.ts';
import { readUpgradeStatus } from './upgrade-resources.ts';

/** The token of an upgrade is to live for so many milliseconds: six hours, as the field notes have it. */
export const upgradeTokenLife = 6 * 3_600_000;

/** How an upgrade is started. */
export interface StartOptions extends CallOptions {
  /** How long to look for an upgrade whose answer got lost, in milliseconds. Default two minutes. */
  readonly patience?: number | undefined;
}

/**
 * Upgrades the deployment by a release or a patch and gives back how the
 * upgrade stands (section 4.2.5 of the interface document). It is sent once:
 * where the answer gets lost, the deployment is asked whether it has started,
 * and where that stays open, the error says so. An upgrade that is under way
 * already is an error with the code `UPGRADE_RUNNING`, and nothing is sent.
 *
 * A token that lives less than `upgradeTokenLife` is renewed first; how long a
 * new one lives is up to `minutes` of the credentials, and to the deployment.
 */
export async function startUpgrade(
  client: Client,
  request: UpgradeRequest,
  options: StartOptions = {},
): Promise<UpgradeStatus> {
  const { signal, patience = 120_000 } = options;
  await client.signIn({ atLeast: upgradeTokenLife });
  const before = await readUpgradeStatus(client, { signal });
  if (upgradeStageOf(before) === 'running') {
    throw new ClientError('UPGRADE_RUNNING', 'An upgrade is under way already: watch it instead', {
      arrived: false,
    });
  }
  try {
    return await submit(client, request, options);
  } catch (error) {
    signal?.throwIfAborted();
    if (!mayHaveStarted(error)) throw error;
    const started = await lookFor(client, { before, patience, signal });
    if (started) return started;
    const doubt =
      'Whether the upgrade has started is not known: look at the upgrades before it is tried again';
    throw new ClientError(error.code, `${error.message}. ${doubt}`, { cause: error.cause });
  }
}

async function submit(
  client: Client,
  request: UpgradeRequest,
  { signal }: CallOptions,
): Promise<UpgradeStatus> {
  const address = `${client.addresses.upgrades}/upgrade`;
  const purpose = { failed: 'The upgrade was not started', privilege: 'manage upgrades' };
  const body = await order(client, { address, body: toUpgradeForm(request), purpose, signal });
  const status = upgradeStatusOf(body);
  if (!status) throw unexpected(body, 'the state of an upgrade', { address, purpose, hide: client.hide });
  return status;
}

/** After these an upgrade may be under way: a proxy gives up waiting, or a gateway answers with a page of its own. */
const open: readonly ClientErrorCode[] = ['UNREACHABLE', 'TIMED_OUT', 'SERVER_ERROR', 'BAD_REPLY'];

function mayHaveStarted(error: unknown): error is ClientError {
  return error instanceof ClientError && error.arrived && open.includes(error.code);
}

interface Search extends CallOptions {
  readonly before: UpgradeStatus;
  readonly patience: number;
}

/** The upgrade that has started in spite of the lost answer; undefined where none shows in the time allowed. */
async function lookFor(
  client: Client,
  { before, patience, signal }: Search,
): Promise<UpgradeStatus | undefined> {
  const deadline = client.clock.now() + patience;
  for (;;) {
    const status = await statusOrNothing(client, { signal });
    if (status && isOther(status, before)) return status;
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
    if (error instanceof ClientError && [...open, 'READ_ONLY'].includes(error.code)) return undefined;
    throw error;
  }
}

function isOther(now: UpgradeStatus, before: UpgradeStatus): boolean {
  return (
    upgradeStageOf(now) === 'running' || JSON.stringify(now.messages) !== JSON.stringify(before.messages)
  );
}
