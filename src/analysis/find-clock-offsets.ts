import { type Case, type RequestPart, requestParts } from '../case/index.ts';
import type { Filter } from '../language/index.ts';
import { compareTexts } from './group-blocks.ts';

/** A source or a host whose clock differs from that of others. */
export interface ClockOffset {
  readonly field: 'source' | 'machine';
  readonly value: string;
  /** Milliseconds that its clock is ahead of the others; negative if it is behind. */
  readonly ahead: number;
  /** Requests that show just this offset, of those that it shares with others. */
  readonly requests: number;
  readonly of: number;
  /** Those that it was compared with, the most requests first. */
  readonly against: readonly string[];
  /** True if as many are on the other side: which of them is wrong cannot be said. */
  readonly isMutual: boolean;
}

/** The milliseconds that the clock of a log is ahead, by its source and host; 0 if it is not known to differ. */
export function aheadOf(
  clocks: readonly ClockOffset[],
  of: { readonly source?: string | undefined; readonly machine?: string | undefined },
): number {
  return clocks.find(({ field, value }) => of[field] === value)?.ahead ?? 0;
}

/** Options of `findClockOffsets`. */
export interface FindClockOffsetsOptions {
  readonly filter: Filter;
  /** The number of selected logs: of very many, a part of the requests is enough. */
  readonly logs: number;
  /** The limit for p-values. Default 0.01. */
  readonly limit?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Logs whose requests are read: those of more are sampled. */
const maxLogs = 200_000;

/** Smaller offsets are not told apart from the time that requests take: milliseconds. */
const minOffset = 2000;

/** Differences of one offset differ by at most this part of it. */
const bandwidth = 0.1;

/**
 * The share of waits that are within that part of any one value. It is 0.32 of waits as even as a log-normal
 * distribution with a deviation of a quarter, and less of all that scatter more.
 */
const sharePerBand = 1 / 3;

/** A clock that is wrong is wrong in nearly all requests: in this share of them. A timeout or a slow call is not. */
const minShare = 3 / 4;

/** Sources in one request that are compared with each other. */
const maxParts = 20;

/**
 * Finds sources whose clocks differ from those of others, by their common requests; hosts, if no source has one.
 * An offset separates the logs of two sources in nearly all of their requests, by the same time in either direction, and
 * no measured time of the request explains it. That this is no coincidence of waits is tested by the exact binomial
 * distribution, corrected for all pairs and all values. Pairs that only failures join are left out, as timeouts are as constant
 * as clocks. Rejects with a `StoreError`, or the reason of the signal.
 */
export async function findClockOffsets(
  cases: readonly Case[],
  { filter, logs, limit = 0.01, signal }: FindClockOffsetsOptions,
): Promise<readonly ClockOffset[]> {
  const oneOf = Math.max(1, Math.ceil(logs / maxLogs));
  for (const by of ['source', 'machine'] as const) {
    const options = { by, oneOf, isAlone: cases.length === 1, signal };
    const parts = await Promise.all(cases.map((from) => requestParts(from, filter, options)));
    const found = offsetsOf(parts.flat(), limit).map((offset) => ({ field: by, ...offset }));
    if (0 < found.length) return found;
  }
  return [];
}

/** The clock offsets that parts of requests show, the most requests first. */
export function offsetsOf(
  parts: readonly RequestPart[],
  limit: number,
): readonly Omit<ClockOffset, 'field'>[] {
  const pairs = comparePairs(parts);
  const edges = pairs.flatMap((pair) => toEdge(pair, { pairs: pairs.length, limit }) ?? []);
  return componentsOf(edges).flatMap(offsetsWithin);
}

/** The common requests of two sources or hosts. */
interface Pair {
  readonly names: readonly [string, string];
  /** Milliseconds from the middle of the logs of the first to that of the second, of requests that keep them apart. */
  readonly apart: number[];
  /** Requests whose logs overlap, or whose measured time explains the distance. */
  together: number;
  /** Requests of which one side has failures alone. */
  failures: number;
}

function comparePairs(parts: readonly RequestPart[]): readonly Pair[] {
  const requests = new Map<string, RequestPart[]>();
  for (const part of parts) {
    const known = requests.get(part.request);
    if (known) known.push(part);
    else requests.set(part.request, [part]);
  }
  const pairs = new Map<string, Pair>();
  for (const of of requests.values()) {
    if (of.length < 2 || maxParts < of.length) continue;
    const sorted = joinParts(of);
    for (const [index, first] of sorted.entries())
      for (const second of sorted.slice(index + 1)) addRequest(pairs, first, second);
  }
  return [...pairs.values()];
}

/** The parts of a request by name; those of one name in several cases are one. */
function joinParts(parts: readonly RequestPart[]): readonly RequestPart[] {
  const sorted = parts.toSorted((a, b) => compareTexts(a.name, b.name));
  const joined: RequestPart[] = [];
  for (const part of sorted) {
    const last = joined.at(-1);
    if (last?.name !== part.name) joined.push(part);
    else
      joined[joined.length - 1] = {
        ...last,
        first: Math.min(last.first, part.first),
        last: Math.max(last.last, part.last),
        elapsed: Math.max(last.elapsed ?? 0, part.elapsed ?? 0),
        areFailures: last.areFailures && part.areFailures,
      };
  }
  return joined;
}

function addRequest(pairs: Map<string, Pair>, first: RequestPart, second: RequestPart): void {
  const key = JSON.stringify([first.name, second.name]);
  const pair = pairs.get(key) ?? { names: [first.name, second.name], apart: [], together: 0, failures: 0 };
  pairs.set(key, pair);
  if (first.areFailures || second.areFailures) pair.failures++;
  const gap = Math.max(second.first - first.last, first.first - second.last);
  const explained = 1000 * Math.max(first.elapsed ?? 0, second.elapsed ?? 0);
  if (gap <= minOffset / 2 || gap <= 1.1 * explained) pair.together++;
  else pair.apart.push((second.first + second.last - first.first - first.last) / 2);
}

/** The difference of the clocks of a pair: the second is ahead by this, 0 if they agree. */
interface Edge {
  readonly names: readonly [string, string];
  readonly ahead: number;
  readonly requests: number;
  readonly of: number;
}

function toEdge(
  { names, apart, together, failures }: Pair,
  { pairs, limit }: { readonly pairs: number; readonly limit: number },
): Edge | undefined {
  const of = apart.length + together;
  if (of <= 2 * together) return { names, ahead: 0, requests: together, of };
  const ahead = Math.round(median(apart));
  const requests = apart.filter((each) => Math.abs(each - ahead) <= bandwidth * Math.abs(ahead)).length;
  const isConstant = minOffset <= Math.abs(ahead) && minShare * of <= requests && 2 * failures < of;
  // The value is chosen by the requests themselves: any of them could have been it.
  const p = pairs * of * binomialTail(requests - 1, of - 1, sharePerBand);
  return isConstant && p < limit ? { names, ahead, requests, of } : undefined;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[half - 1] ?? 0)) / 2;
}

/** The probability of at least so many successes in some trials, exactly. */
export function binomialTail(successes: number, trials: number, chance: number): number {
  if (successes <= 0) return 1;
  // The logarithm of the probability of no success, then of each number more.
  let term = trials * Math.log1p(-chance);
  let sum = 0;
  for (let at = 1; at <= trials; at++) {
    term += Math.log((trials - at + 1) / at) + Math.log(chance) - Math.log1p(-chance);
    if (successes <= at) sum += Math.exp(term);
  }
  return Math.min(1, sum);
}

/** Edges that are connected, the most requests first. */
function componentsOf(edges: readonly Edge[]): readonly (readonly Edge[])[] {
  const rest = new Set(edges.toSorted((a, b) => b.requests - a.requests || compareTexts(keyOf(a), keyOf(b))));
  const components: Edge[][] = [];
  for (const start of rest) {
    const names = new Set(start.names);
    const component: Edge[] = [];
    for (let size = -1; size < component.length; ) {
      size = component.length;
      for (const edge of rest)
        if (edge.names.some((name) => names.has(name))) {
          for (const name of edge.names) names.add(name);
          component.push(edge);
          rest.delete(edge);
        }
    }
    components.push(component);
  }
  return components;
}

function keyOf({ names }: Edge): string {
  return JSON.stringify(names);
}

/** Those of a component whose clocks differ from the clock that most of them have. */
function offsetsWithin(edges: readonly Edge[]): readonly Omit<ClockOffset, 'field'>[] {
  if (edges.every(({ ahead }) => ahead === 0)) return [];
  const groups = groupByClock(clocksOf(edges));
  const sizes = groups.map(({ names }) => names.length).sort((a, b) => b - a);
  const requestsOf = ({ names }: ClockGroup) =>
    edges.reduce((sum, edge) => sum + (edge.names.some((name) => names.includes(name)) ? edge.of : 0), 0);
  const [reference, ...others] = groups.toSorted(
    (a, b) => b.names.length - a.names.length || requestsOf(b) - requestsOf(a) || a.clock - b.clock,
  );
  if (!reference) return [];
  return others.flatMap(({ names }) =>
    names.flatMap((value) => {
      const compared = edges
        .filter((edge) => edge.names.includes(value) && edge.ahead !== 0)
        .toSorted((a, b) => b.requests - a.requests);
      const [best] = compared;
      if (!best) return [];
      const against = compared.map(({ names: [one, other] }) => (one === value ? other : one));
      return {
        value,
        ahead: (clocksOf(edges).get(value) ?? 0) - reference.clock,
        requests: compared.reduce((sum, edge) => sum + edge.requests, 0),
        of: compared.reduce((sum, edge) => sum + edge.of, 0),
        against,
        isMutual: sizes[0] === sizes[1],
      };
    }),
  );
}

/** The clock of each name relative to an arbitrary one, along the edges with the most requests. */
function clocksOf(edges: readonly Edge[]): ReadonlyMap<string, number> {
  const clocks = new Map<string, number>([[edges[0]?.names[0] ?? '', 0]]);
  const known = () => edges.find(({ names: [one, other] }) => clocks.has(one) !== clocks.has(other));
  for (let edge = known(); edge; edge = known()) {
    const [one, other] = edge.names;
    const clock = clocks.get(one);
    if (clock === undefined) clocks.set(one, (clocks.get(other) ?? 0) - edge.ahead);
    else clocks.set(other, clock + edge.ahead);
  }
  return clocks;
}

interface ClockGroup {
  /** Milliseconds relative to an arbitrary clock. */
  readonly clock: number;
  readonly names: readonly string[];
}

/** Joins names whose clocks differ by less than the smallest offset that is believed. */
function groupByClock(clocks: ReadonlyMap<string, number>): readonly ClockGroup[] {
  const groups: { last: number; readonly clocks: number[]; readonly names: string[] }[] = [];
  for (const [name, clock] of [...clocks].sort(([, a], [, b]) => a - b)) {
    const last = groups.at(-1);
    if (last && clock - last.last < minOffset) {
      last.last = clock;
      last.names.push(name);
      last.clocks.push(clock);
    } else groups.push({ last: clock, clocks: [clock], names: [name] });
  }
  return groups.map((group) => ({ names: group.names, clock: median(group.clocks) }));
}
