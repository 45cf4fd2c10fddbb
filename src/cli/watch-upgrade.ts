import { appendFile } from 'node:fs/promises';
import {
  type Client,
  progressOf,
  type UpgradeEvent,
  type UpgradeMessage,
  type UpgradeProgress,
  upgradeMessageCodes,
  upgradeStageOf,
  watchUpgrade,
} from '../client/index.ts';
import { type ExitCode, exitCodes } from './exit-code.ts';
import type { MessageKeeper } from './keep-messages.ts';
import { printable, toJson } from './printable.ts';
import { duration } from './progress.ts';
import type { Terminal } from './terminal.ts';
import { writeOutput } from './write-output.ts';

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
  const started = client.clock.now();
  let readOnly = false;
  let end: ExitCode = exitCodes.done;
  for await (const event of watchUpgrade(client, {
    pause: every,
    patience,
    signal: terminal.interruption(),
  })) {
    if (out !== undefined && event.kind === 'message') await appendFile(out, `${toJson(event.message)}\n`);
    if (event.kind === 'status') await kept?.add(event.received);
    if (json) await terminal.print(`${toJson(toJsonEvent(event))}\n`);
    else await tell(event, { terminal, elapsed: () => client.clock.now() - started });
    if (event.kind === 'status' && progressOf(event.status).readOnly !== readOnly) {
      readOnly = !readOnly;
      if (!json) terminal.say(readOnly ? inReadOnly : 'The deployment can be changed again.');
    }
    if (event.kind === 'ended') end = codeOf(event);
  }
  await kept?.finish();
  return end;
}

const inReadOnly =
  'The deployment is in read-only mode: it answers, but nothing in it can be changed until the upgrade is over.';

function codeOf({ status }: Extract<UpgradeEvent, { kind: 'ended' }>): ExitCode {
  return upgradeStageOf(status) === 'failed' ? exitCodes.deploymentFailed : exitCodes.done;
}

function toJsonEvent(event: UpgradeEvent): object {
  switch (event.kind) {
    case 'lost':
      return { kind: event.kind, code: event.error.code, message: event.error.message };
    case 'status':
      return { kind: event.kind, status: event.status };
    default:
      return event;
  }
}

interface Telling {
  readonly terminal: Terminal;
  readonly elapsed: () => number;
}

async function tell(event: UpgradeEvent, { terminal, elapsed }: Telling): Promise<void> {
  switch (event.kind) {
    case 'message':
      return terminal.print(messageLine(event.message, terminal));
    case 'status':
      return terminal.show(statusLine(progressOf(event.status), elapsed()));
    case 'lost':
      return terminal.say(
        `The deployment does not answer, which is usual in the middle of an upgrade; watching goes on. (${printable(event.error.message)})`,
      );
    case 'found':
      return terminal.say('The deployment answers again.');
    case 'ended':
      return terminal.say(endLine(event, elapsed()));
  }
}

function messageLine({ message, code, when }: UpgradeMessage, { data }: Terminal): string {
  const time = new Date(when).toISOString().slice(0, 19);
  const meaning = upgradeMessageCodes[code]?.meaning;
  return `${time}Z  ${code}  ${printable(message)}${meaning ? data.style.dim(`  (${meaning})`) : ''}\n`;
}

/** So many characters are a bar. */
const barWidth = 24;

function statusLine({ counted, readOnly }: UpgradeProgress, elapsed: number): string {
  const parts = [
    ...(counted ? [`${bar(counted)} ${counted.done} of ${counted.of} microservices`] : ['Upgrading …']),
    ...(readOnly ? ['read-only'] : []),
    duration(elapsed),
  ];
  return parts.join(', ');
}

function bar({ done, of }: { readonly done: number; readonly of: number }): string {
  const full = of === 0 ? barWidth : Math.round((barWidth * done) / of);
  return `[${'#'.repeat(full)}${'.'.repeat(barWidth - full)}]`;
}

function endLine({ status }: Extract<UpgradeEvent, { kind: 'ended' }>, elapsed: number): string {
  const { stage, started, latest } = progressOf(status);
  const took = started !== undefined && latest !== undefined ? duration(latest - started) : duration(elapsed);
  switch (stage) {
    case 'none':
      return 'No upgrade is under way, and none has been before.';
    case 'failed':
      return `The upgrade failed after ${took} (${printable(status.state)}). Its last messages say why; the logs of the deployment say more.`;
    default:
      return `The upgrade succeeded. It took ${took}.`;
  }
}
