import {
  histogram as countOverTime,
  expandFuzzy,
  type Histogram,
  type IntervalCoverage,
} from '../../analysis/index.ts';
import type { CommandCall } from '../command-line/command.ts';
import { type ExitCode, exitCodes } from '../command-line/exit-code.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { logZoneOf } from '../command-line/zone-option.ts';
import type { OpeningCase } from '../files/opening-cases.ts';
import { noteNewestLog } from '../input/note-newest-log.ts';
import { openSources } from '../input/open-sources.ts';
import { readFilteredQuery } from '../input/read-filtered-query.ts';
import { sayWhyFew } from '../input/say-why-few.ts';
import { coverageMarks } from '../output/coverage-text.ts';
import { histogramLines } from '../output/histogram-lines.ts';
import { requestedOf } from '../overview/requested-of.ts';
import type { histogramSpec } from '../specs/analysis.ts';
import { toJson } from '../terminal/printable.ts';
import { formatCount, formatNumber } from '../terminal/progress.ts';

/** The number of values with a column of their own; the others share one. */
const shownValues = 6;

/** Draws the number of logs over time. */
export const histogramCommand = async (
  { options, arguments: given, terminal }: CommandCall<typeof histogramSpec>,
  opening: OpeningCase,
): Promise<ExitCode> => {
  const { every, by } = options;
  const logZone = logZoneOf(options);
  const filtered = { query: options.search, engine: options.engine, options, now: Date.now() };
  const queried = readFilteredQuery(filtered, terminal);
  if (!queried) return exitCodes.no;
  await using sources = await openSources(given.source, { logZone, clusters: 'read', opening }, terminal);
  await noteNewestLog(sources, filtered, terminal);
  const { filter } = await expandFuzzy(sources.logs, queried);
  const requested = await requestedOf(sources.logs);
  const counted = await tooManyIsUsage(() =>
    countOverTime(sources.logs, filter, {
      every,
      by,
      values: shownValues,
      zone: options.zone.name,
      ...(0 < requested.length && { requested }),
    }),
  );
  const lines = () => `${histogramLines(counted, terminal.data, options.zone).join('\n')}\n`;
  if (options.json) await terminal.print(`${toJson(counted, 2)}\n`);
  else if (0 < counted.buckets.length) await terminal.print(lines());
  if (options.json) return sources.outcome;
  for (const line of summaryOf(counted)) terminal.say(line);
  await sayWhyFew(sources, { ...filtered, count: counted.total + counted.timeless }, terminal);
  return sources.outcome;
};

async function tooManyIsUsage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(`--every is too short: ${error.message}`, { cause: error });
  }
}

function summaryOf({ total, timeless, buckets }: Histogram): readonly string[] {
  const rest = timeless === 0 ? '' : ` ${formatNumber(timeless)} more have no time.`;
  if (total === 0) return [`No log with a time matches.${rest}`];
  const seen = new Set(buckets.map(({ known }) => known));
  const legend = legends.flatMap(([known, text]) => (seen.has(known) ? [text] : []));
  return [
    `${formatCount(total, 'log')}.${rest}`,
    ...(legend.length === 0 ? [] : [`${legend.join('  ')}: see "logquarry coverage".`]),
  ];
}

/** Legend of the marks in bars. */
const legends: readonly (readonly [IntervalCoverage, string])[] = [
  ['capped', `${coverageMarks.capped} incomplete`],
  ['open', `${coverageMarks.open} not exported yet`],
  ['partly', `█${coverageMarks.never} partly requested`],
  ['never', `${coverageMarks.never.repeat(3)} never requested`],
];
