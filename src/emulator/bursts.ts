import type { Log } from '../records/index.ts';
import { createRandom, type Random } from './incident/random.ts';

/** Options of logs that are made for load: in bursts, several at once, and out of order. */
export interface BurstOptions {
  readonly count: number;
  /** The same seed gives the same logs. Default 1. */
  readonly seed?: number;
  /** Time of the last log, milliseconds since the epoch. Default 2025-03-12T12:00Z. */
  readonly until?: number;
  /** The usual pause between two logs, in milliseconds. Default 40. */
  readonly pause?: number;
  /** Change of the pause from one burst to the next: the standard deviation of its logarithm. Default 1. */
  readonly spread?: number;
  /** Number of logs in a burst. Default 500. */
  readonly every?: number;
  /** Share of logs with the same time as the one before. Default 0.1. */
  readonly equal?: number;
  /** Longest delay of a log in milliseconds; with a delay, the order is not that of time. Default 0. */
  readonly disorder?: number;
  /** Milliseconds with many logs. Default none. */
  readonly crowds?: readonly Crowd[];
}

/** Many logs of one millisecond. */
export interface Crowd {
  readonly count: number;
  /** Position within the time of the logs, from 0 to 1. */
  readonly place: number;
  /** True if its logs differ only in their message, which no filter of the structured form can separate. */
  readonly alike?: boolean;
}

/** 2025-03-12T12:00Z, the end of the incident of the samples. */
const usualEnd = Date.UTC(2025, 2, 12, 12);

/**
 * Makes logs in bursts, in the order in which they arrive.
 *
 * ```ts
 * const deployment = await createDeployment({ logs: burstLogs({ count: 1000 }) });
 * ```
 */
export function burstLogs(options: BurstOptions): readonly Log[] {
  const random = createRandom(options.seed ?? 1);
  const times = timesOf(options, random);
  const usual = times.map((time, index) => toLog(time, index, random));
  const crowded = (options.crowds ?? []).flatMap((crowd, index) =>
    crowdLogs(crowd, { index, times, random }),
  );
  const { disorder = 0 } = options;
  if (disorder === 0 && crowded.length === 0) return usual;
  return [...usual, ...crowded]
    .map((log) => ({ log, arrives: log.time + (disorder === 0 ? 0 : random.next() * disorder) }))
    .sort((a, b) => a.arrives - b.arrives)
    .map(({ log }) => log);
}

function timesOf(options: BurstOptions, random: Random): readonly number[] {
  const { count, until = usualEnd, pause = 40, spread = 1, every = 500, equal = 0.1 } = options;
  const times: number[] = [];
  let time = 0;
  let now = pause;
  for (let index = 0; index < count; index += 1) {
    if (index % every === 0) now = pause * Math.exp(spread * normal(random));
    if (!random.chance(equal)) time += Math.floor(random.next() * 2 * now + 0.6);
    times.push(time);
  }
  return times.map((offset) => until - time + offset);
}

/** A number of the standard normal distribution. */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}

const levels = ['SEVERE', 'WARNING', 'INFO', 'INFO', 'INFO', 'FINE'] as const;
const sources = ['Sharing', 'Rest Catalog', 'Enterprise Admin', 'Roads/Network.MapServer'] as const;

type TimedLog = Log & { readonly time: number };

function toLog(time: number, index: number, random: Random): TimedLog {
  const isRepeated = random.chance(0.05);
  return {
    time,
    logLevel: random.pick(levels),
    logCode: 9000 + random.integer(0, 40),
    source: random.pick(sources),
    // Logs that are equal in all fields are evidence too.
    msg: isRepeated ? 'The same again.' : `Request ${index} was answered.`,
    machine: `node-${random.integer(1, 4)}`,
    ...(isRepeated ? {} : { requestID: `request-${index}`, elapsed: random.integer(1, 5000) / 1000 }),
  };
}

function crowdLogs(
  { count, place, alike = false }: Crowd,
  {
    index,
    times,
    random,
  }: { readonly index: number; readonly times: readonly number[]; readonly random: Random },
): readonly TimedLog[] {
  const time = times[Math.floor(place * (times.length - 1))] ?? usualEnd;
  const logLevel = 'SEVERE';
  return Array.from({ length: count }, (_, number) => {
    const msg = `Crowd ${index}, log ${number}.`;
    return alike
      ? { time, logLevel, logCode: 9003, source: 'Sharing', msg }
      : { ...toLog(time, number, random), msg };
  });
}
