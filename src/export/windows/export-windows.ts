import type { Client } from '../../client/index.ts';
import type { Case } from '../../store/index.ts';
import { entryNotesOfJobs, findExports, findWindows, saveWindows } from '../../store/index.ts';
import { ExportError } from '../export-error.ts';
import { clearFolder } from '../zip-file.ts';
import { revive } from './afresh.ts';
import { begin, findOpen, findWithGaps } from './begin.ts';
import type { Begun } from './begun.ts';
import type { Bringing } from './bringing.ts';
import { checkTimeField } from './check-time-field.ts';
import { confirmEmpty } from './confirm-empty.ts';
import { openCrew } from './crew.ts';
import { independentCount } from './independent-count.ts';
import { readLearnt } from './learnt.ts';
import { openLedger } from './ledger.ts';
import { goesOn, type Manner } from './manner.ts';
import { askingOf, type ExportOrder, toOrder } from './order.ts';
import type { WindowsProgress } from './progress.ts';
import type { Window } from './window.ts';
import { windowInQuery } from './window-request.ts';
import { type WindowsResult, windowsResult, withCount } from './windows-result.ts';

export interface WindowsOptions {
  readonly client: Client;
  /** The case that the logs go into, open for writing. */
  readonly into: Case;
  readonly onProgress?: ((progress: WindowsProgress) => void) | undefined;
  /** Ends the export with the reason of the signal. What has been reached is in the case and can be resumed. */
  readonly signal?: AbortSignal | undefined;
  /** How long to wait for one job to end, in milliseconds. Default 30 minutes. */
  readonly maxWait?: number | undefined;
  /**
   * So many jobs are under way at most, fewer while the deployment is
   * overloaded. `auto`: 2 at first, up to 16 while it is not. Default 2.
   */
  readonly jobs?: number | 'auto' | undefined;
}

/**
 * Exports all logs of an order, in as many windows as it takes. An export of
 * the case for the same that was interrupted goes on; times that were brought
 * before are not asked for again unless the order says so.
 *
 * A window that comes to nothing does not stop the others: the result names
 * it. Fails with a `ClientError`, an `ExportError` or a `StoreError` where no
 * window could do better, and with the reason of the signal.
 */
export async function exportWindows(
  options: WindowsOptions & { readonly order: ExportOrder; readonly repeat?: Window | undefined },
): Promise<WindowsResult> {
  return work(options, await begin(options.into, options.order, options.repeat));
}

/**
 * Asks once more for what the newest export of a case lacks, whatever the reason:
 * windows that failed, and those of which the deployment returned no more. Logs
 * that are in the case are not added again.
 */
export async function retryGaps(
  options: WindowsOptions & { readonly manner?: Manner },
): Promise<WindowsResult> {
  const found = await findWithGaps(options.into);
  if (found) return work(options, goesOn(found, options.manner ?? {}), { mayRepeat: true });
  const message = `No export in the case "${options.into.path}" lacks any logs`;
  throw new ExportError('NOTHING_TO_RESUME', message);
}

/** Goes on with the newest export of a case that is not finished, by what the case knows of it. */
export async function resumeWindows({
  manner = {},
  ...options
}: WindowsOptions & { readonly manner?: Manner }): Promise<WindowsResult> {
  const open = await findOpen(options.into);
  if (open) return work(options, goesOn(open, manner));
  await clearFolder(options.into);
  const message = `The case "${options.into.path}" holds no export that is not finished`;
  throw new ExportError('NOTHING_TO_RESUME', message);
}

/** 30 minutes: an export of 10,000 logs takes seconds, behind a queue of others some minutes. */
const defaultMaxWait = 30 * 60_000;

async function work(
  options: WindowsOptions,
  begun: Begun,
  { mayRepeat = false }: { readonly mayRepeat?: boolean } = {},
): Promise<WindowsResult> {
  const { client, into, signal, jobs = 2, maxWait = defaultMaxWait, onProgress = () => {} } = options;
  const { kept, windows, resumed } = begun;
  const order = toOrder(kept);
  const all = await findWindows(into);
  const next = Math.max(0, ...all.map(({ window }) => window), ...windows.map(({ window }) => window)) + 1;
  const revived = windows.map(revive);
  await saveWindows(into, () => ({ export: kept, windows: revived }));
  const ledger = openLedger(into, kept, { windows: revived, next });
  const asking = askingOf(order);
  let calls = 0;
  const active = new Set<number>();
  const bringing: Bringing = {
    ...{ client, into, order, asking, ledger, signal, maxWait, onProgress },
    onCall: () => {
      calls += 1;
    },
    isActive: (window) => active.has(window),
    mayRepeat: mayRepeat || (await findExports(into)).some((each) => each.export !== kept.export),
  };
  onProgress({ event: 'begun', export: kept.export, oldest: kept.oldest, newest: kept.newest, resumed });
  if (windowInQuery(order, asking.request, readLearnt(kept))) await checkTimeField(bringing);
  // What another export has brought is not brought again, and what is filtered here is not counted there.
  const isComparable = !bringing.mayRepeat && asking.residual === undefined;
  const count = async () =>
    isComparable ? independentCount({ client, request: asking.request, signal }, kept) : undefined;
  const counted = await count();
  const crew = openCrew(bringing, { active, calls: () => calls, counted });
  try {
    await crew.run(jobs);
    await confirmEmpty(bringing);
  } finally {
    await clearFolder(into);
  }
  const loaded = ledger.windows().flatMap(({ state, job }) => (state === 'loaded' && job ? [job] : []));
  const notes = await entryNotesOfJobs(into, new Set(loaded));
  const result = windowsResult({ kept: ledger.kept(), windows: ledger.windows(), calls, notes });
  if (counted === undefined) return result;
  // Logs can have come late, or aged away, since they were counted first.
  return withCount(result, counted === result.logs ? counted : ((await count()) ?? counted));
}
