import type { UpgradeEvent } from '../../client/index.ts';
import {
  newMessages,
  progressOf,
  rollbackMessageCodes,
  type UpgradeMessage,
  type UpgradeProgress,
  type UpgradeStatus,
  upgradeMessageCodes,
} from '../../protocol/index.ts';
import { escapeUnsafe, toJson } from '../terminal/printable.ts';
import { formatDuration } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Reports the events of an upgrade. */
export interface UpgradeReporter {
  readonly report: (event: UpgradeEvent) => Promise<void>;
  /** Clears the status line. */
  readonly end: () => void;
}

/** Reports to programs: one event a line, as JSON. */
export function reportToPrograms(terminal: Terminal): UpgradeReporter {
  return { report: (event) => terminal.print(`${toJson(toJsonEvent(event))}\n`), end: () => {} };
}

function toJsonEvent(event: UpgradeEvent): object {
  switch (event.kind) {
    case 'lost':
      return { kind: event.kind, code: event.error.code, message: event.error.message };
    case 'status':
      return { kind: event.kind, status: event.status };
    case 'message':
      return { ...event, meaning: meaningOf(event.message) };
    default:
      return event;
  }
}

/** Options of the report for people. */
interface PeopleOptions {
  readonly now: () => number;
  /** The status before the start; its messages belong to an earlier upgrade. */
  readonly before: UpgradeStatus | undefined;
}

/** Reports to people: messages, changes of the mode, and on a terminal the progress. */
export function reportToPeople(terminal: Terminal, { now, before }: PeopleOptions): UpgradeReporter {
  const began = now();
  const own = (status: UpgradeStatus): UpgradeStatus => ({
    ...status,
    messages: newMessages(before?.messages ?? [], status.messages),
  });
  let latest: UpgradeStatus | undefined;
  let readOnly = false;
  const show = () => {
    if (latest) terminal.show(statusLine(progressOf(latest), now() - began));
  };
  // The elapsed time shows that a long step is alive.
  const ticking = setInterval(show, 1000).unref();
  return { report: tell, end };

  async function tell(event: UpgradeEvent): Promise<void> {
    switch (event.kind) {
      case 'message':
        return terminal.print(messageLine(event.message, terminal));
      case 'status':
        latest = own(event.status);
        tellMode(progressOf(latest));
        return show();
      case 'waiting':
        return terminal.say(
          `The deployment still reports the state from before the start (${stateOf(event.status)}); still watching.`,
        );
      case 'unknown':
        return terminal.say(`The state ${stateOf(event.status)} is not documented; still watching.`);
      case 'lost':
        return terminal.say(
          `The deployment does not answer, which is usual during an upgrade; still watching. (${escapeUnsafe(event.error.message)})`,
        );
      case 'found':
        return terminal.say('The deployment answers again.');
      case 'ended':
        latest = undefined;
        return terminal.say(endLine({ ...event, status: own(event.status) }, now() - began));
    }
  }

  function tellMode(progress: UpgradeProgress): void {
    if (progress.readOnly === readOnly) return;
    readOnly = progress.readOnly;
    terminal.say(
      readOnly
        ? 'The deployment is in read-only mode: it answers, but nothing can be changed until the upgrade has ended.'
        : 'The deployment can be changed again.',
    );
  }

  function end(): void {
    clearInterval(ticking);
    terminal.show('');
  }
}

/** The documented meaning of a message code, if any. */
function meaningOf({ code }: UpgradeMessage): string | undefined {
  return (upgradeMessageCodes[code] ?? rollbackMessageCodes[code])?.meaning;
}

function stateOf({ state, code }: UpgradeStatus): string {
  return `"${escapeUnsafe(state)}", code ${code}`;
}

/** A time in UTC to the second, or a placeholder of the same width. */
function timeOf(when: number | undefined): string {
  return when === undefined ? 'no time given       ' : `${new Date(when).toISOString().slice(0, 19)}Z`;
}

function messageLine(said: UpgradeMessage, { data }: Terminal): string {
  const { message, code, when } = said;
  const meaning = meaningOf(said);
  return `${timeOf(when)}  ${code}  ${escapeUnsafe(message)}${meaning ? data.style.dim(`  (${meaning})`) : ''}\n`;
}

/** Width of the progress bar in characters. */
const barWidth = 24;

function statusLine({ counted, readOnly }: UpgradeProgress, elapsed: number): string {
  const parts = [
    ...(counted ? [`${bar(counted)} ${counted.done} of ${counted.of} microservices`] : ['Upgrading …']),
    ...(readOnly ? ['read-only'] : []),
    formatDuration(elapsed),
  ];
  return parts.join(', ');
}

function bar({ done, of }: { readonly done: number; readonly of: number }): string {
  const full = of === 0 ? barWidth : Math.round((barWidth * done) / of);
  return `[${'#'.repeat(full)}${'.'.repeat(barWidth - full)}]`;
}

function endLine({ status, wasUnderWay }: Extract<UpgradeEvent, { kind: 'ended' }>, elapsed: number): string {
  const { stage, started, latest } = progressOf(status);
  if (stage === 'none') return 'No upgrade is running, and there was none before.';
  const name = status.messages.some(({ code }) => code in rollbackMessageCodes) ? 'rollback' : 'upgrade';
  const isTimed = started !== undefined && latest !== undefined;
  const took = isTimed ? formatDuration(latest - started) : wasUnderWay ? formatDuration(elapsed) : undefined;
  const at = latest === undefined ? 'an unknown time' : timeOf(latest);
  const before = wasUnderWay ? '' : `No upgrade is running. The latest one ended at ${at}. `;
  return before + (stage === 'failed' ? failedLine(name, status, took) : succeededLine(name, took));
}

function failedLine(name: string, { state }: UpgradeStatus, took: string | undefined): string {
  const after = took === undefined ? '' : ` after ${took}`;
  return `The ${name} failed${after} (${escapeUnsafe(state)}). See its last messages and the logs of the deployment.`;
}

function succeededLine(name: string, took: string | undefined): string {
  return `The ${name} succeeded.${took === undefined ? '' : ` It took ${took}.`}`;
}
