import { appendFile } from 'node:fs/promises';
import {
  type Client,
  ClientError,
  isOtherRun,
  openClient,
  type StartedUpgrade,
  type StartOptions,
  type StartStep,
  type UpgradeEvent,
  upgradeTokenLife,
  watchUpgrade,
} from '../../client/index.ts';
import {
  newMessages,
  progressOf,
  rollbackMessageCodes,
  type UpgradeMessage,
  type UpgradeProgress,
  type UpgradeStatus,
  upgradeMessageCodes,
  upgradeStageOf,
} from '../../protocol/index.ts';
import { type ExitCode, exitCodes } from '../command-line/exit-code.ts';
import type { OptionValues } from '../command-line/option.ts';
import { writeOutput } from '../command-line/write-output.ts';
import { shellWord } from '../output/shell-word.ts';
import type { connectionOptions } from '../specs/options.ts';
import { formatDuration } from '../terminal/progress.ts';
import { Interrupted, type Terminal, UnknownOutcome } from '../terminal/terminal.ts';
import { escapeUnsafe, toJson } from '../terminal/text.ts';
import { readConnection } from './connection.ts';
import type { MessageKeeper } from './keep-messages.ts';
import { requireConfirmation, sendChange } from './send-change.ts';

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
  terminal.message(about);
  if (options.dryRun) {
    terminal.message('Nothing was sent.');
    return exitCodes.done;
  }
  if (!(await requireConfirmation(terminal, { yes: options.yes, question: `Start the ${name}?` }))) {
    terminal.message('Nothing was sent.');
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
      const limit = formatDuration(patience);
      terminal.message(
        `${escapeUnsafe(error.message)}. The ${name} may have started nevertheless: looking for it for up to ${limit}.`,
      );
      const since = Date.now();
      const show = () =>
        terminal.show(`Looking for the ${name}: ${formatDuration(Date.now() - since)} of ${limit}`);
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
    terminal.message(
      `An upgrade is running, perhaps not this one (${state}): the reply to the request was lost. Its messages name its versions; "logquarry upgrade available" shows afterwards what can still be installed.`,
    );
  } else if (hasFailed(started)) terminal.message(`The ${name} failed immediately (${state}).`);
  else if (isOtherRun(started, started.before)) terminal.message(`The ${name} has started (${state}).`);
  else
    terminal.message(`The deployment accepted the ${name}, and still reports the previous state (${state}).`);
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
  terminal.message(`Follow it with ${watchCommand(options)}.`);
  return exitCodes.done;
}

/** Warns if the token may expire before the upgrade ends. Signs in to find out. */
async function warnOfTokenExpiry(
  { client, renewsTokens }: UpgradesConnection,
  terminal: Pick<Terminal, 'message'>,
): Promise<void> {
  await client.signIn({ atLeast: upgradeTokenLife });
  const ends = client.tokenEnds();
  const left = (ends ?? Number.POSITIVE_INFINITY) - client.clock.now();
  if (upgradeTokenLife <= left && (renewsTokens || ends !== undefined)) return;
  if (renewsTokens) {
    terminal.message(
      `Tokens of the deployment are valid for ${formatDuration(left)}; they are renewed while the upgrade is watched.`,
    );
    return;
  }
  const until = ends === undefined ? 'The expiry of the token is unknown' : endOf(ends, left);
  terminal.message(
    `${until}, and an upgrade can take hours. The upgrade continues without it, but cannot be watched then: "logquarry sign-in --minutes 720" gets a token for half a day.`,
  );
}

function endOf(ends: number, left: number): string {
  const at = new Date(ends).toISOString();
  return left <= 0 ? `The token expired at ${at}` : `The token expires at ${at}, in ${formatDuration(left)}`;
}

/** Context of watching an upgrade. */
interface Watching {
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
      watching.terminal.message(
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
    : reportToPeople(terminal, { now: client.clock.now, skew: () => client.skew() ?? 0, before });
  let end: ExitCode = exitCodes.done;
  const began = client.clock.now() + (client.skew() ?? 0);
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
      if (event.kind === 'ended') end = codeOf(event, { began, before });
    }
  } finally {
    reporter.end();
  }
  await keeper?.finish();
  return end;
}

/** When watching began, by the clock of the deployment, and the state from before a start. */
interface WatchedSince {
  readonly began: number;
  readonly before: UpgradeStatus | undefined;
}

function codeOf(ended: EndedEvent, since: WatchedSince): ExitCode {
  if (doubtOfEnd(ended, since) !== undefined) return exitCodes.incomplete;
  switch (upgradeStageOf(ended.status)) {
    case 'failed':
      return exitCodes.deploymentFailed;
    case 'none':
      return exitCodes.no;
    default:
      return exitCodes.done;
  }
}

type EndedEvent = Extract<UpgradeEvent, { kind: 'ended' }>;

/** Clocks of one deployment may differ by this many milliseconds. */
const clockTolerance = 300_000;

/** Why an end proves nothing about the upgrade; undefined if it does. As a sentence. */
function doubtOfEnd(
  { status, wasUnderWay }: EndedEvent,
  { began, before }: WatchedSince,
): string | undefined {
  const stage = upgradeStageOf(status);
  if (stage === 'none')
    return wasUnderWay
      ? 'The upgrade was under way, and now the deployment reports that there was none: how it ended is not known.'
      : undefined;
  if (stage === 'succeeded' && upgradeStageOf({ state: '', code: status.code }) !== 'succeeded')
    return `The deployment reports a success with the code of another state (${stateOf(status)}): how the upgrade ended is not known.`;
  const times = newMessages(before?.messages ?? [], status.messages).flatMap(({ when }) => when ?? []);
  if (before && 0 < times.length && Math.max(...times) < began - clockTolerance)
    return `All messages are older than the start, the newest of ${timeOf(Math.max(...times))}: this may be the end of an earlier upgrade.`;
  return undefined;
}

/** The command that watches the same upgrade, for messages. Credentials are not repeated. */
function watchCommand({
  profile,
  url,
}: {
  readonly profile: string | undefined;
  readonly url: string | undefined;
}): string {
  const from = [
    ...(url === undefined ? [] : [`--url ${shellWord(url)}`]),
    ...(profile === undefined ? [] : [`--profile ${shellWord(profile)}`]),
  ];
  return `"${['logquarry upgrade watch', ...from].join(' ')}"`;
}

/** Reports the events of an upgrade. */
interface UpgradeReporter {
  readonly report: (event: UpgradeEvent) => Promise<void>;
  /** Clears the status line. */
  readonly end: () => void;
}

/** Reports to programs: one event a line, as JSON. */
function reportToPrograms(terminal: Terminal): UpgradeReporter {
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
  /** Milliseconds by which the clock of the deployment is ahead. */
  readonly skew: () => number;
  /** The status before the start; its messages belong to an earlier upgrade. */
  readonly before: UpgradeStatus | undefined;
}

/** Reports to people: messages, changes of the mode, and on a terminal the progress. */
function reportToPeople(terminal: Terminal, { now, skew, before }: PeopleOptions): UpgradeReporter {
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
        return terminal.message(
          `The deployment still reports the state from before the start (${stateOf(event.status)}); still watching.`,
        );
      case 'unknown':
        return terminal.message(`The state ${stateOf(event.status)} is not documented; still watching.`);
      case 'lost':
        return terminal.message(
          `The deployment does not answer, which is usual during an upgrade; still watching. (${escapeUnsafe(event.error.message)})`,
        );
      case 'found':
        return terminal.message('The deployment answers again.');
      case 'ended':
        latest = undefined;
        return terminal.message(
          doubtOfEnd(event, { began: began + skew(), before }) ??
            endLine({ ...event, status: own(event.status) }, now() - began),
        );
    }
  }

  function tellMode(progress: UpgradeProgress): void {
    if (progress.readOnly === readOnly) return;
    readOnly = progress.readOnly;
    terminal.message(
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

function messageLine(said: UpgradeMessage, { stdout }: Terminal): string {
  const { message, code, when } = said;
  const meaning = meaningOf(said);
  return `${timeOf(when)}  ${code}  ${escapeUnsafe(message)}${meaning ? stdout.style.dim(`  (${meaning})`) : ''}\n`;
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

/** Requested lifetime of the token of an upgrade, which takes hours. */
const tokenMinutes = 12 * 60;

/** A connection for the upgrades of a deployment. */
interface UpgradesConnection {
  readonly client: Client;
  /** True if an expiring token can be renewed. */
  readonly renewsTokens: boolean;
}

/** Opens a connection for the upgrades of a deployment. The caller must dispose of the client. */
export async function openUpgrades(
  options: OptionValues<typeof connectionOptions>,
  terminal: Terminal,
): Promise<UpgradesConnection> {
  const connection = await readConnection(options, terminal);
  const { credentials } = connection;
  const renewsTokens = credentials.kind !== 'token';
  if (credentials.kind !== 'password') return { client: openClient(connection), renewsTokens };
  const minutes = tokenMinutes;
  return { client: openClient({ ...connection, credentials: { ...credentials, minutes } }), renewsTokens };
}
