import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openClient } from '../../../client/index.ts';
import { createDeployment, incidentLogs, type Served, serveDeployment } from '../../../emulator/index.ts';
import { type ExportOrder, exportWindows } from '../../../export/index.ts';
import { parse } from '../../../language/parse.ts';
import { resolve } from '../../../meaning/resolve.ts';
import { addressesOf, newestLogsRequest } from '../../../protocol/index.ts';
import { type Case, countLogs, findLogs, openCase, runSql } from '../../../store/index.ts';
import type { RunCommand } from '../../command-line/command.ts';
import { exitCodes } from '../../command-line/exit-code.ts';
import { UsageError } from '../../command-line/usage-error.ts';
import { showWindowsProgress } from '../../export/windows-progress.ts';
import { temporaryFolder } from '../../files/temporary-folder.ts';
import type { demoSpec } from '../../specs/deployment.ts';
import { parentExitSignal, rejectOnAbort } from '../../terminal/abort.ts';
import { toJson } from '../../terminal/printable.ts';
import { displayProgress } from '../../terminal/progress.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import {
  type Tour,
  type TourAnswer,
  type TourExport,
  type TourFindings,
  type TourHours,
  type TourSearch,
  tourHoursUntil,
  tourSearches,
  tourSql,
} from './tour.ts';
import { tourText } from './tour-text.ts';

/** Runs the demo: exports an incident, searches it, and evaluates it in SQL. */
export const demoCommand: RunCommand<typeof demoSpec> = async ({ options: { keep, json }, terminal }) => {
  if (keep !== undefined && existsSync(keep)) throw new UsageError(`The file "${keep}" already exists`);
  const signal = AbortSignal.any([terminal.interruption(), parentExitSignal()]);
  const started = performance.now();
  await using folder = await temporaryFolder();
  const path = keep ?? join(folder.path, 'incident.duckdb');
  const exported = await exportIncident(path, { signal, terminal });
  const found = await searchCase(path, signal);
  const took = performance.now() - started;
  const tour: Tour = { ...exported, ...found, ...(keep !== undefined && { case: keep }), took };
  await terminal.print(json ? `${toJson(tour, 2)}\n` : tourText(tour, terminal.data));
  return exitCodes.done;
};

interface Work {
  readonly signal: AbortSignal;
  readonly terminal: Terminal;
}

/** Durations of jobs in milliseconds: noticeable, but short enough for a demo. */
const pace = { queued: 50, running: 100, perLog: 0.02 } as const;

async function exportIncident(path: string, work: Work): Promise<TourExport> {
  const display = displayProgress(work.terminal);
  try {
    display.update({ doing: 'Starting the reference deployment' });
    const hours = tourHoursUntil(Date.now());
    const logs = [...incidentLogs({ until: hours.to })];
    await using deployment = await createDeployment({ logs, pace });
    work.signal.throwIfAborted();
    await using served = await serveDeployment(deployment);
    const credentials = { kind: 'password', ...deployment.account } as const;
    await using client = openClient({ addresses: addressesAt(served), credentials });
    await rejectOnAbort(client.signIn(), work.signal);
    await using into = await openCase(path, { access: 'write', create: true });
    const result = await exportWindows({
      client,
      into,
      order: orderAt(client.addresses.root, hours),
      signal: work.signal,
      onProgress: showWindowsProgress(work.terminal, display),
    });
    return { url: served.url, held: logs.length, hours, export: result };
  } finally {
    display.end();
  }
}

/** The export order for all logs of the incident. */
function orderAt(deployment: string, { from, to }: TourHours): ExportOrder {
  return {
    deployment,
    request: { ...newestLogsRequest, logLevel: 'DEBUG' },
    ...({ via: 'search', windowBy: 'auto', timeField: 'time' } as const),
    ...{ from, to, oldest: from, newest: to, given: Date.now() },
  };
}

function addressesAt({ url }: Served) {
  const addresses = addressesOf(url);
  if ('problem' in addresses) throw new Error(addresses.problem);
  return addresses;
}

/** The number of logs shown for each answer. */
const shown = 3;

async function searchCase(path: string, signal: AbortSignal): Promise<TourFindings> {
  const searches: TourAnswer[] = [];
  {
    await using logs = await openCase(path, { access: 'read' });
    for (const each of tourSearches) {
      signal.throwIfAborted();
      searches.push(await answer(logs, each));
    }
  }
  const result = await runSql(path, tourSql.sql, { signal });
  return { searches, sql: { ...tourSql, ...result } };
}

async function answer(logs: Case, search: TourSearch): Promise<TourAnswer> {
  const filter = resolve(parse(search.query).query);
  const count = await countLogs(logs, filter);
  return { ...search, count, first: await findLogs(logs, filter, { limit: shown, order: 'oldest' }) };
}
