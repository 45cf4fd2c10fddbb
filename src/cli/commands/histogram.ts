import { histogram as countOverTime, type Histogram } from '../../analysis/index.ts';
import { all } from '../../meaning/filter.ts';
import { filterOf } from '../case-query.ts';
import type { Run } from '../command.ts';
import { exitCodes } from '../exit-code.ts';
import { histogramLines } from '../histogram-lines.ts';
import { openSources } from '../open-sources.ts';
import { toJson } from '../printable.ts';
import { grouped } from '../progress.ts';
import type { histogramSpec } from '../specs/analysis.ts';
import { UsageError } from '../usage-error.ts';
import { checkZone } from '../zone.ts';

/** So many values have a column of their own; the rest has one together. */
const shownValues = 6;

/** Draws how many logs there are over time. */
export const histogram: Run<typeof histogramSpec> = async ({ options, arguments: given, terminal }) => {
  const { every, by, search } = options;
  const zone = checkZone(options.zone);
  const filter = search === undefined ? all : filterOf(search, terminal);
  if (!filter) return exitCodes.no;
  await using sources = await openSources(given.source, { zone }, terminal);
  const counted = await tooManyIsUsage(() =>
    countOverTime(sources.cases, filter, { every, by, values: shownValues }),
  );
  const lines = () => `${histogramLines(counted, terminal.data).join('\n')}\n`;
  if (options.json) await terminal.print(`${toJson(counted, 2)}\n`);
  else if (0 < counted.buckets.length) await terminal.print(lines());
  if (!options.json) terminal.say(summaryOf(counted));
  return sources.outcome;
};

async function tooManyIsUsage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError(`"--every" is too short: ${error.message}`, { cause: error });
  }
}

function summaryOf({ total, timeless }: Histogram): string {
  const rest = timeless === 0 ? '' : ` ${grouped(timeless)} more have no time.`;
  if (total === 0) return `No log with a time matches.${rest}`;
  return `${grouped(total)} ${total === 1 ? 'log' : 'logs'}.${rest}`;
}
