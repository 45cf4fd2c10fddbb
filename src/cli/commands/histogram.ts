import {
  type AskedStretch,
  histogram as countOverTime,
  type Histogram,
  type Known,
} from '../../analysis/index.ts';
import { coverage } from '../../export/index.ts';
import { all } from '../../meaning/filter.ts';
import type { Case } from '../../store/index.ts';
import type { Run } from '../command-line/command.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { exitCodes } from '../exit-code.ts';
import { expandedOver, filterOf } from '../input/case-query.ts';
import { openSources } from '../input/open-sources.ts';
import { checkZone } from '../input/zone.ts';
import { coverageMarks } from '../output/coverage-text.ts';
import { histogramLines } from '../output/histogram-lines.ts';
import type { histogramSpec } from '../specs/analysis.ts';
import { toJson } from '../terminal/printable.ts';
import { counted, grouped } from '../terminal/progress.ts';

/** So many values have a column of their own; the rest has one together. */
const shownValues = 6;

/** Draws how many logs there are over time. */
export const histogram: Run<typeof histogramSpec> = async ({ options, arguments: given, terminal }) => {
  const { every, by, search } = options;
  const zone = checkZone(options.zone, options.timeUnit);
  const queried = search === undefined ? all : filterOf(search, options.engine, terminal);
  if (!queried) return exitCodes.no;
  await using sources = await openSources(given.source, { zone }, terminal);
  const filter = await expandedOver(sources.cases, queried);
  const asked = await askedOf(sources.cases);
  const counted = await tooManyIsUsage(() =>
    countOverTime(sources.cases, filter, { every, by, values: shownValues, asked }),
  );
  const lines = () => `${histogramLines(counted, terminal.data).join('\n')}\n`;
  if (options.json) await terminal.print(`${toJson(counted, 2)}\n`);
  else if (0 < counted.buckets.length) await terminal.print(lines());
  if (!options.json) for (const line of summaryOf(counted)) terminal.say(line);
  return sources.outcome;
};

/** What the exports of some cases asked for, with whatever filters; undefined when none of them holds one. */
async function askedOf(cases: readonly Case[]): Promise<readonly AskedStretch[] | undefined> {
  const all = await Promise.all(cases.map(coverage));
  const stretches = all.flat().flatMap(({ covered }) => covered);
  return stretches.length === 0 ? undefined : stretches;
}

async function tooManyIsUsage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(`"--every" is too short: ${error.message}`, { cause: error });
  }
}

function summaryOf({ total, timeless, buckets }: Histogram): readonly string[] {
  const rest = timeless === 0 ? '' : ` ${grouped(timeless)} more have no time.`;
  if (total === 0) return [`No log with a time matches.${rest}`];
  const seen = new Set(buckets.map(({ known }) => known));
  const legend = legends.flatMap(([known, text]) => (seen.has(known) ? [text] : []));
  return [
    `${counted(total, 'log')}.${rest}`,
    ...(legend.length === 0 ? [] : [`${legend.join('  ')}: "logquarry coverage" says more.`]),
  ];
}

/** What marks in bars stand for. */
const legends: readonly (readonly [Known, string])[] = [
  ['capped', `${coverageMarks.capped} some are missing`],
  ['open', `${coverageMarks.open} some are not there yet`],
  ['partly', `█${coverageMarks.never} asked for in part`],
  ['never', `${coverageMarks.never.repeat(3)} never asked for`],
];
