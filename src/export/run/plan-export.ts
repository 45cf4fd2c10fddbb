import type { Case } from '../../case/index.ts';
import type { Client } from '../../client/index.ts';
import type { PlanReason } from '../../language/index.ts';
import { toExportForm } from '../../protocol/index.ts';
import { containsTime, type Window, windowLength } from '../decide/window.ts';
import { type ProbedLogs, probeLogsAndSize } from './job.ts';
import { openExport } from './open-export.ts';
import { type ExportOrder, planStructuredFilters, probeRequest, toRequestPlan } from './order.ts';
import type { ProbeTimes } from './sampling.ts';
import { countIndependently, type SampledDensity, sampleDensity, splitIntoWindows } from './sampling.ts';

/** Estimated cost of an export, from a few samples. Times are milliseconds since the epoch. */
export interface ExportPlan extends Window {
  /** Intervals that the case does not have yet. */
  readonly asked: readonly Window[];
  /** Parameters common to all calls, without empty ones. */
  readonly parameters: Readonly<Record<string, string>>;
  /** True if part of the query is filtered here, and why. */
  readonly residual: boolean;
  readonly reasons: readonly PlanReason[];
  /** Number of calls made for this plan, and maximum number of logs each. */
  readonly samples: { readonly calls: number; readonly logs: number };
  /** True if the number of logs is exact: one sample held them all, or the deployment counted them. */
  readonly exact: boolean;
  readonly logs: number;
  /** Bounds of the number of logs, from the variance of the samples: beyond a factor of two it is unknown. */
  readonly least: number;
  readonly most: number;
  readonly calls: number;
  /** Minimum number of calls for this number of logs. */
  readonly leastCalls: number;
  /** Estimated duration in milliseconds. */
  readonly milliseconds: number;
  /** Estimated disk space of the case and its evidence. */
  readonly bytes: number;
  /** Windows as they would be requested, newest first; at most 1000. */
  readonly windows: readonly Window[];
}

export interface PlanExportOptions {
  readonly client: Client;
  readonly order: ExportOrder;
  /** Interval to request although the case has it. */
  readonly repeat?: Window | undefined;
  /** The target case, if it exists. */
  readonly into?: Case | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly maxWait?: number | undefined;
  /** Maximum number of parallel jobs. Default 2. */
  readonly jobs?: number | 'auto' | undefined;
}

/** Logs per sample. */
const sampleSize = 500;

/** Bytes of a log in a case, besides its zip. */
const bytesPerLog = 110;

/**
 * Estimates an export from a few samples: where its logs begin, and their density at a few times.
 *
 * ```ts
 * const { order } = await orderSinceLast(incident, { now: Date.now(), overlap: 600_000 });
 * const { calls } = await planExport({ client, into: incident, order });
 * ```
 */
export async function planExport(options: PlanExportOptions): Promise<ExportPlan> {
  const { order, repeat, into } = options;
  const present = options.client.earliestNow();
  const opened = into ? await openExport(into, order, { repeat, present }) : undefined;
  const planned = opened?.windows.filter(({ state }) => state !== 'loaded' && state !== 'split');
  const requested: readonly Window[] = planned ?? [{ oldest: order.oldest, newest: order.newest }];
  const structured = planStructuredFilters(order);
  const { request } = toRequestPlan(order);
  const sampled = await sample(options, requested);
  const form = [...toExportForm(request)].filter(([name, value]) => value !== '' && name !== 'f');
  return {
    oldest: order.oldest,
    newest: Math.min(order.newest, present),
    asked: requested.map(toWindow),
    parameters: Object.fromEntries(form),
    residual: structured !== undefined,
    reasons: structured?.reasons ?? [],
    ...estimate(sampled, { cap: request.num, jobs: options.jobs === 'auto' ? 2 : (options.jobs ?? 2) }),
  };
}

function toWindow({ oldest, newest }: Window): Window {
  return { oldest, newest };
}

interface Probes extends SampledDensity {
  readonly calls: number;
  readonly zipBytesPerLog: number;
  /** Mean duration of a sample call, in milliseconds. */
  readonly milliseconds: number;
}

async function sample(options: PlanExportOptions, requested: readonly Window[]): Promise<Probes> {
  const seen: ProbedLogs[] = [];
  let [calls, milliseconds] = [0, 0];
  const probeTimes: ProbeTimes = async (window, more) => {
    const started = options.client.clock.now();
    const probed = await probeWindow(options, window, more);
    calls += 1;
    milliseconds += options.client.clock.now() - started;
    if (more.order === 'desc') seen.push(probed);
    return probed.logs.flatMap(({ time }) =>
      time !== undefined && containsTime(window, time) ? [time] : [],
    );
  };
  const num = Math.min(sampleSize, options.order.request.num);
  const sampled =
    requested.length === 0
      ? noLogs
      : await countOrSample(options, spanOf(requested), { num, look: probeTimes });
  const logs = seen.reduce((sum, probe) => sum + probe.logs.length, 0);
  const bytes = seen.reduce((sum, probe) => sum + probe.bytes, 0);
  return {
    ...sampled,
    calls,
    zipBytesPerLog: bytes / Math.max(1, logs),
    milliseconds: milliseconds / Math.max(1, calls),
  };
}

const noLogs = { exact: true, intervals: [], least: 0, most: 0 } as const;

/** Samples an interval; scales the result to the deployment's own count where there is one. */
async function countOrSample(
  { client, order, signal }: PlanExportOptions,
  times: Window,
  { num, look: probeTimes }: { readonly num: number; readonly look: ProbeTimes },
): Promise<SampledDensity> {
  const { request } = toRequestPlan(order);
  const [sampled, counted] = [
    await sampleDensity(times, num, probeTimes),
    await countIndependently({ client, request, signal }, times),
  ];
  const estimated = logsOf(sampled.intervals);
  if (counted === undefined || sampled.exact || estimated === 0) return sampled;
  const scaled = sampled.intervals.map((interval) => ({
    ...interval,
    density: (interval.density * counted) / estimated,
  }));
  return { exact: true, intervals: scaled, least: counted, most: counted };
}

function logsOf(intervals: SampledDensity['intervals']): number {
  return Math.round(intervals.reduce((sum, interval) => sum + interval.density * windowLength(interval), 0));
}

function spanOf(windows: readonly Window[]): Window {
  return {
    oldest: Math.min(...windows.map((window) => window.oldest)),
    newest: Math.max(...windows.map((window) => window.newest)),
  };
}

function probeWindow(
  { client, order, signal, maxWait = 300_000 }: PlanExportOptions,
  window: Window,
  { num, order: sortOrder }: { readonly num: number; readonly order: 'asc' | 'desc' },
): Promise<ProbedLogs> {
  const request = probeRequest(order, toRequestPlan(order), { window, sortOrder, observed: {} });
  return probeLogsAndSize({ client, signal, maxWait, zone: order.zone }, { ...request, num });
}

/** Average fill of windows, as a share of the cap. */
const usualShare = 0.78;

function estimate(
  { calls, exact, intervals, least, most, zipBytesPerLog, milliseconds }: Probes,
  { cap, jobs }: { readonly cap: number; readonly jobs: number },
) {
  const logs = logsOf(intervals);
  const isOneCall = exact && logs < cap;
  const needed = isOneCall ? 3 * Math.min(1, intervals.length) : Math.ceil(logs / (cap * usualShare)) + 5;
  return {
    samples: { calls, logs: sampleSize },
    exact,
    logs,
    least,
    most,
    calls: needed,
    leastCalls: Math.ceil(logs / cap),
    milliseconds: Math.round((needed * milliseconds) / jobs),
    bytes: Math.round(logs * (zipBytesPerLog + bytesPerLog)),
    windows: splitIntoWindows(intervals, { perWindow: cap * usualShare, max: mostListed }),
  };
}

/** Maximum number of windows listed. */
const mostListed = 1000;
