import {
  progressOf,
  type UpgradeEvent,
  type UpgradeMessage,
  type UpgradeProgress,
  type UpgradeStatus,
  upgradeMessageCodes,
} from '../../client/index.ts';
import { printable, toJson } from '../terminal/printable.ts';
import { duration } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Tells what is seen of an upgrade. */
export interface UpgradeTeller {
  readonly tell: (event: UpgradeEvent) => Promise<void>;
  /** Takes the state away that is shown. */
  readonly end: () => void;
}

/** Tells programs: one event a line. */
export function tellPrograms(terminal: Terminal): UpgradeTeller {
  return { tell: (event) => terminal.print(`${toJson(toJsonEvent(event))}\n`), end: () => {} };
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

/** Tells people: messages, what changes for them, and on a terminal how far the upgrade is. */
export function tellPeople(terminal: Terminal, now: () => number): UpgradeTeller {
  const began = now();
  let latest: UpgradeStatus | undefined;
  let readOnly = false;
  const show = () => {
    if (latest) terminal.show(statusLine(progressOf(latest), now() - began));
  };
  // A step can take long: that the time goes on shows that this does.
  const ticking = setInterval(show, 1000).unref();
  return { tell, end };

  async function tell(event: UpgradeEvent): Promise<void> {
    switch (event.kind) {
      case 'message':
        return terminal.print(messageLine(event.message, terminal));
      case 'status':
        latest = event.status;
        tellMode(progressOf(event.status));
        return show();
      case 'lost':
        return terminal.say(
          `The deployment does not answer, which is usual in the middle of an upgrade; watching goes on. (${printable(event.error.message)})`,
        );
      case 'found':
        return terminal.say('The deployment answers again.');
      case 'ended':
        latest = undefined;
        return terminal.say(endLine(event, now() - began));
    }
  }

  function tellMode(progress: UpgradeProgress): void {
    if (progress.readOnly === readOnly) return;
    readOnly = progress.readOnly;
    terminal.say(
      readOnly
        ? 'The deployment is in read-only mode: it answers, but nothing in it can be changed until the upgrade is over.'
        : 'The deployment can be changed again.',
    );
  }

  function end(): void {
    clearInterval(ticking);
    terminal.show('');
  }
}

/** What the code of a message means, where it is a documented one. */
function meaningOf({ code }: UpgradeMessage): string | undefined {
  return upgradeMessageCodes[code]?.meaning;
}

function messageLine(said: UpgradeMessage, { data }: Terminal): string {
  const { message, code, when } = said;
  const time = new Date(when).toISOString().slice(0, 19);
  const meaning = meaningOf(said);
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
