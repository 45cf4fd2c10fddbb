import { appendFile } from 'node:fs/promises';
import {
  type Client,
  ClientError,
  type UpgradeEvent,
  type UpgradeStatus,
  upgradeStageOf,
  watchUpgrade,
} from '../../client/index.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import { writeOutput } from '../output/write-output.ts';
import { Interrupted, UnknownOutcome } from '../terminal/endings.ts';
import { toJson } from '../terminal/printable.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { MessageKeeper } from './keep-messages.ts';
import { tellPeople, tellPrograms } from './tell-upgrade.ts';
import { watchCommand } from './watch-command.ts';

/** How an upgrade is watched. */
export interface Watching {
  readonly options: {
    readonly out: string | undefined;
    readonly every: number | undefined;
    readonly patience: number | undefined;
    readonly json: boolean;
    readonly profile: string | undefined;
    readonly url: string | undefined;
  };
  readonly terminal: Terminal;
  /** Where the messages are kept; nowhere unless given. */
  readonly kept: MessageKeeper | undefined;
  /** The state from before the start of the upgrade, where this program has started it. */
  readonly before?: UpgradeStatus;
}

/**
 * Watches an upgrade to its end and tells what is seen of it. Where it cannot
 * be watched to its end, says that it goes on; a failure is an `UnknownOutcome`.
 */
export async function watch(client: Client, watching: Watching): Promise<ExitCode> {
  try {
    return await watchToEnd(client, watching);
  } catch (error) {
    const isFailure = error instanceof ClientError;
    if (isFailure || error instanceof Interrupted) {
      watching.terminal.say(
        `Watching has ended. An upgrade that is under way goes on: ${watchCommand(watching.options)} watches again.`,
      );
    }
    throw isFailure ? new UnknownOutcome(error) : error;
  }
}

async function watchToEnd(client: Client, { options, terminal, kept, before }: Watching): Promise<ExitCode> {
  const { out, every, patience, json } = options;
  if (out !== undefined) await writeOutput('', { path: out, terminal });
  const teller = json ? tellPrograms(terminal) : tellPeople(terminal, { now: client.clock.now, before });
  let end: ExitCode = exitCodes.done;
  try {
    for await (const event of watchUpgrade(client, {
      pause: every,
      patience,
      before,
      signal: terminal.interruption(),
    })) {
      if (out !== undefined && event.kind === 'message') await appendFile(out, `${toJson(event.message)}\n`);
      if (event.kind === 'status') await kept?.add(event.received);
      await teller.tell(event);
      if (event.kind === 'ended') end = codeOf(event);
    }
  } finally {
    teller.end();
  }
  await kept?.finish();
  return end;
}

function codeOf({ status }: Extract<UpgradeEvent, { kind: 'ended' }>): ExitCode {
  switch (upgradeStageOf(status)) {
    case 'failed':
      return exitCodes.deploymentFailed;
    case 'none':
      return exitCodes.no;
    default:
      return exitCodes.done;
  }
}
