import type { Client } from '../../client/index.ts';
import type { PlanReason } from '../../meaning/plan/plan.ts';
import { toExportForm } from '../../protocol/index.ts';
import type { Case } from '../../store/index.ts';
import { begin } from './begin.ts';
import { askingOf, type ExportOrder, structuredPlan } from './order.ts';
import { type Probed, probeZip } from './probe.ts';
import { wholeSlice } from './slice.ts';
import { lengthOf, type Window } from './window.ts';
import { windowRequest } from './window-request.ts';

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
  /** Whether all logs are in one sample, so that the numbers are exact. */
  readonly exact: boolean;
  readonly logs: number;
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
  /** The case that the logs would go into, if it is there. */
  readonly into?: Case | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly maxWait?: number | undefined;
  /** So many jobs are under way at most. Default 2. */
  readonly jobs?: number | undefined;
}

/** So many logs make a sample. */
const sampleSize = 500;

/** A log takes so many bytes in a case, besides its zip. */
const bytesPerLog = 110;

/** Estimates an export by four calls at most: for its oldest log, and for logs from three places of its time. */
export async function planExport(options: PlanOptions): Promise<ExportPlan> {
  const { order, into } = options;
  const begun = into ? await begin(into, order) : undefined;
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
    ...estimate(sampled, { cap: request.num, jobs: options.jobs ?? 2 }),
  };
}

function toWindow({ oldest, newest }: Window): Window {
  return { oldest, newest };
}

/** A stretch of time with the logs that are in it for each millisecond. */
interface Stretch extends Window {
  readonly density: number;
}

interface Sampled {
  readonly calls: number;
  readonly exact: boolean;
  /** The newest first. */
  readonly stretches: readonly Stretch[];
  readonly zipBytesPerLog: number;
  /** How long a call for a sample took, in milliseconds. */
  readonly milliseconds: number;
}

async function sample(options: PlanOptions, asked: readonly Window[]): Promise<Sampled> {
  const seen: Probed[] = [];
  let [calls, milliseconds] = [0, 0];
  const look = async (window: Window, more: { readonly num: number; readonly order: 'asc' | 'desc' }) => {
    const started = options.client.clock.now();
    const probed = await probeWindow(options, window, more);
    calls += 1;
    milliseconds += options.client.clock.now() - started;
    if (more.order === 'desc') seen.push(probed);
    return probed.logs.flatMap(({ time }) => time ?? []);
  };
  const num = Math.min(sampleSize, options.order.request.num);
  const { exact, stretches } = asked.length === 0 ? nothing : await sampleStretches(asked, num, look);
  const logs = seen.reduce((sum, each) => sum + each.logs.length, 0);
  const bytes = seen.reduce((sum, each) => sum + each.bytes, 0);
  return {
    ...{ calls, exact, stretches, zipBytesPerLog: bytes / Math.max(1, logs) },
    milliseconds: milliseconds / Math.max(1, calls),
  };
}

const nothing = { exact: true, stretches: [] } as const;

/** Gives back the times of the logs that came. */
type Look = (
  window: Window,
  more: { readonly num: number; readonly order: 'asc' | 'desc' },
) => Promise<readonly number[]>;

async function sampleStretches(
  asked: readonly Window[],
  num: number,
  look: Look,
): Promise<Pick<Sampled, 'exact' | 'stretches'>> {
  const oldest = Math.min(...asked.map((each) => each.oldest));
  const newest = Math.max(...asked.map((each) => each.newest));
  const first = await look({ oldest, newest }, { num, order: 'desc' });
  if (first.length < num) return { exact: true, stretches: [stretchOf({ oldest, newest }, first)] };
  const [begins = oldest] = await look({ oldest, newest }, { num: 1, order: 'asc' });
  const ends = Math.max(...first);
  const third = Math.max(1, Math.floor((ends - begins + 1) / 3));
  const stretches: Stretch[] = [];
  for (const place of [0, 1, 2]) {
    const until = ends - place * third;
    const window = { oldest: place === 2 ? begins : until - third + 1, newest: until };
    const times = place === 0 ? first : await look(window, { num, order: 'desc' });
    stretches.push({ ...window, density: densityOf(times, window, num) });
  }
  return { exact: false, stretches };
}

function stretchOf(window: Window, times: readonly number[]): Stretch {
  return { ...window, density: times.length / lengthOf(window) };
}

/** The newest logs of a window say how dense it is, or all of them when they are few. */
function densityOf(times: readonly number[], window: Window, num: number): number {
  const last = Math.min(...times);
  return times.length < num ? times.length / lengthOf(window) : times.length / (window.newest - last + 1);
}

function probeWindow(
  { client, order, signal, maxWait = 300_000 }: PlanOptions,
  window: Window,
  { num, order: sortOrder }: { readonly num: number; readonly order: 'asc' | 'desc' },
): Promise<Probed> {
  const slice = { ...wholeSlice, order: sortOrder };
  const request = windowRequest(order, askingOf(order), { window, slice, learnt: {} });
  return probeZip({ client, signal, maxWait }, { ...request, num });
}

/** What windows come to hold on the average, as a share of the cap. */
const usualShare = 0.78;

function estimate(
  { calls, exact, stretches, zipBytesPerLog, milliseconds }: Sampled,
  { cap, jobs }: { readonly cap: number; readonly jobs: number },
) {
  const logs = Math.round(stretches.reduce((sum, each) => sum + each.density * lengthOf(each), 0));
  const needed = exact ? stretches.length : Math.ceil(logs / (cap * usualShare)) + 3;
  return {
    samples: { calls, logs: sampleSize },
    ...{ exact, logs, calls: needed, leastCalls: Math.ceil(logs / cap) },
    milliseconds: Math.round((needed * milliseconds) / jobs),
    bytes: Math.round(logs * (zipBytesPerLog + bytesPerLog)),
    windows: windowsOf(stretches, cap * usualShare),
  };
}

/** At most so many windows are listed. */
const mostListed = 1000;

function windowsOf(stretches: readonly Stretch[], perWindow: number): readonly Window[] {
  const windows: Window[] = [];
  for (const { oldest, newest, density } of stretches) {
    const length = Math.max(1, Math.floor(perWindow / density));
    for (let end = newest; oldest <= end && windows.length < mostListed; end -= length) {
      windows.push({ oldest: Math.max(oldest, end - length + 1), newest: end });
    }
  }
  return windows;
}
