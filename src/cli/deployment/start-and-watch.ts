import {
  type Client,
  ClientError,
  isOtherRun,
  type StartedUpgrade,
  type StartOptions,
  type StartStep,
  upgradeStageOf,
} from '../../client/index.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import { confirmed } from '../input/confirmed.ts';
import { UnknownOutcome } from '../terminal/endings.ts';
import { printable } from '../terminal/printable.ts';
import { duration } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { inFlight } from './in-flight.ts';
import type { MessageKeeper } from './keep-messages.ts';
import { sayTokenLife } from './say-token-life.ts';
import { tellPrograms } from './tell-upgrade.ts';
import { watchCommand } from './watch-command.ts';
import { type Watching, watch } from './watch-upgrade.ts';

/** Start of an upgrade or a rollback, with its options. */
export interface Starting {
  readonly client: Client;
  /** True if a token that expires can be replaced by another one. */
  readonly renewsTokens: boolean;
  readonly options: Watching['options'] & {
    readonly yes: boolean;
    readonly dryRun: boolean;
    readonly watch: boolean;
    readonly into: string | undefined;
  };
  readonly terminal: Terminal;
  /** The noun of messages. */
  readonly name: 'upgrade' | 'rollback';
  /** Announcement of the change, a sentence. */
  readonly about: string;
  readonly start: (options: StartOptions) => Promise<StartedUpgrade>;
}

/** Says what is going to happen, asks, starts it, and watches it where that is wanted. */
export async function startAndWatch(starting: Starting): Promise<ExitCode> {
  const { client, renewsTokens, options, terminal, name, about } = starting;
  await sayTokenLife({ client, renewsTokens }, terminal);
  terminal.say(about);
  if (options.dryRun) {
    terminal.say('Nothing was sent.');
    return exitCodes.done;
  }
  if (!(await confirmed(terminal, { yes: options.yes, question: `Start the ${name}?` }))) {
    terminal.say('Nothing was sent.');
    return exitCodes.no;
  }
  const kept = await keeperOf(options.into, terminal);
  const started = await begin(starting);
  sayStarted(started, starting);
  const code = options.watch
    ? await watch(client, { options, terminal, kept, before: started.before })
    : await notWatched(started, starting);
  return !started.isCertain && code === exitCodes.done ? exitCodes.incomplete : code;
}

/** The database is loaded for those only who want a case. */
export async function keeperOf(
  into: string | undefined,
  terminal: Terminal,
): Promise<MessageKeeper | undefined> {
  if (into === undefined) return undefined;
  const { keepMessages } = await import('./keep-messages.ts');
  return keepMessages(into, terminal);
}

/** Starts it. A failure that leaves open whether it has begun becomes an `UnknownOutcome`. */
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
      ? `The request was on its way, so the ${name} may have started: ${watchCommand(options)} shows it, after two minutes at the latest. Do not start it again before that.`
      : 'Nothing was sent.';
  try {
    return await inFlight(() => start({ signal, onStep }), { terminal, doubt });
  } catch (error) {
    throw error instanceof ClientError && error.inDoubt ? new UnknownOutcome(error) : error;
  } finally {
    look.end();
  }
}

/** Shows how long an upgrade has been looked for whose answer got lost. */
function showLooking(terminal: Terminal, name: string) {
  let ticking: NodeJS.Timeout | undefined;
  return {
    begin({ error, patience }: Extract<StartStep, { kind: 'looking' }>): void {
      const most = duration(patience);
      terminal.say(
        `${printable(error.message)}. The ${name} may have started all the same: looking for it, which takes up to ${most}.`,
      );
      const since = Date.now();
      const show = () => terminal.show(`Looking for the ${name}: ${duration(Date.now() - since)} of ${most}`);
      ticking = setInterval(show, 1000).unref();
    },
    end(): void {
      clearInterval(ticking);
      terminal.show('');
    },
  };
}

function sayStarted(started: StartedUpgrade, { terminal, name }: Starting): void {
  const state = printable(started.state);
  if (!started.isCertain) {
    terminal.say(
      `An upgrade is under way, perhaps not this one (${state}): the answer to the request was lost. Its messages say from which version to which it goes; "logquarry upgrade available" says afterwards what is still to be installed.`,
    );
  } else if (hasFailed(started)) terminal.say(`The ${name} failed at once (${state}).`);
  else if (isOtherRun(started, started.before)) terminal.say(`The ${name} has started (${state}).`);
  else terminal.say(`The deployment accepted the ${name}, and still shows the state from before (${state}).`);
}

/** Tells whether the answer to the start reports its own failure, and not that of an earlier upgrade. */
function hasFailed(started: StartedUpgrade): boolean {
  return started.isCertain && upgradeStageOf(started) === 'failed' && isOtherRun(started, started.before);
}

async function notWatched(started: StartedUpgrade, { options, terminal }: Starting): Promise<ExitCode> {
  const { state, code, messages } = started;
  const status = { state, code, messages };
  if (options.json) await tellPrograms(terminal).tell({ kind: 'status', status, received: undefined });
  if (hasFailed(started)) return exitCodes.deploymentFailed;
  terminal.say(`${watchCommand(options)} shows how it goes on.`);
  return exitCodes.done;
}
