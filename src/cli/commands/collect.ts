import { openClient, systemClock } from '../../client/index.ts';
import {
  type CollectConfiguration,
  type CollectedResult,
  type CollectTools,
  collect,
  readCollectConfiguration,
  readStatus,
  type ServedCollector,
  type SourceStatus,
  serveCollector,
} from '../../collect/index.ts';
import type { RunCommand } from '../command-line/command.ts';
import { type ExitCode, exitCodes, UsageError } from '../command-line/exit-code.ts';
import { readTextFile } from '../command-line/files.ts';
import { isLoopback, readConnection } from '../deployment/connection.ts';
import { formatTable } from '../output/table.ts';
import type { collectCheckSpec, collectSpec, collectStatusSpec } from '../specs/collect-specs.ts';
import { formatAmount, formatCount, formatDuration, formatNumber } from '../terminal/progress.ts';
import { Interrupted, type OutputStyle, type Terminal } from '../terminal/terminal.ts';
import { escapeUnsafe, toJson } from '../terminal/text.ts';
import { formatRange, formatSecond } from '../terminal/time-format.ts';
import { sealCase } from './seal.ts';

/** Collects the logs of deployments until it is ended, or once. */
export const collectCommand: RunCommand<typeof collectSpec> = async ({
  arguments: { config: path },
  options: { once },
  terminal,
}) => {
  let configuration = await readConfigurationFile(path);
  let reload = new AbortController();
  // A terminal that is closed ends the work, as it does for every command.
  const isService = terminal.stderr.width === undefined;
  const signal = terminal.interruption(isService ? { onHangUp: () => reload.abort() } : {});
  const tools = toolsOf(terminal, signal);
  const before = await readStatus(configuration, systemClock.now());
  await using served = serveOnce(() => configuration, terminal);
  try {
    for (;;) {
      const run = { once, pause: reload.signal, onStart: served.start };
      const results = await collect(configuration, tools, run);
      if (once) return await codeOfOnce(results, { before, configuration });
      reload = new AbortController();
      configuration = await readAgain(path, configuration, terminal);
    }
  } catch (error) {
    if (!(error instanceof Interrupted) || once) throw error;
    terminal.message('Ended: what was begun is gone on with at the next start.');
    return exitCodes.done;
  }
};

/** Serves the state of a collector from its first start on. Its address is that of the first configuration. */
function serveOnce(configuration: () => CollectConfiguration, terminal: Terminal) {
  let served: ServedCollector | undefined;
  return {
    start: async () => {
      const { listen } = configuration();
      if (!listen || served) return;
      served = await serveCollector(configuration, { ...listen, now: systemClock.now }).catch(
        (error: unknown) => {
          const reason = error instanceof Error ? error.message : String(error);
          throw new UsageError(`"listen" names an address that cannot be used: ${reason}`, { cause: error });
        },
      );
      terminal.message(`The state is at ${served.url}/metrics, /healthz and /readyz.`);
      if (!isLoopback(listen.host))
        terminal.message(
          'WARNING: other machines can reach it, without encryption. It shows no log and no secret.',
        );
    },
    [Symbol.asyncDispose]: async () => served?.[Symbol.asyncDispose](),
  };
}

function toolsOf(terminal: Terminal, signal: AbortSignal): CollectTools {
  // Nobody can be asked, and what a connection warns of is said once.
  const { askSecret: _, ...others } = terminal;
  const said = new Set<string>();
  const quiet: Terminal = {
    ...others,
    show: () => {},
    message: (line) => {
      if (!said.has(line)) terminal.message(line);
      said.add(line);
    },
  };
  return {
    clock: systemClock,
    signal,
    report: (line) => terminal.message(escapeUnsafe(line)),
    openClient: async ({ connection, maxRate }) =>
      openClient({
        ...(await readConnection(connectionOf(connection), quiet)),
        maxRate,
        retry: { patience: usualPatience },
      }),
    sealCase: async (path, out) =>
      (await sealCase(path, { out, sealing: {}, terminal: quiet })) !== undefined,
  };
}

/** How long a turn waits for a deployment that restarts, in milliseconds. */
const usualPatience = 300_000;

type Connection = CollectConfiguration['sources'][number]['connection'];

/** The options of a command line that stand for a connection. */
function connectionOf(settings: Connection): Parameters<typeof readConnection>[0] {
  const { profile, url, user, passwordFile, tokenFile, tokenCommand } = settings;
  const { referer, ca, cert, key, keyPasswordFile, proxy } = settings;
  const reached = { profile, url, user, passwordFile, tokenFile, tokenCommand };
  return { ...reached, referer, ca, cert, key, keyPasswordFile, proxy, insecure: false };
}

async function readConfigurationFile(path: string): Promise<CollectConfiguration> {
  const read = readCollectConfiguration(await readTextFile(path, 'CONFIG'), path);
  if ('configuration' in read) return read.configuration;
  throw new UsageError(
    `The configuration "${path}" is not valid:\n${read.problems.map((line) => `  ${line}`).join('\n')}`,
  );
}

/** Reads the configuration again; one with a mistake changes nothing. */
async function readAgain(
  path: string,
  before: CollectConfiguration,
  terminal: Terminal,
): Promise<CollectConfiguration> {
  try {
    const configuration = await readConfigurationFile(path);
    terminal.message(`The configuration "${path}" was read again.`);
    return configuration;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    terminal.message(`${error.message}\nIt stays as it was.`);
    return before;
  }
}

async function codeOfOnce(
  results: readonly CollectedResult[],
  {
    before,
    configuration,
  }: { readonly before: readonly SourceStatus[]; readonly configuration: CollectConfiguration },
): Promise<ExitCode> {
  const failure = results.find(({ failure }) => failure)?.failure;
  if (failure) return failure instanceof UsageError ? exitCodes.wrongUsage : exitCodes.deploymentFailed;
  const known = new Set(
    before.flatMap(({ source, lost }) => lost.map(({ newest }) => `${source} ${newest}`)),
  );
  const after = await readStatus(configuration, systemClock.now());
  const isLacking = after.some(
    ({ source, gaps, lost }) =>
      0 < gaps.length || lost.some(({ newest }) => !known.has(`${source} ${newest}`)),
  );
  return isLacking ? exitCodes.incomplete : exitCodes.done;
}

/** Checks a configuration of `collect`. */
export const collectCheckCommand: RunCommand<typeof collectCheckSpec> = async ({
  arguments: { config: path },
  options,
  terminal,
}) => {
  const configuration = await readConfigurationFile(path);
  if (options.json) await terminal.print(`${toJson(configuration, 2)}\n`);
  else {
    const names = configuration.sources.map(({ name }) => name).join(', ');
    await terminal.print(
      `"${path}" is valid: ${formatCount(configuration.sources.length, 'source')} (${names}) into "${configuration.store}".\n`,
    );
  }
  return exitCodes.done;
};

/** Shows how the sources of a configuration stand. */
export const collectStatusCommand: RunCommand<typeof collectStatusSpec> = async ({
  arguments: { config: path },
  options,
  terminal,
}) => {
  const sources = await readStatus(await readConfigurationFile(path), systemClock.now());
  await terminal.print(
    options.json
      ? `${toJson(sources, 2)}\n`
      : `${statusLines(sources, terminal.stdout, options.zone).join('\n')}\n`,
  );
  if (sources.some(({ gaps, lost }) => 0 < gaps.length + lost.length)) return exitCodes.incomplete;
  return sources.every(({ isReady }) => isReady) ? exitCodes.done : exitCodes.no;
};

type Zone = Parameters<typeof formatSecond>[1];

function statusLines(sources: readonly SourceStatus[], style: OutputStyle, zone: Zone): readonly string[] {
  const columns = [
    { name: 'source' },
    { name: 'covered to' },
    { name: 'lag', align: 'right' as const },
    { name: 'logs', align: 'right' as const },
    { name: 'late', align: 'right' as const },
    { name: 'gaps', align: 'right' as const },
    { name: 'lost', align: 'right' as const },
    { name: 'cases', align: 'right' as const },
    { name: 'size', align: 'right' as const },
    { name: 'until loss', align: 'right' as const },
  ];
  const time = (value: number | undefined) => (value === undefined ? 'never' : formatSecond(value, zone));
  const rows = sources.map((status) => [
    status.source,
    time(status.coveredTo),
    status.lag === undefined ? '' : formatDuration(status.lag),
    formatNumber(status.logs),
    formatNumber(status.counts.late),
    formatNumber(status.gaps.length),
    formatNumber(status.lost.length),
    formatNumber(status.cases),
    formatAmount(status.bytes, 'B'),
    status.secondsUntilLoss === undefined ? '' : formatDuration(status.secondsUntilLoss * 1000),
  ]);
  return [...formatTable(columns, rows, style), ...sources.flatMap((status) => remarkLines(status, zone))];
}

/** Most times of one kind that the table names; `--json` has all. */
const mostNamed = 5;

function remarkLines(status: SourceStatus, zone: Zone): readonly string[] {
  const { source, gaps, backfill, lost, lowered, lastFailure, lastSuccess } = status;
  const named = (what: string, times: SourceStatus['gaps']) => [
    ...times
      .slice(0, mostNamed)
      .map(({ oldest, newest }) => `${source}: ${what} ${formatRange({ oldest, newest }, zone)}`),
    ...(mostNamed < times.length
      ? [`${source}: ${what} ${times.length - mostNamed} more times (--json has all)`]
      : []),
  ];
  const isFailing = lastFailure && (lastSuccess ?? 0) < lastFailure.at;
  return [
    ...named('incomplete:', gaps),
    ...named('not asked for yet:', backfill),
    ...named('LOST:', lost),
    ...lowered.map(
      ({ what, from, to, at }) =>
        `${source}: WARNING: the ${what} of the deployment is ${to}, and was ${from} until ${formatSecond(at, zone)}`,
    ),
    ...(isFailing
      ? [
          `${source}: failed at ${formatSecond(lastFailure.at, zone)}: ${escapeUnsafe(lastFailure.message)} [${lastFailure.code}]`,
        ]
      : []),
  ];
}
