import { expandFuzzy, type Investigation, investigate } from '../../analysis/index.ts';
import { exportedOnly } from '../../case/index.ts';
import type { TimeZone } from '../../records/index.ts';
import type { RunCommand } from '../command-line/command.ts';
import { exitCodes } from '../command-line/exit-code.ts';
import { logZoneOf } from '../command-line/zone-option.ts';
import { noteNewestLog } from '../input/few-results.ts';
import { readFilteredQuery } from '../input/log-filters.ts';
import { headingOf, openSources } from '../input/open-sources.ts';
import { readScoredFilter } from '../input/read-query.ts';
import { investigationLines } from '../output/investigation-lines.ts';
import { requestedOf } from '../output/overview.ts';
import type { investigateSpec } from '../specs/analysis-specs.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { toJson } from '../terminal/text.ts';
import { formatTime, zoneNote } from '../terminal/time-format.ts';

/** Shows what changed in the logs, when, what came before, and who is hit. */
export const investigateCommand: RunCommand<typeof investigateSpec> = async (call) => {
  const { arguments: values, options, terminal } = call;
  const now = Date.now();
  const { search: query, engine } = options;
  const scored = readFilteredQuery({ query: undefined, engine, options, now }, terminal);
  const meant = query === undefined ? undefined : readScoredFilter(query, engine, terminal)?.filter;
  if (!scored || (query !== undefined && !meant)) return exitCodes.no;
  await using sources = await openSources(
    values.source,
    { logZone: logZoneOf(options), clusters: { copied: scored.filter } },
    terminal,
  );
  await noteNewestLog(sources, { options, now }, terminal);
  const hint = { around: options.around?.(now, options.zone), since: options.since?.(now, options.zone) };
  const expanded = meant && (await expandFuzzy(sources.logs, { filter: meant, boosts: new Map() }));
  const found = await investigate(sources.cases, {
    filter: scored.filter,
    ...(query !== undefined && expanded && { symptom: { query: `(${query})`, filter: expanded.filter } }),
    requested: await requestedOf(sources.logs),
    ...hint,
    exportedOnly: await exportedOnly(sources.logs),
    signal: terminal.interruption(),
  });
  noteHintOutside(found, { hint, zone: options.zone }, terminal);
  if (options.json) await terminal.print(`${toJson({ cases: sources.names, ...found }, 2)}\n`);
  else {
    const lines = investigationLines(found, {
      name: headingOf(sources.names),
      face: terminal.stdout,
      zone: options.zone,
    });
    await terminal.print(`${lines.join('\n')}\n`);
  }
  return sources.outcome;
};

/** The times of --around and --since. */
interface Hint {
  readonly around: number | undefined;
  readonly since: number | undefined;
}

/** Reports a time of --around or --since that no log is near. */
function noteHintOutside(
  { first, last }: Investigation,
  { hint, zone }: { readonly hint: Hint; readonly zone: TimeZone },
  terminal: Terminal,
): void {
  if (first === undefined || last === undefined) return;
  const { around, since } = hint;
  const span = `the logs are from ${formatTime(first, zone)} to ${formatTime(last, zone)}${zoneNote(zone)}`;
  if (around !== undefined && (around < first || last < around))
    terminal.message(`--around is outside of all logs: ${span}. The nearest change is shown.`);
  if (since !== undefined && last < since) terminal.message(`--since is after all logs: ${span}.`);
}
