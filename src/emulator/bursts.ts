import type { Log } from '../records/log.ts';
import { createRandom, type Random } from './incident/random.ts';

/** How logs come that are made only to be many: in bursts, several at once, and in disorder. */
export interface BurstOptions {
  readonly count: number;
  /** The same seed gives the same logs. Default 1. */
  readonly seed?: number;
  /** When the last of them is logged, milliseconds since the epoch. Default 2025-03-12T12:00Z. */
  readonly until?: number;
  /** The usual pause between two logs, in milliseconds. Default 40. */
  readonly pause?: number;
  /** How much the pause changes from one burst to the next: the standard deviation of its logarithm. Default 1. */
  readonly spread?: number;
  /** So many logs make a burst. Default 500. */
  readonly every?: number;
  /** The share of logs that have the very time of the one before. Default 0.1. */
  readonly equal?: number;
  /** Logs arrive up to so many milliseconds after their time, so that their order is not that of time. Default 0. */
  readonly disorder?: number;
  /** Milliseconds in which many logs come at once. Default none. */
  readonly crowds?: readonly Crowd[];
}

/** Many logs of one millisecond. */
export interface Crowd {
  readonly count: number;
  /** Where in the time of the logs it is, from 0 to 1. */
  readonly place: number;
  /** Whether its logs differ only in their message, which no filter of the structured form tells apart. */
  readonly alike?: boolean;
}

/** 2025-03-12T12:00Z, when the incident of the samples ends. */
const usualEnd = Date.UTC(2025, 2, 12, 12);

/** Logs in bursts, in the order in which they arrive. */
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
  return times.map((each) => until - time + each);
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
    // Logs that are equal in all that they hold are evidence too.
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
