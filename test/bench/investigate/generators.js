/**
 * Quiet logs and incidents as counts, by rules of their own: events are drawn one by one at times in minutes, not in
 * buckets, so that no onset is at an edge more often than chance has it.
 */

/** Repeatable numbers from 0 to 1: a multiplicative congruential generator modulo the prime 2^31 - 1. */
export function numbers(seed) {
  let state = ((seed * 7919 + 12345) % 2147483646) + 1;
  const next = () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
  for (let warming = 0; warming < 10; warming++) next();
  return next;
}

function exponential(next, mean) {
  return -mean * Math.log(next());
}

function normal(next) {
  return Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next());
}

/** Times of events whose rate per minute varies, by thinning. */
function arrivals(next, minutes, rateAt, maxRate) {
  const times = [];
  if (maxRate <= 0) return times;
  for (let time = exponential(next, 1 / maxRate); time < minutes; time += exponential(next, 1 / maxRate))
    if (next() * maxRate < rateAt(time)) times.push(time);
  return times;
}

/** The activity of users at a time of the week in minutes: office hours with a dip at noon, a tenth at night and on weekends. */
function officeHours(time) {
  const [day, hour] = [Math.floor(time / 1440) % 7, (time % 1440) / 60];
  if (5 <= day) return 0.1;
  if (hour < 7 || 19 <= hour) return 0.1;
  const edge = Math.min(1, (hour - 6.5) / 2, (19.5 - hour) / 2);
  return Math.max(0.1, edge * (12 <= hour && hour < 13 ? 0.7 : 1));
}

const rates = [0.005, 0.02, 0.05, 0.1, 0.3, 0.6, 1, 2];

/** The kinds of quiet: each draws the times of the events of one series. `rate` is per minute. */
export const quietKinds = {
  poisson: (next, minutes, rate) => arrivals(next, minutes, () => rate, rate),
  clustered: (next, minutes, rate) =>
    arrivals(next, minutes, () => rate / 8, rate / 8).flatMap((time) =>
      Array.from({ length: 1 + Math.floor(next() * 15) }, () => time + exponential(next, 1)),
    ),
  autocorrelated: (next, minutes, rate) => {
    // The logarithm of the rate wanders and returns, with a memory of about an hour.
    const step = 5;
    const levels = [];
    for (let at = 0, level = normal(next) * 0.4; at <= minutes / step; at++) {
      level = 0.92 * level + Math.sqrt(1 - 0.92 ** 2) * 0.4 * normal(next);
      levels.push(Math.exp(level - 0.08));
    }
    return arrivals(next, minutes, (time) => Math.min(4, levels[Math.floor(time / step)]) * rate, rate * 4);
  },
  weekly: (next, minutes, rate, index) => {
    // Every fourth series is of machines, which know neither night nor weekend; every ninth a nightly job.
    if (index % 4 === 3) return arrivals(next, minutes, () => rate, rate);
    if (index % 9 === 4)
      return Array.from({ length: Math.floor(minutes / 1440) + 1 }, (_, day) =>
        Array.from({ length: 40 }, () => day * 1440 + 120 + next() * 25),
      ).flat();
    return arrivals(next, minutes, (time) => officeHours(time) * rate, rate);
  },
};

/** The minutes of a kind of quiet: three days, or a day, or four weeks with a rhythm. */
export function minutesOf(kind, seed) {
  if (kind === 'weekly') return 28 * 1440;
  return [1440, 3 * 1440, 720][seed % 3];
}

const lengths = [1, 2, 5, 10, 15, 30, 60, 180];

/** Draws the times of many series. The first minute of all is at midnight of a Monday. */
export function drawSeries(kind, seed, count = 24) {
  const next = numbers(seed);
  const minutes = minutesOf(kind, seed);
  const scale = kind === 'weekly' ? 0.25 : 1;
  const series = Array.from({ length: count }, (_, index) =>
    quietKinds[kind](next, minutes, rates[(index * 5 + seed) % rates.length] * scale, index)
      .filter((time) => time < minutes)
      .sort((a, b) => a - b),
  );
  return { minutes, series, next };
}

/** Adds an incident to the series at a random onset, and returns its times in minutes. */
export function addIncident(kind, { minutes, series, next }, { length = 20, size = 60 } = {}) {
  const start = next() * (minutes - length);
  const end = start + length;
  const during = () => Array.from({ length: size }, () => start + next() * length).sort((a, b) => a - b);
  const isIn = (time) => start <= time && time < end;
  // Of series with enough logs to know.
  const busy = series
    .map((times, index) => ({ index, count: times.filter(isIn).length }))
    .sort((a, b) => b.count - a.count)[0].index;
  if (kind === 'new') series.push(during());
  if (kind === 'atStart') series.push(during().map((time) => time - start));
  if (kind === 'rise') {
    const more = series[busy].filter(isIn).flatMap(() => [0, 1, 2].map(() => start + next() * length));
    series[busy] = [...series[busy], ...more, ...during()].sort((a, b) => a - b);
  }
  if (kind === 'vanished') series[busy] = series[busy].filter((time) => time < start);
  if (kind === 'silence')
    for (const [at, times] of series.entries()) series[at] = times.filter((time) => !isIn(time));
  if (kind === 'tenth')
    for (const [at, times] of series.entries())
      series[at] = times.filter((time) => !isIn(time) || next() < 0.1);
  return kind === 'atStart' ? { start: 0, end: length } : { start, end };
}

/**
 * Counts in buckets, as an investigation has them: at most 300, at multiples of their length, the first and the last one
 * known in part. The last series is that of all logs. Series of fewer than five logs are left out.
 */
export function toSeries({ minutes, series }, offset, fitExposure) {
  const length = lengths.find((each) => minutes / each <= 300) ?? 180;
  const buckets = Math.ceil((minutes + offset) / length);
  const counts = series.map((times) => {
    const found = new Float64Array(buckets);
    for (const time of times) found[Math.min(buckets - 1, Math.floor((time + offset) / length))]++;
    return found;
  });
  const parts = Math.max(1, length);
  const bursts = series.map((times) => {
    const occupied = new Set(times.map((time) => Math.floor(((time + offset) / length) * parts)));
    const found = new Float64Array(buckets);
    for (const part of occupied) found[Math.min(buckets - 1, Math.floor(part / parts))]++;
    return found;
  });
  const time = Float64Array.from(
    { length: buckets },
    (_, at) =>
      Math.max(0, Math.min((at + 1) * length, offset + minutes) - Math.max(at * length, offset)) / length,
  );
  const all = new Float64Array(buckets);
  for (const each of counts) for (let at = 0; at < buckets; at++) all[at] += each[at];
  const others = (each) => all.map((logs, at) => logs - each[at]);
  const found = [
    ...counts.map((each, index) => ({
      ...{
        counts: each,
        bursts: bursts[index],
        parts,
        exposure: fitExposure(each, others(each), time),
        time,
      },
    })),
    { counts: all, exposure: time, time },
  ];
  return { length, series: found.filter((each) => 5 <= each.counts.reduce((a, b) => a + b, 0)) };
}

/** The counts of each series in slots of a minute, as those of a source; times are milliseconds from the first minute. */
export function toSlots({ series }) {
  return series.flatMap((times, index) => {
    const slots = new Map();
    for (const minutes of times.toSorted((a, b) => a - b)) {
      const [slot, time] = [Math.floor(minutes), Math.floor(minutes * 60_000)];
      const known = slots.get(slot);
      if (known) Object.assign(known, { count: known.count + 1, last: time });
      else slots.set(slot, { source: `series ${index}`, slot, count: 1, first: time, last: time });
    }
    return [...slots.values()];
  });
}

/** The length of these slots, and the first and the last log: milliseconds. */
export function silenceOptions({ series }) {
  const ends = series.filter((times) => 0 < times.length);
  return {
    length: 60_000,
    first: Math.floor(60_000 * Math.min(...ends.map((times) => times[0]))),
    last: Math.floor(60_000 * Math.max(...ends.map((times) => times.at(-1)))),
  };
}
