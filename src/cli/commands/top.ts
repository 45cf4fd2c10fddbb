import { expandFuzzy, facets } from '../../analysis/index.ts';
import type { ValueCount } from '../../case/index.ts';
import type { CommandCall } from '../command-line/command.ts';
import { type ExitCode, exitCodes } from '../command-line/exit-code.ts';
import { logZoneOf } from '../command-line/zone-option.ts';
import { explainFewResults, noteNewestLog } from '../input/few-results.ts';
import { readFilteredQuery } from '../input/log-filters.ts';
import { openSources } from '../input/open-sources.ts';
import type { OpeningCase } from '../input/opening-cases.ts';
import { formatRows, type Rows, readPrintedFormat } from '../output/output-format.ts';
import type { topSpec } from '../specs/case-specs.ts';
import { formatCount, formatNumber, printPieces } from '../terminal/progress.ts';
import { toJson } from '../terminal/text.ts';

/** Counts the values of a field. */
export const topCommand = async (
  { arguments: values, options, terminal }: CommandCall<typeof topSpec>,
  opening: OpeningCase,
): Promise<ExitCode> => {
  const { field } = values;
  const format = readPrintedFormat(options);
  const logZone = logZoneOf(options);
  const filtered = { query: options.search, engine: options.engine, options, now: Date.now() };
  const scored = readFilteredQuery(filtered, terminal);
  if (!scored) return exitCodes.no;
  await using sources = await openSources(values.source, { logZone, clusters: 'read', opening }, terminal);
  await noteNewestLog(sources, filtered, terminal);
  const limit = options.limit(terminal.stdout) ?? Number.POSITIVE_INFINITY;
  const { filter } = await expandFuzzy(sources.logs, scored);
  const found = await facets(sources.logs, field, { filter, limit });
  if (format === 'json') await terminal.print(`${toJson(found, 2)}\n`);
  else
    await printPieces(
      formatRows(rowsOf(found.values, found.total, field), format, terminal.stdout),
      terminal,
    );
  if (format !== 'json')
    terminal.message(
      `${formatCount(found.total, 'log')}${found.others === 0 ? '' : `, ${formatNumber(found.others)} of them with other values; --limit N shows more`}.`,
    );
  if (format === 'table') await explainFewResults(sources, { ...filtered, count: found.total }, terminal);
  return sources.outcome;
};

function rowsOf(values: readonly ValueCount[], total: number, field: string): Rows<ValueCount> {
  return {
    items: values,
    columns: [{ name: 'logs', align: 'right' }, { name: 'share', align: 'right' }, { name: field }],
    shown: ({ value, count }) => [
      formatNumber(count),
      `${((100 * count) / total).toFixed(1)} %`,
      value === undefined ? '(none)' : String(value),
    ],
    names: [field, 'logs'],
    cells: ({ value, count }) => [value, count],
  };
}
