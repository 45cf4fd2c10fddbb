import type { ValueCount } from '../../case/index.ts';
import type { FieldValue } from '../../language/index.ts';
import { logLevels } from '../../language/index.ts';
import type { Bucket, Histogram } from '../histogram.ts';

/** The bucket with the most logs. */
export interface Peak {
  /** Start: milliseconds since the epoch. */
  readonly start: number;
  readonly count: number;
}

/** Number of logs of one level, in total and over time. */
export interface LevelOverTime {
  /** Absent for logs without a level. */
  readonly level?: FieldValue;
  /** Number of logs, with and without a time. */
  readonly count: number;
  /** Number of logs in each bucket. */
  readonly overTime: readonly number[];
  /** The first of the fullest buckets; absent if no log has a time. */
  readonly peak?: Peak;
}

/** Combines the counts of levels with their counts over time. The most severe level is first. */
export function levelsOverTime(
  counts: readonly ValueCount[],
  { buckets }: Pick<Histogram, 'buckets'>,
): readonly LevelOverTime[] {
  return [...counts]
    .sort((first, second) => severityRank(first.value) - severityRank(second.value))
    .map(({ value, count }) => {
      const overTime = buckets.map((bucket) => countIn(bucket, value));
      const peak = peakOf(buckets.map(({ start }, index) => ({ start, count: overTime[index] ?? 0 })));
      return { ...(value !== undefined && { level: value }), count, overTime, ...(peak && { peak }) };
    });
}

/** Returns the first of the fullest buckets; undefined if none has a log. */
export function peakOf(buckets: readonly Peak[]): Peak | undefined {
  const fullest = buckets.reduce<Peak | undefined>(
    (most, each) => (most && each.count <= most.count ? most : each),
    undefined,
  );
  return fullest && 0 < fullest.count ? { start: fullest.start, count: fullest.count } : undefined;
}

function countIn({ values = [] }: Bucket, value: FieldValue | undefined): number {
  return values.find((each) => each.value === value)?.count ?? 0;
}

/** Known levels by severity, then unknown ones, then logs without a level. */
function severityRank(value: FieldValue | undefined): number {
  if (value === undefined) return logLevels.length + 1;
  const rank = (logLevels as readonly string[]).indexOf(String(value).toUpperCase());
  return rank === -1 ? logLevels.length : rank;
}
