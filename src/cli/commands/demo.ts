import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Case, countLogs, findLogs, openCase, runSql } from '../../case/index.ts';
import { parse, resolve } from '../../language/index.ts';
import type { Command, CommandCall, RunCommand } from '../command-line/command.ts';
import { type ExitCode, exitCodes } from '../command-line/exit-code.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { exportIncident } from '../export/export-incident.ts';
import { temporaryFolder } from '../files/temporary-folder.ts';
import type { demoSpec } from '../specs/deployment.ts';
import { parentExitSignal } from '../terminal/abort.ts';
import { toJson } from '../terminal/printable.ts';
import { servePage } from '../ui/serve-page.ts';
import {
  type Tour,
  type TourAnswer,
  type TourFindings,
  type TourSearch,
  tourSearches,
  tourSql,
} from './tour.ts';
import { tourText } from './tour-text.ts';

/** Returns the command `demo`: it exports an incident and searches it, or shows it in the page with `commands`. */
export function demoCommandOf(commands: readonly Command[]): RunCommand<typeof demoSpec> {
  return (call) => runDemo(call, commands);
}

async function runDemo(
  { options, terminal }: CommandCall<typeof demoSpec>,
  commands: readonly Command[],
): Promise<ExitCode> {
  const { keep, json, ui } = options;
  if (keep !== undefined && existsSync(keep)) throw new UsageError(`The file "${keep}" already exists`);
  const signal = AbortSignal.any([terminal.interruption(), parentExitSignal()]);
  const started = performance.now();
  await using folder = await temporaryFolder();
  const path = keep ?? join(folder.path, 'incident.duckdb');
  const exported = await exportIncident(path, { signal, terminal });
  if (ui) {
    const options = { given: [path], port: 0, noOpen: false, logZone: 'UTC', json };
    return await servePage({ ...options, commands, terminal });
  }
  const found = await searchCase(path, signal);
  const took = performance.now() - started;
  const tour: Tour = { ...exported, ...found, ...(keep !== undefined && { case: keep }), took };
  await terminal.print(json ? `${toJson(tour, 2)}\n` : tourText(tour, terminal.data));
  return exitCodes.done;
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
