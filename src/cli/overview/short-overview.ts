import { type Overview, overview } from '../../analysis/index.ts';
import type { Case } from '../../case/index.ts';
import { StoreError } from '../../database/index.ts';
import type { TimeZone } from '../../records/index.ts';
import { shellWord } from '../output/shell-word.ts';
import { escapeUnsafe } from '../terminal/printable.ts';
import { formatCount, formatNumber } from '../terminal/progress.ts';
import { spanText } from './overview-text.ts';
import { requestedOf } from './requested-of.ts';

/**
 * Summarises a case in at most five lines for the standard error; none if it has no log. A failure of the
 * store is such a line too: what was loaded before is in the case all the same.
 */
export async function shortOverview(of: Case, zone?: TimeZone): Promise<readonly string[]> {
  try {
    const about = await overview([of], { requested: await requestedOf([of]), values: 3 });
    return about.logs === 0 ? [] : shortOverviewLines(about, of.path, zone);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return [`The case cannot be summarised: ${escapeUnsafe(error.message)}`];
  }
}

function shortOverviewLines(about: Overview, path: string, zone?: TimeZone): readonly string[] {
  const levels = about.levels
    .slice(0, 8)
    .map(
      ({ level = '(none)', count }) => `${escapeUnsafe(String(level)).slice(0, 20)} ${formatNumber(count)}`,
    );
  const codes = about.codes.values
    .filter(({ severe }) => 0 < severe)
    .map(({ value, severe }) => `${value} (${formatNumber(severe)})`);
  const lacks = [
    ...(about.gaps.length === 0 ? [] : [formatCount(about.gaps.length, 'gap')]),
    ...(about.unreadable === 0 ? [] : [formatCount(about.unreadable, 'unreadable record')]),
  ];
  return [
    `The case has ${formatCount(about.logs, 'log')}, ${spanText(about, zone)}.`,
    `By level: ${levels.join(', ')}.`,
    ...(codes.length === 0 ? [] : [`Severe codes: ${codes.join(', ')}${about.codes.hasMore ? ', …' : ''}.`]),
    ...(lacks.length === 0 ? [] : [`Incomplete: ${lacks.join(', ')}.`]),
    `For more: logquarry overview ${shellWord(path)}`,
  ];
}
