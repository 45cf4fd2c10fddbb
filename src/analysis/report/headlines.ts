import type { Report } from './report.ts';

/** A statement of a report's summary. It has counts and times, never a cause. Times are milliseconds since the epoch. */
export type Headline =
  | {
      readonly about: 'logs';
      readonly logs: number;
      readonly sources: number;
      /** Absent if no log has a time. */
      readonly first?: number | undefined;
      readonly last?: number | undefined;
    }
  | { readonly about: 'severity'; readonly severe: number; readonly warnings: number }
  /** The interval with most severe logs, and its length in milliseconds. */
  | { readonly about: 'peak'; readonly severe: number; readonly start: number; readonly length: number }
  /** The source with most failures; without a name if the logs have none. */
  | {
      readonly about: 'source';
      readonly source?: string | undefined;
      readonly severe: number;
      readonly warnings: number;
      readonly logs: number;
    }
  /** The most frequent failure, with the message of its first log. */
  | {
      readonly about: 'failure';
      readonly level: string;
      readonly code?: string | undefined;
      readonly logs: number;
      readonly first?: number | undefined;
      readonly message: string;
    }
  /** Number of intervals without all logs; absent if no export requested any. */
  | { readonly about: 'coverage'; readonly gaps?: number };

/**
 * Summarises a report in a few statements, the most important first.
 *
 * ```ts
 * const report = await assembleReport(incident, { filter, requested: [], rules: [], sample: 0 });
 * for (const each of headlines(report)) if (each.about === 'failure') console.log(each.level, each.message);
 * ```
 */
export function headlines(report: Report): readonly Headline[] {
  const { logs, first, last, timeline, sources, requested, gaps } = report;
  const countOf = (index: number) =>
    timeline.cells.filter(({ level }) => level === index).reduce((sum, { count }) => sum + count, 0);
  return [
    { about: 'logs', logs, sources: sources.total, first, last },
    { about: 'severity', severe: countOf(0), warnings: countOf(1) },
    ...peakOf(report),
    ...sourceOf(report),
    ...failureOf(report),
    requested.length === 0 ? { about: 'coverage' } : { about: 'coverage', gaps: gaps.length },
  ];
}

function peakOf({ timeline: { cells, start, every } }: Report): readonly Headline[] {
  const severe = new Map<number, number>();
  for (const { bucket, level, count } of cells)
    if (level === 0 && 0 <= bucket) severe.set(bucket, (severe.get(bucket) ?? 0) + count);
  const [peak] = [...severe].sort(([a, first], [b, second]) => second - first || a - b);
  if (!peak) return [];
  const [bucket, count] = peak;
  return [{ about: 'peak', severe: count, start: start + bucket * every, length: every }];
}

function sourceOf({ sources }: Report): readonly Headline[] {
  const [top] = sources.values;
  if (!top || top.severe + top.warnings === 0) return [];
  const { source, severe, warnings, count } = top;
  return [{ about: 'source', source, severe, warnings, logs: count }];
}

function failureOf({ failures }: Report): readonly Headline[] {
  const [top] = failures.values;
  if (!top) return [];
  const { level, code, count, first, message = '' } = top;
  return [{ about: 'failure', level, code, logs: count, first, message }];
}
