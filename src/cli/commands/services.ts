import { expandFuzzy, type ServiceReport, serviceReport } from '../../analysis/index.ts';
import type { TimeZone } from '../../records/index.ts';
import type { RunCommand } from '../command-line/command.ts';
import { exitCodes } from '../command-line/exit-code.ts';
import { logZoneOf } from '../command-line/zone-option.ts';
import { noteNewestLog } from '../input/few-results.ts';
import { readFilteredQuery } from '../input/log-filters.ts';
import { openSources } from '../input/open-sources.ts';
import { formatRows, type PrintedFormat, readPrintedFormat } from '../output/output-format.ts';
import {
  errorRows,
  groupRows,
  noElapsedNote,
  responseRows,
  serviceText,
  slowestRows,
  type WholeRows,
} from '../output/services.ts';
import type { servicesSpec } from '../specs/analysis-specs.ts';
import { formatNumber, printPieces } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { toJson } from '../terminal/text.ts';

/** Number of slowest requests in a whole report, and where they are asked for. */
const slowest = { usual: 10, asked: 500 } as const;

/** Reports requests, response times and errors. */
export const servicesCommand: RunCommand<typeof servicesSpec> = async (call) => {
  const { arguments: values, options, terminal } = call;
  const format = readPrintedFormat(options);
  const filtered = { query: options.search, engine: options.engine, options, now: Date.now() };
  const scored = readFilteredQuery(filtered, terminal);
  if (!scored) return exitCodes.no;
  await using sources = await openSources(
    values.source,
    { logZone: logZoneOf(options), clusters: { copied: scored.filter } },
    terminal,
  );
  await noteNewestLog(sources, filtered, terminal);
  const { filter } = await expandFuzzy(sources.logs, scored);
  const limit = options.limit(terminal.stdout) ?? Number.POSITIVE_INFINITY;
  const part = options.part ?? (format === 'json' || format === 'table' ? undefined : 'groups');
  const report = await serviceReport(sources.cases, {
    filter,
    ...(0 < options.by.length && { by: options.by }),
    zone: options.zone,
    slowest: Math.min(limit, part === 'slowest' ? slowest.asked : slowest.usual),
  });
  if (!report.total.elapsed && (part !== undefined || format === 'json')) terminal.message(noElapsedNote);
  if (part !== undefined) await printPart(report, { part, format, limit, zone: options.zone }, terminal);
  else if (format === 'json') await terminal.print(`${toJson(cut(report, limit), 2)}\n`);
  else await terminal.print(serviceText(report, terminal.stdout, { limit, zone: options.zone }));
  return sources.outcome;
};

/** Cuts the lists of a report, with the number of groups and of errors that are left out. */
function cut(report: ServiceReport, limit: number): object {
  const { groups, errors } = report;
  return {
    ...report,
    groups: groups.slice(0, limit),
    errors: errors.slice(0, limit),
    others: { groups: Math.max(0, groups.length - limit), errors: Math.max(0, errors.length - limit) },
  };
}

interface PrintedPart {
  readonly part: 'groups' | 'responses' | 'slowest' | 'errors';
  readonly format: PrintedFormat;
  readonly limit: number;
  readonly zone: TimeZone;
}

async function printPart(
  report: ServiceReport,
  { part, format, limit, zone }: PrintedPart,
  terminal: Terminal,
): Promise<void> {
  const print = async <T>(rows: WholeRows<T>) => {
    const items = rows.items.slice(0, limit);
    await printPieces(formatRows({ ...rows, items }, format, terminal.stdout), terminal);
    const rest = rows.items.length - limit;
    if (0 < rest) terminal.message(`${formatNumber(rest)} more with --limit ${rows.items.length}.`);
  };
  switch (part) {
    case 'groups':
      return await print(groupRows(report, zone));
    case 'responses':
      return await print(responseRows(report));
    case 'slowest':
      return await print(slowestRows(report, zone));
    case 'errors':
      return await print(errorRows(report, zone));
  }
}
