import {
  type Client,
  ClientError,
  isOtherRun,
  type StartedUpgrade,
  type StartOptions,
  type StartStep,
  upgradeTokenLife,
} from '../../client/index.ts';
import { upgradeStageOf } from '../../protocol/index.ts';
import { type ExitCode, exitCodes } from '../command-line/exit-code.ts';
import { requireConfirmation } from '../input/require-confirmation.ts';
import { UnknownOutcome } from '../terminal/endings.ts';
import { escapeUnsafe } from '../terminal/printable.ts';
import { formatDuration } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { MessageKeeper } from './keep-messages.ts';
import type { UpgradesConnection } from './open-upgrades.ts';
import { reportToPrograms } from './report-upgrade.ts';
import { sendChange } from './send-change.ts';
import { watchCommand } from './watch-command.ts';
import { type Watching, watchAndReport } from './watch-upgrade.ts';

/** Start of an upgrade or a rollback, with its options. */
export interface Starting {
  readonly client: Client;
  /** True if an expiring token can be renewed. */
  readonly renewsTokens: boolean;
  readonly options: Watching['options'] & {
    readonly yes: boolean;
    readonly dryRun: boolean;
    readonly watch: boolean;
    readonly into: string | undefined;
  };
  readonly terminal: Terminal;
  /** Noun in messages. */
  readonly name: 'upgrade' | 'rollback';
  /** Announcement of the change, as a sentence. */
  readonly about: string;
  readonly start: (options: StartOptions) => Promise<StartedUpgrade>;
}

/** Announces an upgrade or a rollback, asks, starts it, and watches it if requested. */
export async function startAndWatch(starting: Starting): Promise<ExitCode> {
  const { client, renewsTokens, options, terminal, name, about } = starting;
  await warnOfTokenExpiry({ client, renewsTokens }, terminal);
  terminal.say(about);
  if (options.dryRun) {
    terminal.say('Nothing was sent.');
    return exitCodes.done;
  }
  if (!(await requireConfirmation(terminal, { yes: options.yes, question: `Start the ${name}?` }))) {
    terminal.say('Nothing was sent.');
    return exitCodes.no;
  }
  const keeper = await openMessageKeeper(options.into, terminal);
  const started = await begin(starting);
  sayStarted(started, starting);
  const code = options.watch
    ? await watchAndReport(client, { options, terminal, keeper, before: started.before })
    : await notWatched(started, starting);
  return !started.isCertain && code === exitCodes.done ? exitCodes.incomplete : code;
}

/** Prepares storing messages, if a case is given. Loads the database only then. */
export async function openMessageKeeper(
  into: string | undefined,
  terminal: Terminal,
): Promise<MessageKeeper | undefined> {
  if (into === undefined) return undefined;
  const { keepMessages } = await import('./keep-messages.ts');
  return keepMessages(into, terminal);
}

/** Sends the start. A failure with an unknown outcome becomes an `UnknownOutcome`. */
async function begin({ start, terminal, name, options }: Starting): Promise<StartedUpgrade> {
  const signal = terminal.interruption();
  const look = showLooking(terminal, name);
  let step: StartStep | undefined;
  const onStep = (next: StartStep) => {
    step = next;
    if (next.kind === 'looking') look.begin(next);
  };
  const doubt = () =>
    step
      ? `The request was already sent, so the ${name} may have started: check with ${watchCommand(options)} after two minutes at the latest. Do not start it again before.`
      : 'Nothing was sent.';
  try {
    return await sendChange(() => start({ signal, onStep }), { terminal, doubt });
  } catch (error) {
    throw error instanceof ClientError && error.inDoubt ? new UnknownOutcome(error) : error;
  } finally {
    look.end();
  }
}

/** Shows the time spent on finding an upgrade after its reply was lost. */
function showLooking(terminal: Terminal, name: string) {
  let ticking: NodeJS.Timeout | undefined;
  return {
    begin({ error, patience }: Extract<StartStep, { kind: 'looking' }>): void {
      const most = formatDuration(patience);
      terminal.say(
        `${escapeUnsafe(error.message)}. The ${name} may have started nevertheless: looking for it for up to ${most}.`,
      );
      const since = Date.now();
      const show = () =>
        terminal.show(`Looking for the ${name}: ${formatDuration(Date.now() - since)} of ${most}`);
      ticking = setInterval(show, 1000).unref();
    },
    end(): void {
      clearInterval(ticking);
      terminal.show('');
    },
  };
}

function sayStarted(started: StartedUpgrade, { terminal, name }: Starting): void {
  const state = escapeUnsafe(started.state);
  if (!started.isCertain) {
    terminal.say(
      `An upgrade is running, perhaps not this one (${state}): the reply to the request was lost. Its messages name its versions; "logquarry upgrade available" shows afterwards what can still be installed.`,
    );
  } else if (hasFailed(started)) terminal.say(`The ${name} failed immediately (${state}).`);
  else if (isOtherRun(started, started.before)) terminal.say(`The ${name} has started (${state}).`);
  else terminal.say(`The deployment accepted the ${name}, and still reports the previous state (${state}).`);
}

/** True if the reply to the start reports its own failure, not that of an earlier upgrade. */
function hasFailed(started: StartedUpgrade): boolean {
  return started.isCertain && upgradeStageOf(started) === 'failed' && isOtherRun(started, started.before);
}

async function notWatched(started: StartedUpgrade, { options, terminal }: Starting): Promise<ExitCode> {
  const { state, code, messages } = started;
  const status = { state, code, messages };
  if (options.json) await reportToPrograms(terminal).report({ kind: 'status', status, received: undefined });
  if (hasFailed(started)) return exitCodes.deploymentFailed;
  terminal.say(`Follow it with ${watchCommand(options)}.`);
  return exitCodes.done;
}

/** Warns if the token may expire before the upgrade ends. Signs in to find out. */
async function warnOfTokenExpiry(
  { client, renewsTokens }: UpgradesConnection,
  terminal: Pick<Terminal, 'say'>,
): Promise<void> {
  await client.signIn({ atLeast: upgradeTokenLife });
  const ends = client.tokenEnds();
  const left = (ends ?? Number.POSITIVE_INFINITY) - client.clock.now();
  if (upgradeTokenLife <= left && (renewsTokens || ends !== undefined)) return;
  if (renewsTokens) {
    terminal.say(
      `Tokens of the deployment are valid for ${formatDuration(left)}; they are renewed while the upgrade is watched.`,
    );
    return;
  }
  const until = ends === undefined ? 'The expiry of the token is unknown' : endOf(ends, left);
  terminal.say(
    `${until}, and an upgrade can take hours. The upgrade continues without it, but cannot be watched then: "logquarry sign-in --minutes 720" gets a token for half a day.`,
  );
}

function endOf(ends: number, left: number): string {
  const at = new Date(ends).toISOString();
  return left <= 0 ? `The token expired at ${at}` : `The token expires at ${at}, in ${formatDuration(left)}`;
}
