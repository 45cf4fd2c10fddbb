import type { Client } from '../../../client/index.ts';
import {
  type Case,
  entryNotesOfJobs,
  findExports,
  findWindows,
  saveExportChanges,
} from '../../../store/index.ts';
import { ExportError } from '../../job/export-error.ts';
import { removeStaleZips } from '../../job/zip-file.ts';
import { readObserved } from '../decide/observed-behaviour.ts';
import type { Window } from '../decide/window.ts';
import { reviveWindow } from '../decide/window-states.ts';
import { countIndependently } from '../plan/independent-count.ts';
import {
  applyRequestSettings,
  findExportWithGaps,
  findOpenExport,
  type OpenedExport,
  openExport,
  type RequestSettings,
} from '../plan/open-export.ts';
import { type ExportOrder, toOrder, toRequestPlan } from '../plan/order.ts';
import { isWindowInQuery } from '../plan/window-request.ts';
import { openExportState } from './export-state.ts';
import type { FetchContext } from './fetch-context.ts';
import { checkTimeField, confirmEmpty } from './probes.ts';
import type { WindowsProgress } from './progress.ts';
import { compareWithCount, toWindowsResult, type WindowsResult } from './windows-result.ts';
import { openWorkerPool } from './worker-pool.ts';

export interface WindowsOptions {
  readonly client: Client;
  /** The target case, open for writing. */
  readonly into: Case;
  readonly onProgress?: ((progress: WindowsProgress) => void) | undefined;
  /**
   * Aborts the export with the reason of the signal. Finished work is in the case,
   * and the export can be resumed.
   */
  readonly signal?: AbortSignal | undefined;
  /** Maximum wait for one job, in milliseconds. Default 30 minutes. */
  readonly maxWait?: number | undefined;
  /**
   * Maximum number of parallel jobs; fewer run while the deployment is overloaded.
   * `auto`: starts with 2 and grows to 16. Default 2.
   */
  readonly jobs?: number | 'auto' | undefined;
}

/**
 * Exports all logs of an order in as many windows as needed. Continues an
 * interrupted export of the case with the same order; intervals that the case
 * has are not requested again unless the order repeats them.
 *
 * A failed window does not stop the others: the result lists it. Rejects with a
 * `ClientError`, an `ExportError` or a `StoreError` where no window could
 * succeed, and with the reason of the signal.
 *
 * ```ts
 * const { order } = await orderSinceLast(incident, { now: Date.now(), overlap: 600_000 });
 * const { logs, complete, gaps } = await exportWindows({ client, into: incident, order });
 * ```
 */
export async function exportWindows(
  options: WindowsOptions & { readonly order: ExportOrder; readonly repeat?: Window | undefined },
): Promise<WindowsResult> {
  return work(options, await openExport(options.into, options.order, options.repeat));
}

/**
 * Requests again what the newest export of a case lacks: failed windows, and
 * windows that the deployment capped. Logs already in the case are not added
 * again.
 *
 * ```ts
 * const { gaps } = await retryGaps({ client, into: incident });
 * ```
 */
export async function retryGaps(
  options: WindowsOptions & { readonly requestSettings?: RequestSettings },
): Promise<WindowsResult> {
  const found = await findExportWithGaps(options.into);
  if (found)
    return work(options, applyRequestSettings(found, options.requestSettings ?? {}), { mayRepeat: true });
  const message = `Nothing to request again: no export in "${options.into.path}" lacks logs`;
  throw new ExportError('NOTHING_TO_RESUME', message);
}

/**
 * Resumes the newest unfinished export of a case, with the order that the case stores.
 *
 * ```ts
 * const { complete } = await resumeWindows({ client, into: incident, jobs: 'auto' });
 * ```
 */
export async function resumeWindows({
  requestSettings = {},
  ...options
}: WindowsOptions & { readonly requestSettings?: RequestSettings }): Promise<WindowsResult> {
  const open = await findOpenExport(options.into);
  if (open) return work(options, applyRequestSettings(open, requestSettings));
  await removeStaleZips(options.into);
  const message = `Nothing to resume: no export in "${options.into.path}" is unfinished. For newer logs: --since-last`;
  throw new ExportError('NOTHING_TO_RESUME', message);
}

/** 30 minutes: an export of 10,000 logs takes seconds, and some minutes in a queue. */
const defaultMaxWait = 30 * 60_000;

async function work(
  options: WindowsOptions,
  opened: OpenedExport,
  { mayRepeat = false }: { readonly mayRepeat?: boolean } = {},
): Promise<WindowsResult> {
  const { client, into, signal, jobs = 2, maxWait = defaultMaxWait, onProgress = () => {} } = options;
  const { stored, windows, resumed } = opened;
  const order = toOrder(stored);
  const all = await findWindows(into);
  const next = Math.max(0, ...all.map(({ window }) => window), ...windows.map(({ window }) => window)) + 1;
  const revived = windows.map(reviveWindow);
  await saveExportChanges(into, () => ({ export: stored, windows: revived }));
  const exportState = openExportState(into, stored, { windows: revived, next });
  const requestPlan = toRequestPlan(order);
  const context: FetchContext = { client, into, signal, maxWait, onProgress };
  const isAmongOthers = (await findExports(into)).some((each) => each.export !== stored.export);
  const exported = { order, requestPlan, exportState, mayRepeat: mayRepeat || isAmongOthers };
  onProgress({
    event: 'begun',
    export: stored.export,
    oldest: stored.oldest,
    newest: stored.newest,
    resumed,
  });
  if (isWindowInQuery(order, requestPlan.request, readObserved(stored)))
    await checkTimeField(context, exported);
  // Logs of another export are not added again, and logs filtered here are not in the deployment's count.
  const isComparable = !exported.mayRepeat && requestPlan.residual === undefined;
  const count = async () =>
    isComparable ? countIndependently({ client, request: requestPlan.request, signal }, stored) : undefined;
  const counted = await count();
  const pool = openWorkerPool(context, exported, counted);
  try {
    await pool.run(jobs);
    await confirmEmpty(context, exported);
  } finally {
    await removeStaleZips(into);
  }
  const loaded = exportState.windows().flatMap(({ state, job }) => (state === 'loaded' && job ? [job] : []));
  const notes = await entryNotesOfJobs(into, new Set(loaded));
  const result = toWindowsResult({
    stored: exportState.stored(),
    windows: exportState.windows(),
    calls: exportState.calls(),
    notes,
  });
  if (counted === undefined) return result;
  // Logs may have arrived late, or aged away, since the first count.
  return compareWithCount(result, counted === result.logs ? counted : ((await count()) ?? counted));
}
