import { type Case, countByTime } from '../case/index.ts';
import { filterOfQuery, joinByAnd, type QueriedLogs, runQuery, timeClause } from './collect-series.ts';
import { aheadOf, type ClockOffset } from './find-clock-offsets.ts';
import { type FoundPatterns, type MessagePattern, patternsOf } from './find-patterns.ts';
import type { Buckets, MaskGroups } from './mask-groups.ts';

/** A kind of logs that hardly occurs at all, and did before the change. Times are milliseconds since the epoch. */
export interface RareLogs {
  /** The message with `<number>`, `<text>` and others in place of its values. */
  readonly template: string;
  /** The most frequent level, source and user; absent where most logs have none. */
  readonly level?: string | undefined;
  readonly source?: string | undefined;
  readonly user?: string | undefined;
  /** True if its words are those of settings, secrets, certificates, upgrades and restarts. */
  readonly isConfiguration: boolean;
  readonly first: number;
  readonly last: number;
  /** All logs of the kind, of which some may be later than the change. */
  readonly count: number;
  /** Milliseconds that the clock of its source is ahead; absent if it is not known to differ. */
  readonly ahead?: number | undefined;
  /** The query for its logs. Absent where no query can select them. */
  readonly logs?: QueriedLogs;
}

/** Rare logs before a change. */
export interface RareBefore {
  /** Those of settings first, then the nearest to the change. */
  readonly kinds: readonly RareLogs[];
  /** Kinds of rare logs that begin in the hour before the change, and in an average hour before that. */
  readonly inHour: number;
  readonly usual: number;
}

/** A kind of logs with more than these is not rare. */
const maxRare = 3;

/** Kinds with a query of their own. */
const listed = 3;

const hour = 3_600_000;
const day = 24 * hour;

/** Words of what administrators change, in any log of any program. */
const configuration =
  /\b(config\w*|settings?|propert(y|ies)|secrets?|certificates?|credentials?|keystore|truststore|licen[cs]es?|rotat\w+|upgrad\w+|updat\w+|deploy\w*|restart\w*|reload\w*|migrat\w+|install\w*|schema|replicas?|scal(ed|ing)|permissions?|roles?|firewall|dns|enabled|disabled)\b/i;

/**
 * Finds kinds of logs of any code and level that begin in the day before a time and hardly occur otherwise: those of
 * settings within the day, others within the hour if that hour has far more of them than usual ones. Says nothing of
 * a cause. Rejects with a `StoreError`.
 */
export async function findRareBefore(
  cases: readonly Case[],
  options: {
    readonly messages: MaskGroups;
    readonly buckets: Buckets;
    /** The time of the change, and the first log: milliseconds since the epoch. */
    readonly change: number;
    readonly begin: number;
    readonly clocks: readonly ClockOffset[];
    /** True for logs that are named otherwise. */
    readonly isKnown: (logs: { readonly template: string; readonly first: number }) => boolean;
  },
): Promise<RareBefore> {
  const { messages, buckets, change, begin, clocks, isKnown } = options;
  const kindsOf = patternsOf(messages, buckets);
  const rare = rareKinds(kindsOf, { change, clocks }).filter((kind) => !isKnown(kind));
  const inHour = rare.filter((kind) => change - hour <= trueFirstOf(kind)).length;
  const earlier = rare.length - inHour;
  const usual = earlier / Math.max(1, (change - hour - begin) / hour);
  // As many as usual say nothing: logs of one kind each are the rule in some programs.
  const isUnusual = 3 * usual + 0.5 <= inHour;
  const chosen = rare
    .filter((kind) =>
      kind.isConfiguration
        ? change - day <= trueFirstOf(kind)
        : isUnusual && change - hour <= trueFirstOf(kind),
    )
    .sort(
      (a, b) =>
        Number(b.isConfiguration) - Number(a.isConfiguration) || b.first - a.first || a.count - b.count,
    );
  const kinds = chosen.slice(0, listed).map(async ({ query, ...kind }): Promise<RareLogs> => {
    if (query === undefined) return kind;
    const within = timeClause({ from: kind.first, to: kind.last });
    const logs = await runQuery(cases, joinByAnd(query, within), { meant: kind.count });
    return { ...kind, logs };
  });
  return { kinds: await Promise.all(kinds), inHour, usual };
}

type RareKind = Omit<RareLogs, 'logs'> & { readonly query: string | undefined };

/** The first log of a kind by the clock of most sources. */
export function trueFirstOf({ first, ahead = 0 }: Pick<RareLogs, 'first' | 'ahead'>): number {
  return first - ahead;
}

function rareKinds(
  { patterns }: FoundPatterns,
  { change, clocks }: { readonly change: number; readonly clocks: readonly ClockOffset[] },
): readonly RareKind[] {
  return patterns.flatMap(({ template, count, first, last, levels, sources, users, query }) => {
    if (first === undefined || last === undefined || maxRare < count) return [];
    const source = mainValue(sources, count);
    const ahead = aheadOf(clocks, { source });
    if (change <= first - ahead) return [];
    return [
      {
        template,
        count,
        first,
        last,
        query,
        level: mainValue(levels, count),
        source,
        user: mainValue(users, count),
        isConfiguration: configuration.test(template),
        ...(ahead !== 0 && { ahead }),
      },
    ];
  });
}

function mainValue([main]: MessagePattern['levels'], count: number): string | undefined {
  return main && count < 2 * main.count ? main.value || undefined : undefined;
}

/** The parts of an interval of time in which the begin of a change is looked for. */
const parts = 20;

/** The logarithm of the ratio of likelihoods from which on a begin is believed. */
const minGain = 5;

/**
 * Finds when the logs of a query become more, within two intervals before and one after the begin of a change, to a
 * twentieth of an interval: the step between two constant rates that is the most likely one. Undefined if no step is
 * far more likely than none.
 */
export async function findStep(
  cases: readonly Case[],
  { query, start, every }: { readonly query: string; readonly start: number; readonly every: number },
): Promise<number | undefined> {
  const length = Math.max(1, Math.floor(every / parts));
  const from = Math.floor((start - 2 * every) / length) * length;
  const count = Math.ceil((3 * every) / length);
  const filter = filterOfQuery(joinByAnd(query, timeClause({ from, to: from + count * length - 1 })));
  const counts = new Array<number>(count).fill(0);
  for (const of of cases)
    for (const part of await countByTime(of, filter, { every: length })) {
      const at = Math.round((part.start - from) / length);
      if (0 <= at && at < count) counts[at] = (counts[at] ?? 0) + part.count;
    }
  const step = likeliestStep(counts);
  return step === undefined ? undefined : from + step * length;
}

/** The index at which counts rise to another rate; undefined if no rise is far more likely than one rate. */
function likeliestStep(counts: readonly number[]): number | undefined {
  const all = counts.reduce((sum, count) => sum + count, 0);
  const none = logLikelihood(all, counts.length);
  let best: { readonly at: number; readonly gain: number } | undefined;
  let before = 0;
  for (let at = 1; at < counts.length; at++) {
    before += counts[at - 1] ?? 0;
    const [earlier, later] = [before / at, (all - before) / (counts.length - at)];
    const gain = logLikelihood(before, at) + logLikelihood(all - before, counts.length - at) - none;
    if (earlier < later && (best?.gain ?? minGain) <= gain) best = { at, gain };
  }
  return best?.at;
}

/** Of a Poisson process with the rate that fits best, but for constants. */
function logLikelihood(logs: number, length: number): number {
  return logs === 0 ? 0 : logs * Math.log(logs / length);
}
