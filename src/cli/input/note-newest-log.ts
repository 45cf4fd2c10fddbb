import { matchAllFilter } from '../../meaning/filter.ts';
import { timeSpan } from '../../store/index.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { formatTime, zoneNote } from '../terminal/time-format.ts';
import type { LogFilterValues } from './log-filters.ts';
import type { Sources } from './open-sources.ts';

/**
 * Reports the newest log of the sources if --last is given and selects nothing, because all logs are
 * older. `now` is in milliseconds since the epoch.
 */
export async function noteNewestLog(
  { cases }: Pick<Sources, 'cases'>,
  {
    options: { last, zone },
    now,
  }: {
    readonly options: Pick<LogFilterValues, 'last' | 'zone'>;
    readonly now: number;
  },
  terminal: Terminal,
): Promise<void> {
  if (last === undefined) return;
  const spans = await Promise.all(cases.map((each) => timeSpan(each, matchAllFilter)));
  const newest = Math.max(...spans.map((span) => span.last ?? Number.NEGATIVE_INFINITY));
  if (!Number.isFinite(newest) || now - last <= newest) return;
  terminal.say(
    `--last selects no log: the newest one is from ${formatTime(newest, zone)}${zoneNote(zone)}. To select before that time instead: --from "${formatTime(newest - last, zone)}"`,
  );
}
