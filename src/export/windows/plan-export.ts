import type { Client } from '../../client/index.ts';
import type { PlanReason } from '../../logic/plan/plan.ts';
import { toExportForm } from '../../protocol/index.ts';
import type { Case } from '../../store/index.ts';
import { begin } from './begin.ts';
import { independentCount } from './independent-count.ts';
import type { Look } from './look.ts';
import { askingOf, type ExportOrder, structuredPlan } from './order.ts';
import { type Probed, probeZip } from './probe.ts';
import { type Sampled, sampleTimes, windowsOf } from './sample-times.ts';
import { holds, lengthOf, type Window } from './window.ts';
import { probeRequest } from './window-request.ts';

/** What an export will take, as far as a few calls for samples can tell. Times are milliseconds since the epoch. */
export interface ExportPlan extends Window {
  /** The stretches that the case does not have yet. */
  readonly asked: readonly Window[];
  /** The parameters that all calls have in common, without empty ones. */
  readonly parameters: Readonly<Record<string, string>>;
  /** What of the query is filtered here, and why. */
  readonly residual: boolean;
  readonly reasons: readonly PlanReason[];
  /** So many calls were made for this plan, with at most so many logs each. */
  readonly samples: { readonly calls: number; readonly logs: number };
  /** Whether all logs are in one sample, or the deployment has counted them, so that their number is exact. */
  readonly exact: boolean;
  readonly logs: number;
  /** The logs at least and at most, as far as the samples differ: beyond a factor of two their number is not known. */
  readonly least: number;
  readonly most: number;
  readonly calls: number;
  /** The least number of calls that could bring so many logs. */
  readonly leastCalls: number;
  /** About how long it takes, in milliseconds. */
  readonly milliseconds: number;
  /** About what the case and its evidence will take on the disk. */
  readonly bytes: number;
  /** The windows as they would be asked for, the newest first; at most 1000. */
  readonly windows: readonly Window[];
}

export interface PlanOptions {
  readonly client: Client;
  readonly order: ExportOrder;
  /** The times that are asked for although the case has them. */
  readonly repeat?: Window | undefined;
  /** The case that the logs would go into, if it is there. */
  readonly into?: Case | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly maxWait?: number | undefined;
  /** So many jobs are under way at most. Default 2. */
  readonly jobs?: number | 'auto' | undefined;
}

/** So many logs make a sample. */
const sampleSize = 500;

/** A log takes so many bytes in a case, besides its zip. */
const bytesPerLog = 110;

/** Estimates an export by some calls for samples: where its logs begin, and how dense they are at a few places. */
export async function planExport(options: PlanOptions): Promise<ExportPlan> {
  const { order, repeat, into } = options;
  const begun = into ? await begin(into, order, repeat) : undefined;
  const planned = begun?.windows.filter(({ state }) => state !== 'loaded' && state !== 'split');
  const asked: readonly Window[] = planned ?? [{ oldest: order.oldest, newest: order.newest }];
  const structured = structuredPlan(order);
  const { request } = askingOf(order);
  const sampled = await sample(options, asked);
  const form = [...toExportForm(request)].filter(([name, value]) => value !== '' && name !== 'f');
  return {
    ...{ oldest: order.oldest, newest: order.newest, asked: asked.map(toWindow) },
    parameters: Object.fromEntries(form),
    residual: structured !== undefined,
    reasons: structured?.reasons ?? [],
    ...estimate(sampled, { cap: request.num, jobs: options.jobs === 'auto' ? 2 : (options.jobs ?? 2) }),
  };
}

function toWindow({ oldest, newest }: Window): Window {
  return { oldest, newest };
}

interface Probes extends Sampled {
  readonly calls: number;
  readonly zipBytesPerLog: number;
  /** How long a call for a sample took, in milliseconds. */
  readonly milliseconds: number;
}

async function sample(options: PlanOptions, asked: readonly Window[]): Promise<Probes> {
  const seen: Probed[] = [];
  let [calls, milliseconds] = [0, 0];
  const look: Look = async (window, more) => {
    const started = options.client.clock.now();
    const probed = await probeWindow(options, window, more);
    calls += 1;
    milliseconds += options.client.clock.now() - started;
    if (more.order === 'desc') seen.push(probed);
    return probed.logs.flatMap(({ time }) => (time !== undefined && holds(window, time) ? [time] : []));
  };
  const num = Math.min(sampleSize, options.order.request.num);
  const sampled = asked.length === 0 ? nothing : await countOrSample(options, spanOf(asked), { num, look });
  const logs = seen.reduce((sum, each) => sum + each.logs.length, 0);
  const bytes = seen.reduce((sum, each) => sum + each.bytes, 0);
  return {
    ...{ ...sampled, calls, zipBytesPerLog: bytes / Math.max(1, logs) },
    milliseconds: milliseconds / Math.max(1, calls),
  };
}

const nothing = { exact: true, stretches: [], least: 0, most: 0 } as const;

/** Samples of a time, as many logs as the deployment counts in it where it does. */
async function countOrSample(
  { client, order, signal }: PlanOptions,
  times: Window,
  { num, look }: { readonly num: number; readonly look: Look },
): Promise<Sampled> {
  const { request } = askingOf(order);
  const [sampled, counted] = [
    await sampleTimes(times, num, look),
    await independentCount({ client, request, signal }, times),
  ];
  const estimated = logsOf(sampled.stretches);
  if (counted === undefined || sampled.exact || estimated === 0) return sampled;
  const scaled = sampled.stretches.map((each) => ({
    ...each,
    density: (each.density * counted) / estimated,
  }));
  return { exact: true, stretches: scaled, least: counted, most: counted };
}

function logsOf(stretches: Sampled['stretches']): number {
  return Math.round(stretches.reduce((sum, each) => sum + each.density * lengthOf(each), 0));
}

function spanOf(asked: readonly Window[]): Window {
  return {
    oldest: Math.min(...asked.map((each) => each.oldest)),
    newest: Math.max(...asked.map((each) => each.newest)),
  };
}

function probeWindow(
  { client, order, signal, maxWait = 300_000 }: PlanOptions,
  window: Window,
  { num, order: sortOrder }: { readonly num: number; readonly order: 'asc' | 'desc' },
): Promise<Probed> {
  const request = probeRequest(order, askingOf(order), { window, sortOrder, learnt: {} });
  return probeZip({ client, signal, maxWait, zone: order.zone }, { ...request, num });
}

/** What windows come to hold on the average, as a share of the cap. */
const usualShare = 0.78;

function estimate(
  { calls, exact, stretches, least, most, zipBytesPerLog, milliseconds }: Probes,
  { cap, jobs }: { readonly cap: number; readonly jobs: number },
) {
  const logs = logsOf(stretches);
  const isOneCall = exact && logs < cap;
  const needed = isOneCall ? 3 * Math.min(1, stretches.length) : Math.ceil(logs / (cap * usualShare)) + 5;
  return {
    samples: { calls, logs: sampleSize },
    ...{ exact, logs, least, most, calls: needed, leastCalls: Math.ceil(logs / cap) },
    milliseconds: Math.round((needed * milliseconds) / jobs),
    bytes: Math.round(logs * (zipBytesPerLog + bytesPerLog)),
    windows: windowsOf(stretches, { perWindow: cap * usualShare, most: mostListed }),
  };
}

/** At most so many windows are listed. */
const mostListed = 1000;
