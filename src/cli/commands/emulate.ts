import { readFile } from 'node:fs/promises';
import { addFile, type Case, openCase, summary } from '../../case/index.ts';
import {
  type Account,
  createDeployment,
  type Deployment,
  type DeploymentOptions,
  deploymentVersions,
  incidentLogs,
  openSearchEngine,
  readScenario,
  type SearchEngine,
  SearchEngineError,
  type Served,
  scenarioOptions,
  serveDeployment,
} from '../../emulator/index.ts';
import { maxLogs } from '../../protocol/index.ts';
import type { Log } from '../../records/index.ts';
import type { CommandCall, RunCommand } from '../command-line/command.ts';
import { exitCodes, UsageError } from '../command-line/exit-code.ts';
import { isLoopback } from '../deployment/connection.ts';
import { readSecret } from '../deployment/profile.ts';
import { partRemarks } from '../output/part-table.ts';
import type { emulateSpec } from '../specs/deployment-specs.ts';
import { displayProgress, formatNumber } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { toJson } from '../terminal/text.ts';

/** Runs the reference deployment until it is interrupted. */
export const emulateCommand: RunCommand<typeof emulateSpec> = async ({ options, terminal }) => {
  const signal = terminal.interruption();
  const users = await usersOf(options);
  const scenario = await scenarioOf(options.scenario);
  await using logs = await openLogs(options, scenario, terminal);
  signal.throwIfAborted();
  const administration = administrationOf(options);
  await using engine = options.engine === undefined ? undefined : await openEngine(options.engine, terminal);
  const behaviour = {
    ...{ ...scenario, ...administration, logs: logs.of },
    ...(users && { users }),
    ...(engine && { engine }),
  };
  await using deployment = await createDeployment(behaviour)
    .catch((error) => {
      throw engineMistake(stateMistake(error, options.state));
    })
    .finally(() => engine?.endProgress());
  signal.throwIfAborted();
  await using served = await listen(deployment, options);
  if (options.host !== undefined && !isLoopback(options.host)) warnOpen(options.host, terminal);
  await printAddress(
    { deployment, served, options, count: logs.count, cap: scenario.exports?.cap },
    terminal,
  );
  // Interrupted before this, the event is over.
  if (!signal.aborted)
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  return exitCodes.interrupted;
};

type Options = CommandCall<typeof emulateSpec>['options'];

async function usersOf({ user, passwordFile }: Options): Promise<[Account] | undefined> {
  if (passwordFile !== undefined) {
    return [{ username: user ?? 'admin', password: await readSecret(passwordFile, '--password-file') }];
  }
  return undefined;
}

/** Settings of the administration, from the options. */
function administrationOf({ release, names, state, upgradeTime }: Options): DeploymentOptions {
  if (release !== undefined && !deploymentVersions.includes(release)) {
    throw new UsageError(`--release must be one of ${deploymentVersions.join(', ')}, got "${release}"`);
  }
  return {
    ...(release !== undefined && { version: release }),
    ...(names !== undefined && { profile: names }),
    ...(state !== undefined && { state }),
    ...(upgradeTime !== undefined && { upgradePace: { release: upgradeTime, patch: upgradeTime } }),
  };
}

/** A search engine that shows how many logs it has got, until that is ended. */
interface ShownEngine extends SearchEngine {
  readonly endProgress: () => void;
}

async function openEngine(address: string, terminal: Terminal): Promise<ShownEngine> {
  const display = displayProgress(terminal);
  let isShown = true;
  const doing = `Sending logs to ${address}`;
  const endProgress = () => {
    isShown = false;
    display.end();
  };
  try {
    const engine = await openSearchEngine(address, {
      signal: terminal.interruption(),
      onProgress: (done) => isShown && display.update({ doing, done, unit: 'logs' }),
      onLeft: (message) => terminal.message(`WARNING: ${message}`),
    });
    return { ...engine, endProgress };
  } catch (error) {
    endProgress();
    throw engineMistake(error);
  }
}

/** Turns a failure of the search server into a `UsageError`; returns other errors unchanged. */
function engineMistake(error: unknown): unknown {
  if (!(error instanceof SearchEngineError)) return error;
  return new UsageError(`The search server of --engine cannot be used: ${error.message}`, { cause: error });
}

interface Held extends AsyncDisposable {
  readonly of: Iterable<Log> | Case;
  readonly count: number;
}

/** Reads a scenario file: settings of the deployment's behaviour. */
async function scenarioOf(path: string | undefined): Promise<DeploymentOptions> {
  if (path === undefined) return {};
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`The file "${path}" of --scenario cannot be read: ${reason}`, { cause });
  });
  const read = readScenario(text);
  if ('problem' in read) throw new UsageError(`The scenario "${path}" is not valid: ${read.problem}`);
  return scenarioOptions(read.scenario);
}

async function openLogs(
  { logs: path, now }: Options,
  scenario: DeploymentOptions,
  terminal: Terminal,
): Promise<Held> {
  if (path === undefined) {
    const of = [...logsOf(scenario, now)];
    return { of, count: of.length, [Symbol.asyncDispose]: async () => {} };
  }
  const of = await openCase(':memory:', { access: 'write' });
  const display = displayProgress(terminal);
  try {
    const { parts } = await addFile(of, path, {
      signal: terminal.interruption(),
      onProgress: ({ logs }) => display.update({ doing: `Loading ${path}`, done: logs, unit: 'logs' }),
    });
    for (const line of partRemarks(parts, { isKept: false })) terminal.message(line);
    return { of, count: (await summary(of)).logs, [Symbol.asyncDispose]: () => of[Symbol.asyncDispose]() };
  } catch (error) {
    await of[Symbol.asyncDispose]();
    throw error;
  } finally {
    display.end();
  }
}

/**
 * The logs of the scenario, or those of the incident: at a fixed time, or ending now by the clock of
 * the deployment.
 */
function logsOf({ logs, now = Date.now }: DeploymentOptions, endsNow: boolean): Iterable<Log> {
  const own = logs && !('access' in logs) ? logs : undefined;
  if (own && endsNow)
    throw new UsageError('--now applies to the built-in incident only, and the scenario has its own logs');
  return own ?? incidentLogs(endsNow ? { until: now() } : {});
}

/** Turns a failure of the state file into a `UsageError`; returns other errors unchanged. */
function stateMistake(error: unknown, path: string | undefined): unknown {
  if (!(error instanceof Error) || path === undefined) return error;
  if (error.name === 'StateError') return new UsageError(error.message, { cause: error });
  if (!('syscall' in error)) return error;
  const message = `The file "${path}" of --state cannot be used: ${error.message}`;
  return new UsageError(message, { cause: error });
}

async function listen(deployment: Deployment, { host, port, allowHost }: Options): Promise<Served> {
  try {
    return await serveDeployment(deployment, { port, hosts: allowHost, ...(host !== undefined && { host }) });
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error;
    const isOfPort = error.code === 'EADDRINUSE' || error.code === 'EACCES';
    const message = isOfPort
      ? `The port ${port} cannot be used: ${error.message}; --port 0 takes any free port`
      : `The host "${host}" cannot be listened on: ${error.message}`;
    throw new UsageError(message, { cause: error });
  }
}

function warnOpen(host: string, { message, stderr }: Terminal): void {
  message(
    `${stderr.style.red('WARNING')}: --host ${host} makes the deployment reachable from other machines, without encryption. Anyone who knows the password can read all of its logs.`,
  );
}

interface Reached {
  readonly deployment: Deployment;
  readonly served: Served;
  readonly options: Options;
  readonly count: number;
  /** Maximum number of logs of one call, if the scenario sets it. */
  readonly cap: number | undefined;
}

async function printAddress(
  { deployment, served, options, count, cap }: Reached,
  terminal: Terminal,
): Promise<void> {
  const { username, password } = deployment.account;
  // A given password is a secret and known to the user.
  const credentials = options.passwordFile === undefined ? { password } : {};
  const { url } = served;
  if (options.json) {
    await terminal.print(`${toJson({ url, user: username, ...credentials, logs: count })}\n`);
    return;
  }
  const secret = 'password' in credentials ? `LOGQUARRY_PASSWORD=${password} ` : '';
  const file = options.passwordFile === undefined ? '' : ` --password-file ${options.passwordFile}`;
  const hours = options.now ? ' --from now-6h' : '';
  const fewer = cap === undefined || maxLogs <= cap ? '' : ` --cap ${cap}`;
  await terminal.print(
    [
      `The reference deployment is at ${url} and holds ${formatNumber(count)} logs.`,
      ...(isLoopback(new URL(url).hostname)
        ? ['Only this machine can reach it; --host opens it to others.']
        : []),
      ...(options.engine === undefined
        ? []
        : [`Searches are answered by ${options.engine}, in an index of its own that is deleted in the end.`]),
      `Sign in as ${username}${'password' in credentials ? ` with the password ${password}` : ''}.`,
      `Every operation has a page in a browser: ${new URL(deployment.paths.root, url).href}`,
      '',
      'To export from it, in another terminal:',
      `  ${secret}npx logquarry export --url ${url} --user ${username}${file}${fewer}${hours} --search 'logLevel:SEVERE' --into severe.duckdb`,
      '',
      'Press Ctrl-C to stop it.',
      '',
    ].join('\n'),
  );
}
