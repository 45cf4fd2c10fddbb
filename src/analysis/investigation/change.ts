import type { Episode } from '../change-points/find-episodes.ts';

/** Logs that are counted together over time. */
export type ChangeSubject =
  | {
      readonly type: 'code';
      readonly level: string;
      readonly code: string;
      /** The most frequent pattern of its logs. */
      readonly template?: string;
    }
  | {
      readonly type: 'pattern';
      readonly id: string;
      readonly template: string;
      /** The most frequent level and code of its logs, if they have one. */
      readonly level?: string;
      readonly code?: string;
    }
  | {
      readonly type: 'latency';
      readonly source: string;
      readonly code: string;
      /** The most frequent method, empty if it has none, and its medians in seconds: before, and while it lasts. */
      readonly method: string;
      readonly medianBefore: number;
      readonly medianAfter: number;
    }
  | { readonly type: 'query' };

/** An interval in which logs are more or less frequent, or requests slower or faster, than at first. */
export interface Change {
  readonly kind: Episode['kind'] | 'slower' | 'faster';
  readonly subject: ChangeSubject;
  /** Milliseconds since the epoch: the start of its first interval, and of the first one behind it. */
  readonly start: number;
  readonly end: number;
  /** True if it lasts to the end of the logs. */
  readonly isOpen: boolean;
  /** Logs within; for latencies those that are slower than three quarters of all. */
  readonly count: number;
  /** The number of logs that the rate at first would give. */
  readonly expected: number;
  /** The binary logarithm of the ratio of the rates. */
  readonly effect: number;
  /** The p-value, corrected for all comparisons. */
  readonly p: number;
  /** Selects the logs. Absent where no query can. */
  readonly query?: string;
}

/** The number of successive intervals whose changes count as one. */
export const alignedBuckets = 2;

/** Rank of a change: failures first, then warnings and slower requests, then all other logs. */
export function rankOf({ kind, subject }: Change): number {
  if (subject.type === 'query') return 4;
  if (kind === 'less' || kind === 'gone' || kind === 'faster') return 0;
  if (subject.type === 'latency') return 2;
  if (subject.level === 'SEVERE') return 3;
  return subject.level === 'WARNING' ? 2 : 1;
}

/** The log-likelihood that a change explains. */
export function gainOf({ count, expected }: Change): number {
  return count * Math.log((count + 0.5) / (expected + 0.5)) - (count - expected);
}
