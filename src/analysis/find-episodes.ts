/** Successive buckets in which the rate of events differs from that of the others. */
export interface Episode {
  /** `new`: no event before. `gone`: none within. */
  readonly kind: 'new' | 'more' | 'less' | 'gone';
  /** Index of the first bucket, and of the one behind the last. */
  readonly start: number;
  readonly end: number;
  /** Events within, and as many as the rate outside of all episodes would give. */
  readonly count: number;
  readonly expected: number;
  /** The binary logarithm of the ratio of the rates. */
  readonly effect: number;
  /** An upper bound of the probability of such an episode by chance, corrected for all intervals and series examined. */
  readonly p: number;
  /** True for a rate that rises or falls over days: `effect` compares the last day with the first. */
  readonly isGradual?: true;
}

/** Counts of events in successive buckets. */
export interface CountSeries {
  readonly counts: ArrayLike<number>;
  /** Parts of each bucket with any event: events that come together are one. Absent if they were not counted. */
  readonly bursts?: ArrayLike<number> | undefined;
  /** The number of parts of each bucket. */
  readonly parts?: number | undefined;
  /** The rate expected in each bucket, in any unit. A bucket with 0 is no data. */
  readonly exposure: ArrayLike<number>;
  /** The known part of each bucket as time, if the exposure is something else, such as the traffic. */
  readonly time?: ArrayLike<number> | undefined;
  /** True for series that matter more, such as failures: they share a half of the probability of an error. */
  readonly isFailure?: boolean | undefined;
}

/** Options of `findEpisodes`. */
export interface EpisodeOptions {
  /** The limit for p-values. Default 0.01. */
  readonly limit?: number;
  /** Number of series that are examined at once. Default 1. */
  readonly series?: number;
  /** The dispersion of similar series; for series that have too few events to know their own. Default 1. */
  readonly dispersion?: number | undefined;
  /** That of their bursts. Default 1. */
  readonly burstDispersion?: number | undefined;
  /** How much the rates of similar series wander, for blocks of 1, 2, 4 … buckets. Default: as this one shows. */
  readonly wandering?: readonly number[] | undefined;
  /** Buckets in a day; the same time of other days is compared where the series reaches so far. */
  readonly perDay?: number | undefined;
}

/** A rate differs at least by this factor, as a binary logarithm. */
const minEffect = 1;

/** Episodes of one series. */
const maxEpisodes = 4;

/**
 * Finds the intervals in which events are at least twice or at most half as frequent as otherwise, in order. Empty
 * where chance explains the series.
 *
 * The interval with the greatest likelihood ratio of two Poisson rates is taken out, then the next one in what is
 * left. Each is then tested by the dispersion of what is left at its own length, so that neither clusters of events
 * nor rates that wander look like changes, and the change itself does not hide behind its own dispersion. Its p-value
 * is bounded by Chernoff's inequality, and corrected for all intervals (Bonferroni; each length has an equal share).
 * An episode must also differ from its neighbourhood, and from the same time of other days and weeks.
 */
export function findEpisodes(series: CountSeries, options: EpisodeOptions = {}): readonly Episode[] {
  const { limit = 0.01 } = options;
  const length = series.counts.length;
  const outside = Uint8Array.from({ length }, (_, at) => (0 < (series.exposure[at] ?? 0) ? 1 : 0));
  const taken: ScoredInterval[] = [];
  let accepted: readonly Episode[] = [];
  while (taken.length < maxEpisodes) {
    const best = bestInterval(series, outside, Math.log(limit / (options.series ?? 1)));
    if (!best) break;
    taken.push(best);
    outside.fill(0, best.start, best.end);
    const significant = significantOf(taken, { series, outside, options, limit });
    if (accepted.length <= significant.length) accepted = significant;
  }
  return joinAdjacent(accepted.toSorted((first, second) => first.start - second.start));
}

interface Candidates {
  readonly series: CountSeries;
  /** 1 for buckets with data outside of all intervals that were taken out. */
  readonly outside: Uint8Array;
  readonly options: EpisodeOptions;
  readonly limit: number;
}

/**
 * The episodes among the intervals that were taken out: those that are significant both without all others and with
 * those that are not, so that neither a weak burst hides a strong one nor a part of the noise is left out of it.
 */
function significantOf(
  taken: readonly ScoredInterval[],
  { series, outside, options, limit }: Candidates,
): readonly Episode[] {
  const isSignificant = (episode: Episode | undefined) =>
    episode !== undefined && episode.p * taken.length < limit;
  const tested = taken.map((interval) => testInterval(series, { ...interval, outside, options }));
  if (tested.every(isSignificant)) return tested.flatMap((episode) => episode ?? []);
  const rest = Uint8Array.from(outside);
  const strong = taken.filter((interval, index) => {
    if (isSignificant(tested[index])) return true;
    for (let at = interval.start; at < interval.end; at++) rest[at] = 0 < (series.exposure[at] ?? 0) ? 1 : 0;
    return false;
  });
  return strong
    .map((interval) => testInterval(series, { ...interval, outside: rest, options }))
    .flatMap((episode) => (episode && isSignificant(episode) ? episode : []));
}

/** Joins episodes of one direction that follow each other: a rate that grows step by step. */
function joinAdjacent(episodes: readonly Episode[]): readonly Episode[] {
  const joined: Episode[] = [];
  for (const episode of episodes) {
    const last = joined.at(-1);
    if (!last || last.end < episode.start || Math.sign(last.effect) !== Math.sign(episode.effect)) {
      joined.push(episode);
      continue;
    }
    const [count, expected] = [last.count + episode.count, last.expected + episode.expected];
    const kind = last.kind === episode.kind ? last.kind : episode.effect < 0 ? 'less' : 'more';
    const effect = Math.log2((count + 0.5) / (expected + 0.5));
    joined[joined.length - 1] = {
      kind,
      start: last.start,
      end: episode.end,
      count,
      expected,
      effect,
      p: Math.min(last.p, episode.p),
    };
  }
  return joined;
}

/** Events of a series that know something of its dispersion. */
const minEvents = 20;

/**
 * Finds the episodes of many series, those of each at its index. The number of series is corrected for, and those
 * with few events are as dispersed as the others usually are.
 */
export function findAllEpisodes(
  series: readonly CountSeries[],
  options: Pick<EpisodeOptions, 'limit' | 'perDay'> = {},
): readonly (readonly Episode[])[] {
  const dispersion = medianDispersion(series);
  const burstDispersion = medianDispersion(
    series.flatMap(({ bursts, ...rest }) => (bursts ? { ...rest, counts: bursts } : [])),
  );
  // The shares of slow requests do not wander as the traffic does.
  const isTraffic = ({ time }: CountSeries) => time !== undefined;
  const wandering = wanderingOf(series.filter(isTraffic));
  const failures = series.filter(({ isFailure }) => isFailure === true).length;
  return series.map((countSeries) => {
    // Failures and all others have a half of the probability of an error each.
    const share =
      failures === 0 ? series.length : 2 * (countSeries.isFailure ? failures : series.length - failures);
    const found = findEpisodes(countSeries, {
      ...options,
      series: share,
      dispersion,
      burstDispersion,
      wandering: isTraffic(countSeries) ? wandering : undefined,
    });
    return 0 < found.length ? found : findTrend(countSeries, { ...options, series: share });
  });
}

/** Days that show a trend: with fewer, two days that differ look like one. */
const minDays = 5;

/**
 * Finds the rise or fall of a rate over days, none or one: twice or half as much on the last day as on the first, both
 * in time and relative to the expected rate. What stays while the traffic grows does not fall.
 */
function findTrend(series: CountSeries, options: EpisodeOptions): readonly Episode[] {
  const { time } = series;
  const [trend] = trendOf(series, options);
  if (!trend || !time) return trend ? [trend] : [];
  const [inTime] = trendOf({ ...series, exposure: time }, options);
  if (inTime?.kind !== trend.kind) return [];
  return [trend.p < inTime.p ? inTime : trend];
}

/**
 * The rise or fall of a rate over days, none or one. A log-linear Poisson regression of whole days is compared with a
 * constant rate; the deviance of what it does not explain is the dispersion, and the tail is that of Student's
 * distribution with as many degrees of freedom.
 */
function trendOf(
  series: CountSeries,
  { limit = 0.01, series: share = 1, perDay = 0 }: EpisodeOptions,
): readonly Episode[] {
  const days = Number.isInteger(perDay) && 0 < perDay ? wholeDays(series, perDay) : [];
  if (days.length < minDays) return [];
  const all = sumOfRates(days);
  if (all.count < minEvents) return [];
  const { slope, deviance, base } = fitGrowth(days);
  const freedom = days.length - 2;
  const constant = devianceOf(days, () => all.count / all.exposure);
  const dispersion = Math.max(1, deviance / freedom);
  const ratio = Math.max(0, constant - deviance) / dispersion;
  const p = Math.min(1, share * studentTail(Math.sqrt(ratio), freedom));
  const effect = (slope * (days.length - 1)) / Math.LN2;
  if (limit <= p || Math.abs(effect) < minEffect) return [];
  const [, second, ...rest] = days;
  const last = rest.at(-1);
  if (!second || !last) return [];
  const later = sumOfRates(days.slice(1));
  const kind = 0 < effect ? 'more' : 'less';
  const interval = { start: second.start, end: series.counts.length };
  return [
    { kind, ...interval, count: later.count, expected: base * later.exposure, effect, p, isGradual: true },
  ];
}

/**
 * The probability that Student's variable is beyond a value on either side, by the finite series for whole degrees of
 * freedom (Abramowitz and Stegun, 26.7.3 and 26.7.4). Far out, where they leave no digits, it is an upper bound.
 */
export function studentTail(value: number, freedom: number): number {
  const angle = Math.atan(value / Math.sqrt(freedom));
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  const isOdd = freedom % 2 === 1;
  let [term, sum] = isOdd ? [cosine, freedom === 1 ? 0 : cosine] : [1, 1];
  for (let power = isOdd ? 3 : 2; power <= freedom - 2; power += 2) {
    term *= ((power - 1) / power) * cosine ** 2;
    sum += term;
  }
  const tail = 1 - (isOdd ? (2 / Math.PI) * (angle + sine * sum) : sine * sum);
  return 1e-9 < tail ? tail : cosine ** freedom;
}

/** A last day of this part is a day: logs end within one, and a night that it lacks changes its rate but little. */
const minDayPart = 3 / 4;

/** The rates of successive days from the first bucket. */
function wholeDays({ counts, exposure }: CountSeries, perDay: number): readonly (Rate & BucketInterval)[] {
  const sums = cumulate(counts, exposure, undefined);
  const days: (Rate & BucketInterval)[] = [];
  for (let start = 0; start + minDayPart * perDay <= counts.length; start += perDay) {
    const interval = { start, end: Math.min(counts.length, start + perDay) };
    const rate = within(sums, interval);
    if (0 < rate.exposure) days.push({ ...interval, ...rate });
  }
  return days;
}

function sumOfRates(rates: readonly Rate[]): Rate {
  return rates.reduce(
    (sum, rate) => ({ count: sum.count + rate.count, exposure: sum.exposure + rate.exposure }),
    { count: 0, exposure: 0 },
  );
}

/** The deviance of counts from the rates that a model gives for each day. */
function devianceOf(days: readonly Rate[], rateOf: (day: number) => number): number {
  return days.reduce((sum, { count, exposure }, day) => {
    const expected = Math.max(1e-9, rateOf(day) * exposure);
    return sum + 2 * (term(count, expected) - (count - expected));
  }, 0);
}

/** A log-linear Poisson regression by Newton's method: the growth of a day, and the rate of the first one. */
function fitGrowth(days: readonly Rate[]): {
  readonly slope: number;
  readonly base: number;
  readonly deviance: number;
} {
  const center = (days.length - 1) / 2;
  const all = sumOfRates(days);
  let slope = 0;
  for (let round = 0; round < 50; round++) {
    // The rate of each slope has a closed form: that which gives the number of events.
    let [weights, first, second, events] = [0, 0, 0, 0];
    for (const [day, { count, exposure }] of days.entries()) {
      const [x, weight] = [day - center, exposure * Math.exp(slope * (day - center))];
      weights += weight;
      first += weight * x;
      second += weight * x * x;
      events += count * x;
    }
    const [mean, variance] = [first / weights, second / weights - (first / weights) ** 2];
    const step = (events / all.count - mean) / Math.max(variance, 1e-9);
    slope = Math.max(-5, Math.min(5, slope + Math.max(-1, Math.min(1, step))));
    if (Math.abs(step) < 1e-9) break;
  }
  const growth = (day: number) => Math.exp(slope * (day - center));
  const weights = days.reduce((sum, { exposure }, day) => sum + exposure * growth(day), 0);
  const middle = all.count / weights;
  return { slope, base: middle * growth(0), deviance: devianceOf(days, (day) => middle * growth(day)) };
}

function medianDispersion(series: readonly CountSeries[]): number {
  const known = series
    .filter(({ counts }) => minEvents <= Array.from(counts).reduce((sum, count) => sum + count, 0))
    .map(dispersionOf)
    .sort((first, second) => first - second);
  return known[known.length >> 1] ?? 1;
}

/** Series with many events, of which enough show how rates wander: this part of all, and this number. */
const [busyPart, minBusy] = [1 / 3, 5];

/**
 * How much rates wander: the variance of the rate relative to its square, beyond that of a Poisson process, for
 * blocks of 1, 2, 4 … buckets. It is the median of the series with the most events. Empty for too few series.
 */
function wanderingOf(series: readonly CountSeries[]): readonly number[] {
  const busy = series
    .map((series) => {
      const { length } = series.counts;
      const sums = cumulate(series.counts, series.exposure, undefined);
      return { sums, length, all: within(sums, { start: 0, end: length }) };
    })
    .sort((first, second) => second.all.count - first.all.count)
    .slice(0, Math.floor(series.length * busyPart));
  if (busy.length < minBusy) return [];
  const found: number[] = [];
  for (let block = 1; block * minBlocks <= (busy[0]?.length ?? 0); block *= 2) {
    const variances = busy
      .map(({ sums, length, all }) => {
        const { value, blocks } = chiSquare(sums, { block, length, rate: all.count / all.exposure });
        return Math.max(0, value - 1) / Math.max(1, all.count / blocks);
      })
      .sort((first, second) => first - second);
    found.push(variances[variances.length >> 1] ?? 0);
  }
  return found;
}

/** The mean chi-square of blocks of buckets that are known, and their number. */
function chiSquare(
  sums: Sums,
  { block, length, rate }: { readonly block: number; readonly length: number; readonly rate: number },
): { readonly value: number; readonly blocks: number } {
  let [squares, blocks] = [0, 0];
  for (let start = 0; start + block <= length; start += block) {
    const observed = within(sums, { start, end: start + block });
    if (observed.exposure === 0) continue;
    squares += (observed.count - rate * observed.exposure) ** 2 / Math.max(rate * observed.exposure, 1e-9);
    blocks++;
  }
  return { value: squares / Math.max(1, blocks - 1), blocks };
}

/** Buckets from `start` up to, not including, `end`. */
interface BucketInterval {
  readonly start: number;
  readonly end: number;
}

/** An interval with the log-likelihood that its own rate explains. */
interface ScoredInterval extends BucketInterval {
  readonly gain: number;
}

/** Cumulative counts and exposures: those of the first n buckets at index n. */
interface Sums {
  readonly counts: Float64Array;
  readonly exposure: Float64Array;
}

function cumulate(
  counts: ArrayLike<number>,
  exposure: ArrayLike<number>,
  chosen: ArrayLike<number> | undefined,
): Sums {
  const { length } = counts;
  const sums = { counts: new Float64Array(length + 1), exposure: new Float64Array(length + 1) };
  for (let index = 0; index < length; index++) {
    const isChosen = 0 < (exposure[index] ?? 0) && (chosen?.[index] ?? 1) !== 0;
    sums.counts[index + 1] = (sums.counts[index] ?? 0) + (isChosen ? (counts[index] ?? 0) : 0);
    sums.exposure[index + 1] = (sums.exposure[index] ?? 0) + (isChosen ? (exposure[index] ?? 0) : 0);
  }
  return sums;
}

function within({ counts, exposure }: Sums, { start, end }: BucketInterval): Rate {
  return {
    count: (counts[end] ?? 0) - (counts[start] ?? 0),
    exposure: (exposure[end] ?? 0) - (exposure[start] ?? 0),
  };
}

/** Events and their exposure. */
interface Rate {
  readonly count: number;
  readonly exposure: number;
}

/** The log-likelihood that two rates explain beyond one, given the sum of their events. */
function gainOf(one: Rate, other: Rate): number {
  const exposure = one.exposure + other.exposure;
  if (one.exposure <= 0 || other.exposure <= 0) return 0;
  const rate = (one.count + other.count) / exposure;
  return Math.max(0, term(one.count, rate * one.exposure) + term(other.count, rate * other.exposure));
}

function term(count: number, expected: number): number {
  return count === 0 ? 0 : count * Math.log(count / expected);
}

function difference(all: Rate, part: Rate): Rate {
  return { count: all.count - part.count, exposure: Math.max(0, all.exposure - part.exposure) };
}

/** The binary logarithm of the ratio of two rates; one event is half there where there is none. */
function effectOf(one: Rate, other: Rate): number {
  return Math.log2((one.count + 0.5) / one.exposure / ((other.count + 0.5) / other.exposure));
}

/**
 * The interval whose rate differs most from the rest of what is outside of known episodes. Undefined if none can be
 * significant. An interval at the beginning or at the end may be the longer part.
 */
function bestInterval(series: CountSeries, outside: Uint8Array, limit: number): ScoredInterval | undefined {
  const { length } = series.counts;
  const sums = cumulate(series.counts, series.exposure, outside);
  const all = within(sums, { start: 0, end: length });
  if (all.count === 0) return undefined;
  const gain = (interval: BucketInterval) => {
    const part = within(sums, interval);
    return gainOf(part, difference(all, part));
  };
  let best: ScoredInterval | undefined;
  for (const interval of seededIntervals(length)) {
    const found = gain(interval);
    if (!best || best.gain < found) best = { ...interval, gain: found };
  }
  if (!best || -limit < 0) return undefined;
  // An interval that was tried lies at most half of its length beside the best one.
  for (let round = 0; round < 3; round++) {
    const { start, end } = best;
    const reach = Math.max(2, end - start);
    for (let at = Math.max(0, start - reach); at < end; at++)
      best = better(best, { start: at, end: best.end }, gain);
    for (let at = best.start + 1; at <= Math.min(length, end + reach); at++)
      best = better(best, { start: best.start, end: at }, gain);
  }
  return best.gain < -limit ? undefined : orient(best, sums, length);
}

function better(
  best: ScoredInterval,
  interval: BucketInterval,
  gain: (interval: BucketInterval) => number,
): ScoredInterval {
  if (interval.end <= interval.start) return best;
  const found = gain(interval);
  return best.gain < found ? { ...interval, gain: found } : best;
}

/** The part of a series at its start that is an episode itself; a longer one is what later times are compared with. */
const startPart = 1 / 4;

/**
 * Of two parts of a series, the later one is the change; but more events for a short time at the start are an
 * incident that the logs begin with. Both parts have the same gain: which of them was tried first does not matter.
 */
function orient(best: ScoredInterval, sums: Sums, length: number): ScoredInterval {
  const { start, end, gain } = best;
  const isLastPart = end === length;
  if ((isLastPart && start === 0) || !(isLastPart || isFirstPart(best, sums, length))) return best;
  const cut = isLastPart ? start : end;
  const [first, later] = [
    { start: 0, end: cut, gain },
    { start: cut, end: length, gain },
  ];
  const [before, after] = [within(sums, first), within(sums, later)];
  const part = after.count === 0 ? startPart / 2 : startPart;
  const isIncident = 0 < effectOf(before, after) && cut <= part * length;
  return isIncident ? first : later;
}

/** A first part with fewer events may lack this part of its length at the start, which chance has filled with some. */
const startEdge = 1 / 8;

/** True for an interval from the start, and for a long one with fewer events that only misses the edge of it. */
function isFirstPart({ start, end }: BucketInterval, sums: Sums, length: number): boolean {
  if (start === 0) return true;
  const isLess = effectOf(within(sums, { start: 0, end }), within(sums, { start: end, end: length })) < 0;
  return isLess && start <= startEdge * (end - start) && startPart * length < end;
}

/** What an interval is compared with has at least this part of its exposure. */
const minRest = 1 / 20;

/** An interval to test. */
interface TestedInterval extends ScoredInterval {
  /** 1 for buckets with data outside of all episodes. */
  readonly outside: Uint8Array;
  readonly options: EpisodeOptions;
}

/** Tests an interval against what is outside of all episodes; undefined if it does not differ enough. */
function testInterval(series: CountSeries, found: TestedInterval): Episode | undefined {
  const { counts, exposure, time = exposure } = series;
  const tested = fromKnown(found, exposure);
  const { start, end, outside, options } = tested;
  const { length } = counts;
  const rest = within(cumulate(counts, exposure, outside), { start: 0, end: length });
  const part = within(cumulate(counts, exposure, undefined), tested);
  // Nothing can be said of logs that are nearly all within.
  if (part.exposure === 0 || rest.exposure < minRest * part.exposure) return undefined;
  const effect = effectOf(part, rest);
  if (Math.abs(effect) < minEffect) return undefined;
  const sums = cumulate(counts, time, undefined);
  const around = neighbours(cumulate(counts, time, outside), { start, end }, length);
  // What is as frequent just before or after is the rhythm of the day, or its edge.
  if (around.some((rate) => !isBeyond(within(sums, tested), rate, Math.sign(effect)))) return undefined;
  // A burst may be the nature of rare logs: what counts then is how often there is one.
  const { bursts } = series;
  const tail =
    bursts && isRare({ ...series, bursts }, outside)
      ? tailOf({ ...series, counts: bursts }, tested, 'bursts')
      : tailOf(series, tested, 'events');
  const size = end - start;
  const intervals = scalesOf(length) * 2 * Math.ceil(length / size) * (Math.min(size, shifts) + 1);
  const p = Math.min(1, (options.series ?? 1) * intervals * tail);
  const expected = (rest.count / rest.exposure) * part.exposure;
  const before = within(cumulate(counts, exposure, undefined), { start: 0, end: start });
  const isNew = before.count === 0 && rest.count === 0;
  const kind = isNew ? 'new' : part.count === 0 ? 'gone' : 0 < effect ? 'more' : 'less';
  return { kind, start, end, count: part.count, expected, effect, p };
}

/** An interval from its first bucket that is known. */
function fromKnown<Interval extends BucketInterval>(
  interval: Interval,
  exposure: ArrayLike<number>,
): Interval {
  let { start } = interval;
  while (start + 1 < interval.end && (exposure[start] ?? 0) === 0) start++;
  return { ...interval, start };
}

/** Logs are rare if fewer parts of the time than this have any: else most bursts would not be told apart. */
const maxOccupied = 1 / 4;

function isRare(
  { bursts, exposure, time = exposure, parts = 1 }: CountSeries & { readonly bursts: ArrayLike<number> },
  outside: Uint8Array,
): boolean {
  const { count, exposure: known } = within(cumulate(bursts, time, outside), {
    start: 0,
    end: bursts.length,
  });
  return count < maxOccupied * parts * known;
}

/** The probability of what is within an interval by chance, without a correction. */
function tailOf(
  series: CountSeries,
  { outside, options, ...interval }: TestedInterval,
  of: 'events' | 'bursts',
): number {
  const { counts, exposure, time = exposure } = series;
  const { length } = counts;
  const { start, end } = interval;
  const size = end - start;
  const rest = within(cumulate(counts, exposure, outside), { start: 0, end: length });
  const part = within(cumulate(counts, exposure, undefined), interval);
  const known = (of === 'bursts' ? options.burstDispersion : options.dispersion) ?? 1;
  const own =
    0 < rest.count
      ? dispersionAt(series, { outside, rest, size, known, of })
      : { dispersion: leastWithin(series, interval) ?? known, blocks: length };
  const expected = (rest.count / rest.exposure) * part.exposure;
  const { wandering = [] } = options;
  const wander = wandering[Math.min(wandering.length - 1, Math.ceil(Math.log2(size)))] ?? 0;
  const dispersion = Math.max(own.dispersion, 1 + wander * expected);
  const sums = cumulate(counts, time, undefined);
  const inTime = within(sums, interval);
  const effect = effectOf(part, rest);
  const others = sameTimes(sums, { start, end, length, perDay: options.perDay });
  const bounds = [gainOf(part, rest), ...others.flatMap((rate) => gainOfOthers(inTime, rate, effect))];
  const evidence = evidenceOfClusters(Math.min(...bounds), { count: part.count, expected, dispersion });
  // A dispersion that few blocks show may be too small: the tail is that of Student's distribution.
  return (1 + (2 * evidence) / own.blocks) ** (-own.blocks / 2);
}

/**
 * Intervals of one length that overlap by more than half count as few independent ones: the maximum of a scan exceeds
 * that of separate intervals by G^1.5/14 for each octave of lengths, G about 20 (Siegmund, 1985).
 */
const shifts = 2;

/**
 * The evidence where events come in clusters of random sizes, given that of independent ones: Chernoff's bound of a
 * process of clusters with geometric sizes (Pólya and Aeppli) that has the dispersion, for the expected number that gives
 * the same evidence to independent events. One large cluster is no rare event then, however few are expected.
 */
function evidenceOfClusters(
  independent: number,
  {
    count,
    expected,
    dispersion,
  }: { readonly count: number; readonly expected: number; readonly dispersion: number },
): number {
  const size = (dispersion + 1) / 2;
  if (count === 0 || count < expected) return independent / dispersion;
  if (size <= 1 + 1e-9 || independent <= 0) return independent;
  // Half an event is the least that can be expected of anything.
  const mean = Math.max(0.5, meanOf(count, independent));
  const [single, more] = [1 / size, 1 - 1 / size];
  const clusters = mean / size;
  // The maximum of count·ln z − clusters·(z − 1)/(1 − more·z) is where its derivative is 0.
  const middle = 2 * count * more + clusters * single;
  const z = (2 * count) / (middle + Math.sqrt(middle ** 2 - 4 * (count * more) ** 2));
  const bound = count * Math.log(z) - (clusters * (z - 1)) / (1 - more * z);
  const unclustered = count * Math.log(count / mean) - (count - mean);
  return unclustered <= 0
    ? independent / dispersion
    : independent * Math.min(1, Math.max(0, bound / unclustered));
}

/** The expected number below a count for which the count is this evidence of independent events, by halving. */
function meanOf(count: number, evidence: number): number {
  let [low, high] = [0, count];
  for (let round = 0; round < 50; round++) {
    const middle = (low + high) / 2;
    if (count * Math.log(count / middle) - (count - middle) < evidence) high = middle;
    else low = middle;
  }
  return high;
}

/** Neighbours of an interval have this part of its length, as the edge of a night is as quiet as it. */
const neighbourhood = 1 / 4;

/** The rates just before and after an interval, beyond a bucket that the change may share. */
function neighbours(sums: Sums, { start, end }: BucketInterval, length: number): readonly Rate[] {
  const size = Math.max(2, Math.ceil((end - start) * neighbourhood));
  return [
    { start: Math.max(0, start - 1 - size), end: Math.max(0, start - 1) },
    { start: Math.min(length, end + 1), end: Math.min(length, end + 1 + size) },
  ].flatMap((interval) => {
    const rate = within(sums, interval);
    return 0 < rate.exposure && size / 2 <= interval.end - interval.start ? [rate] : [];
  });
}

/** True if a rate is beyond another one in this direction, by the half of the least effect. */
function isBeyond(one: Rate, other: Rate, direction: number): boolean {
  if (other.count === 0 && 0 < direction) return 0 < one.count;
  if (one.count === 0) return direction < 0;
  return minEffect / 2 < direction * effectOf(one, other);
}

/** The rates at the same time of other days, and of other weeks; absent where the series does not reach. */
function sameTimes(
  sums: Sums,
  {
    start,
    end,
    length,
    perDay,
  }: BucketInterval & { readonly length: number; readonly perDay: number | undefined },
): readonly Rate[] {
  if (perDay === undefined || perDay < 1 || perDay * 7 < end - start) return [];
  return [perDay, perDay * 7].flatMap((period) => {
    if (period < end - start) return [];
    let [count, exposure] = [0, 0];
    for (let shift = 1 - Math.ceil(length / period); shift <= Math.ceil(length / period); shift++) {
      const [from, to] = [Math.round(start + shift * period), Math.round(end + shift * period)];
      if (shift === 0 || from < 0 || length < to) continue;
      const rate = within(sums, { start: from, end: to });
      count += rate.count;
      exposure += rate.exposure;
    }
    return 0 < exposure ? [{ count, exposure }] : [];
  });
}

/** What the interval explains beyond the same times of other days; nothing where they have no event to compare. */
function gainOfOthers(one: Rate, others: Rate, effect: number): readonly number[] {
  if (others.count === 0 && 0 < effect) return [];
  return [Math.sign(effectOf(one, others)) === Math.sign(effect) ? gainOf(one, others) : 0];
}

/** Clusters of events that know the dispersion of a series as well as similar series do. */
const ownClusters = 10;

/** A dispersion, and the number of blocks that show it. */
interface Dispersion {
  readonly dispersion: number;
  readonly blocks: number;
}

/**
 * The dispersion of sums over a number of buckets relative to a Poisson process, at least 1: the greatest mean
 * chi-square of blocks up to that length outside of all episodes. Lengths with too few blocks are extrapolated by the
 * growth from shorter ones.
 */
function dispersionAt(
  { counts, exposure }: CountSeries,
  {
    outside,
    rest,
    size,
    known,
    of = 'events',
  }: {
    readonly outside: Uint8Array;
    readonly rest: Rate;
    readonly size: number;
    readonly known: number;
    readonly of?: 'events' | 'bursts';
  },
): Dispersion {
  const sums = cumulate(counts, exposure, outside);
  const rate = rest.count / rest.exposure;
  const found: { readonly size: number; readonly value: number; readonly blocks: number }[] = [];
  for (let block = 1; block <= size && block <= counts.length / minBlocks; block *= 2) {
    const { value, blocks } = chiSquare(sums, { block, length: counts.length, rate });
    if (blocks < minBlocks / 2) break;
    found.push({ size: block, value, blocks });
  }
  const [first] = found;
  if (!first) return { dispersion: known, blocks: minBlocks };
  const greatest = found.reduce(
    (largest, estimate) => (largest.value < estimate.value ? estimate : largest),
    first,
  );
  const value = greatest.value * growthOf(found, size);
  // As many clusters tell of it as there are, however many events they have.
  const clusters = rest.count / Math.max(1, value);
  const weight = clusters / (clusters + ownClusters);
  // Independent events need no long blocks to be known.
  const blocks =
    value < first.value * (1 + 3 * Math.sqrt(2 / greatest.blocks)) ? first.blocks : greatest.blocks;
  // What similar series know is known by all of their buckets.
  const freedom = 1 / (weight / blocks + (1 - weight) / Math.max(blocks, counts.length));
  // One burst is no reason to expect more of them where bursts count once; events may come in bursts by their nature.
  const others = of === 'bursts' ? known : Math.max(value, known);
  return { dispersion: Math.max(1, weight * value + (1 - weight) * others), blocks: freedom };
}

/**
 * The dispersion within an interval that has all events: by the expected rate or by time, whichever explains them better.
 * Events of a single time do not show if they follow the traffic.
 */
function leastWithin(series: CountSeries, interval: BucketInterval): number | undefined {
  const { counts, exposure, time = exposure } = series;
  const [byRate, byTime] = [exposure, time].map((known) =>
    dispersionWithin(
      { counts, exposure: known },
      interval,
      within(cumulate(counts, known, undefined), interval),
    ),
  );
  return byRate === undefined || byTime === undefined ? undefined : Math.min(byRate, byTime);
}

/**
 * The dispersion of the buckets within an interval. With a long pause it is the greatest of blocks of any length: two
 * times with events are no single one. Undefined if it has too few buckets to show it.
 */
function dispersionWithin(
  { counts, exposure }: CountSeries,
  { start, end }: BucketInterval,
  { count, exposure: all }: Rate,
): number | undefined {
  const size = end - start;
  if (size < minBlocks) return undefined;
  const part = (of: ArrayLike<number>) => Array.from(of).slice(start, end);
  const sums = cumulate(part(counts), part(exposure), undefined);
  const isParted = maxInPauses * size < timeInPauses(part(counts), minPause * size);
  const maxBlock = isParted ? size / minBlocks : 1;
  let greatest = 1;
  for (let block = 1; block <= maxBlock; block *= 2) {
    const { value, blocks } = chiSquare(sums, { block, length: size, rate: count / all });
    if (minBlocks / 2 <= blocks) greatest = Math.max(greatest, value * (1 + Math.sqrt(2 / blocks)));
  }
  return greatest;
}

/** Pauses that are longer than this part of an interval part times with events if they are this part of it in sum. */
const [minPause, maxInPauses] = [1 / 8, 1 / 3];

/** The buckets in pauses: more than a number of successive ones without an event. */
function timeInPauses(counts: readonly number[], min: number): number {
  let [sum, current] = [0, 0];
  for (const count of [...counts, 1]) {
    if (count === 0) current++;
    else {
      if (min < current) sum += current;
      current = 0;
    }
  }
  return sum;
}

/** Fewer blocks than these do not show the dispersion of their length. */
const minBlocks = 8;

/** The factor by which the dispersion grows beyond the longest length with enough blocks. */
function growthOf(found: readonly { readonly size: number; readonly value: number }[], size: number): number {
  const [half, last] = [found.at(-2), found.at(-1)];
  if (!half || !last || size < 2 * last.size) return 1;
  const growth = Math.min(1, Math.max(0, Math.log2(last.value / half.value)));
  return (size / last.size) ** growth;
}

/** The dispersion of buckets of a whole series relative to a Poisson process, at least 1. */
export function dispersionOf(series: CountSeries): number {
  const outside = new Uint8Array(series.counts.length).fill(1);
  const rest = within(cumulate(series.counts, series.exposure, undefined), {
    start: 0,
    end: series.counts.length,
  });
  return rest.count === 0 || rest.exposure === 0
    ? 1
    : dispersionAt(series, { outside, rest, size: 1, known: 1 }).dispersion;
}

/** Each layer of intervals is shorter than the one before by this factor. */
const decay = Math.SQRT1_2;

/** Number of different lengths of intervals. */
function scalesOf(length: number): number {
  return Math.floor(Math.log(Math.max(1, length)) / Math.log(1 / decay)) + 2;
}

const seeded = new Map<number, readonly BucketInterval[]>();

/**
 * Intervals of all lengths over a number of buckets, overlapping by half. Any change has some interval in which it
 * is the only one (Kovács et al., 2023). Their lengths add up to O(n log n).
 */
export function seededIntervals(length: number): readonly BucketInterval[] {
  const known = seeded.get(length);
  if (known) return known;
  const found = new Map<number, BucketInterval>();
  const add = (start: number, end: number) => found.set(start * (length + 1) + end, { start, end });
  for (let size = length * decay; 2 <= size; size *= decay) {
    const count = 2 * Math.ceil(length / size) - 1;
    const shift = count === 1 ? 0 : (length - size) / (count - 1);
    for (let at = 0; at < count; at++)
      add(Math.floor(at * shift), Math.min(length, Math.ceil(at * shift + size)));
  }
  for (let start = 0; start < length; start++) add(start, start + 1);
  const intervals = [...found.values()];
  seeded.clear();
  seeded.set(length, intervals);
  return intervals;
}

/** How far a series follows the traffic: 0 is constant in time, 1 in proportion, more is steeper. */
const followings = [0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 2] as const;

/**
 * The rate expected in each bucket of a series that partly follows the traffic: between constant in time and in
 * proportion to the other logs, whichever explains its counts best. 0 where the time is not known.
 *
 * @param others logs of all others in each bucket
 * @param time the known part of each bucket
 */
export function fitExposure(
  counts: ArrayLike<number>,
  others: ArrayLike<number>,
  time: ArrayLike<number>,
): Float64Array {
  const { length } = counts;
  let [all, known, sum] = [0, 0, 0];
  for (let at = 0; at < length; at++) {
    if (time[at] === 0) continue;
    all += others[at] ?? 0;
    known += time[at] ?? 0;
    sum += counts[at] ?? 0;
  }
  const mean = all / Math.max(1, known);
  // A burst must not decide what the rest follows.
  const sorted = Float64Array.from(counts).sort();
  const cap = Math.max(1, 3 * (sorted[Math.floor(length * 0.9)] ?? 0));
  const shape = (following: number, at: number) =>
    Math.max(0.02, 1 - following + following * ((others[at] ?? 0) / Math.max(mean * (time[at] ?? 0), 1e-9))) *
    (time[at] ?? 0);
  let best = { following: 0, likelihood: Number.NEGATIVE_INFINITY };
  if (0 < mean && 0 < sum)
    for (const following of followings) {
      let [total, capped, logs] = [0, 0, 0];
      for (let at = 0; at < length; at++) {
        if (time[at] === 0) continue;
        const [count, exposure] = [Math.min(cap, counts[at] ?? 0), shape(following, at)];
        total += exposure;
        capped += count;
        if (count !== 0) logs += count * Math.log(exposure);
      }
      const likelihood = logs - capped * Math.log(total);
      if (best.likelihood < likelihood) best = { following, likelihood };
    }
  return Float64Array.from({ length }, (_, at) => (time[at] === 0 ? 0 : shape(best.following, at)));
}
