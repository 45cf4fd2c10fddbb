import { type Episode, findEpisodes } from '../change-points/find-episodes.ts';
import { compareTexts } from '../compare-texts.ts';
import type { Buckets } from '../message-patterns/collect-mask-groups.ts';
import { type Change, type ChangeSubject, gainOf } from './change.ts';
import type { CollectedSeries, SubjectSeries } from './collect-series.ts';

/** The median of a request changes at least by this factor; smaller changes are ignored. */
const leastFactor = 1.5;

/**
 * Finds the intervals in which any of the series differs from its start, ordered by time. Codes stand for the
 * patterns of their logs.
 */
export function findChanges({ series, buckets }: CollectedSeries, limit: number): readonly Change[] {
  const found = series.flatMap((each) =>
    findEpisodes(each, { limit, series: series.length }).flatMap(
      (episode) => toChange(each, episode, buckets) ?? [],
    ),
  );
  const codes = new Set(found.flatMap(({ subject }) => (subject.type === 'code' ? [subject.code] : [])));
  return found
    .filter(({ subject }) => subject.type !== 'pattern' || !codes.has(subject.code ?? ''))
    .sort(compareChanges);
}

/** By time, then the most significant and strongest first. Equal ones have an order too, so that equal logs have one answer. */
function compareChanges(first: Change, second: Change): number {
  return (
    first.start - second.start ||
    first.p - second.p ||
    gainOf(second) - gainOf(first) ||
    compareTexts(JSON.stringify(first.subject), JSON.stringify(second.subject))
  );
}

function toChange(series: SubjectSeries, episode: Episode, buckets: Buckets): Change | undefined {
  const { start: begin, length, count: all } = buckets;
  const { count, expected, effect, p } = episode;
  const interval = { start: begin + episode.start * length, end: begin + episode.end * length };
  const subject = series.elapsed ? latencySubject(series, interval) : series.subject;
  if (subject.type === 'latency') {
    const factor = subject.medianAfter / subject.medianBefore;
    if (!(leastFactor <= Math.max(factor, 1 / factor))) return undefined;
  }
  return {
    kind: subject.type === 'latency' ? latencyKind(subject) : episode.kind,
    subject,
    ...interval,
    isOpen: episode.end === all,
    ...{ count, expected, effect, p },
    ...(series.query !== undefined && { query: series.query }),
  };
}

type LatencySubject = Extract<ChangeSubject, { type: 'latency' }>;

function latencyKind({ medianBefore, medianAfter }: LatencySubject): 'slower' | 'faster' {
  return medianBefore < medianAfter ? 'slower' : 'faster';
}

function latencySubject(
  { subject, elapsed }: SubjectSeries,
  { start, end }: { readonly start: number; readonly end: number },
): ChangeSubject {
  if (subject.type !== 'latency' || !elapsed) return subject;
  const [most] = elapsed.toSorted(
    (first, second) =>
      second.seconds.length - first.seconds.length || compareTexts(first.method, second.method),
  );
  const medianOf = (isIn: (time: number) => boolean) => {
    const chosen = most?.seconds.filter((_, index) => isIn(most.times[index] ?? Number.NaN)).sort() ?? [];
    return chosen[chosen.length >> 1] ?? Number.NaN;
  };
  return {
    ...subject,
    method: most?.method ?? '',
    medianBefore: medianOf((time) => time < start),
    medianAfter: medianOf((time) => start <= time && time < end),
  };
}
