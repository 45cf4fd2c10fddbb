import { appendFile } from 'node:fs/promises';
import { type Client, ClientError, type UpgradeEvent, watchUpgrade } from '../../client/index.ts';
import { type UpgradeStatus, upgradeStageOf } from '../../protocol/index.ts';
import { type ExitCode, exitCodes } from '../command-line/exit-code.ts';
import { writeOutput } from '../files/write-output.ts';
import { Interrupted, UnknownOutcome } from '../terminal/endings.ts';
import { toJson } from '../terminal/printable.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { MessageKeeper } from './keep-messages.ts';
import { reportToPeople, reportToPrograms } from './report-upgrade.ts';
import { watchCommand } from './watch-command.ts';

/** Context of watching an upgrade. */
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
  /** Storage of the messages, if requested. */
  readonly keeper: MessageKeeper | undefined;
  /** The status before the start, if this program started the upgrade. */
  readonly before?: UpgradeStatus;
}

/**
 * Watches an upgrade to its end and reports its events. If that fails, reports that the upgrade
 * continues; a failure becomes an `UnknownOutcome`.
 */
export async function watchAndReport(client: Client, watching: Watching): Promise<ExitCode> {
  try {
    return await followUpgrade(client, watching);
  } catch (error) {
    const isFailure = error instanceof ClientError;
    if (isFailure || error instanceof Interrupted) {
      watching.terminal.say(
        `Watching has ended. A running upgrade continues: watch again with ${watchCommand(watching.options)}.`,
      );
    }
    throw isFailure ? new UnknownOutcome(error) : error;
  }
}

async function followUpgrade(
  client: Client,
  { options, terminal, keeper, before }: Watching,
): Promise<ExitCode> {
  const { out, every, patience, json } = options;
  if (out !== undefined) await writeOutput('', { path: out, terminal });
  const reporter = json
    ? reportToPrograms(terminal)
    : reportToPeople(terminal, { now: client.clock.now, before });
  let end: ExitCode = exitCodes.done;
  try {
    for await (const event of watchUpgrade(client, {
      pause: every,
      patience,
      before,
      signal: terminal.interruption(),
    })) {
      if (out !== undefined && event.kind === 'message') await appendFile(out, `${toJson(event.message)}\n`);
      if (event.kind === 'status') await keeper?.add(event.received);
      await reporter.report(event);
      if (event.kind === 'ended') end = codeOf(event);
    }
  } finally {
    reporter.end();
  }
  await keeper?.finish();
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
