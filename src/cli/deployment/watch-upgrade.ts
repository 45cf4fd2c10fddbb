import { appendFile } from 'node:fs/promises';
import { type Client, type UpgradeEvent, upgradeStageOf, watchUpgrade } from '../../client/index.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import { writeOutput } from '../output/write-output.ts';
import { toJson } from '../terminal/printable.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { MessageKeeper } from './keep-messages.ts';
import { tellPeople, tellPrograms } from './tell-upgrade.ts';

/** How an upgrade is watched. */
export interface Watching {
  readonly options: {
    readonly out: string | undefined;
    readonly every: number | undefined;
    readonly patience: number | undefined;
    readonly json: boolean;
  };
  readonly terminal: Terminal;
  /** Where the messages are kept; nowhere unless given. */
  readonly kept: MessageKeeper | undefined;
}

/** Watches an upgrade to its end and tells what is seen of it. */
export async function watch(client: Client, { options, terminal, kept }: Watching): Promise<ExitCode> {
  const { out, every, patience, json } = options;
  if (out !== undefined) await writeOutput('', { path: out, terminal });
  const teller = json ? tellPrograms(terminal) : tellPeople(terminal, client.clock.now);
  let end: ExitCode = exitCodes.done;
  try {
    for await (const event of watchUpgrade(client, {
      pause: every,
      patience,
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
  return upgradeStageOf(status) === 'failed' ? exitCodes.deploymentFailed : exitCodes.done;
}
