/** Logs of one user without a longer pause, while they are counted. Times are milliseconds since the epoch. */
export interface OpenSession {
  readonly first: number;
  readonly last: number;
  readonly logs: number;
  readonly longestGap: number;
  errors: number;
  /** Numbers of the different requests. */
  readonly requests: Set<number>;
  /** Logs by source. */
  readonly services: Map<string, number>;
}

/** Splits ascending times at pauses longer than `idle`. Nothing but times is counted yet. */
export function splitAtPauses(times: Float64Array, idle: number): readonly OpenSession[] {
  const sessions: OpenSession[] = [];
  let [start, longestGap] = [0, 0];
  for (let index = 1; index <= times.length; index++) {
    const gap = (times[index] ?? Number.POSITIVE_INFINITY) - (times[index - 1] ?? 0);
    if (gap <= idle) {
      longestGap = Math.max(longestGap, gap);
      continue;
    }
    const [first = 0, last = 0] = [times[start], times[index - 1]];
    const counted = { errors: 0, requests: new Set<number>(), services: new Map<string, number>() };
    sessions.push({ first, last, logs: index - start, longestGap, ...counted });
    [start, longestGap] = [index, 0];
  }
  return sessions;
}

/** The session of a time: the last one that begins at it or before. */
export function sessionAt(sessions: readonly OpenSession[], time: number): OpenSession | undefined {
  let [low, high] = [0, sessions.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sessions[middle]?.first ?? Number.POSITIVE_INFINITY) <= time) low = middle + 1;
    else high = middle;
  }
  return sessions[low - 1];
}
