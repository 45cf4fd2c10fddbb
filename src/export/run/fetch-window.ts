import { rm } from 'node:fs/promises';
import type { StoredWindow } from '../../case/index.ts';
import type { Decision } from '../decide/decide-window.ts';
import { readObserved } from '../decide/observed-behaviour.ts';
import { readExpected, requestedTimes } from '../decide/reply-checks.ts';
import { readSlice } from '../decide/slice.ts';
import { advanceJob, type ExportJob } from '../job/job.ts';
import { isDamagedZip, type JobRun, performStep, toJobError } from '../job/step.ts';
import { submitJob } from '../job/submit.ts';
import { zipPath } from '../job/zip-file.ts';
import { windowRequest } from '../plan/window-request.ts';
import type { FetchContext, WindowedExport } from './export-state.ts';
import { updateWindows } from './export-state.ts';
import { loadWindow } from './load-window.ts';

/**
 * Fetches one window: submits its job unless there is one, waits, downloads,
 * checks and loads. Each step is saved in the case before the next begins, and
 * so is the decision. Rejects with a `ClientError`, an `ExportError` or a
 * `StoreError`.
 */
export async function fetchWindow(
  context: FetchContext,
  exported: WindowedExport,
  window: StoredWindow,
): Promise<Decision> {
  const submitted = window.job === undefined ? await submitWindow(context, exported, window) : window;
  const path = zipPath(context.into.path, submitted.job ?? '');
  try {
    const decision = await finishWindow(context, exported, { first: submitted, path });
    await rm(path, { force: true });
    return decision;
  } finally {
    if (context.into.path === ':memory:') await rm(path, { force: true });
  }
}

async function submitWindow(
  context: FetchContext,
  exported: WindowedExport,
  window: StoredWindow,
): Promise<StoredWindow> {
  const { order, requestPlan, exportState } = exported;
  const slice = readSlice(window.slice);
  const observed = readObserved(exportState.stored());
  exportState.countCall();
  const request = windowRequest(order, requestPlan, {
    ...{ window: requestedTimes(window, readExpected(window.expected)), slice, observed },
  });
  const { job } = await submitJob(context.client, request, context.signal);
  return saveState(context, exported, { ...window, state: 'submitted', job: job.id, address: job.address });
}

async function saveState(
  context: FetchContext,
  { exportState }: WindowedExport,
  window: StoredWindow,
): Promise<StoredWindow> {
  const [updated = window] = await updateWindows(exportState, [window], context);
  return updated;
}

async function finishWindow(
  context: FetchContext,
  exported: WindowedExport,
  { first, path }: { readonly first: StoredWindow; readonly path: string },
): Promise<Decision> {
  let window = first;
  let job = toJob(window);
  const run = runOf(context, path, (zip) => {
    window = { ...window, ...zip };
  });
  for (;;) {
    context.signal?.throwIfAborted();
    if (job.state === 'failed') throw toJobError(job);
    if (job.state === 'fetched') {
      const loaded = await loadOrDamage(context, exported, { window, path });
      if ('decision' in loaded) return loaded.decision;
      job = advanceJob(job, loaded.event);
      if (loaded.event.kind === 'damaged')
        context.onProgress({ event: 'trouble', window: window.window, message: loaded.event.reason });
    } else if (job.state !== 'loaded') {
      job = advanceJob(job, await performStep(run, job));
    }
    if (job.state === 'submitted' || job.state === 'ready' || job.state === 'fetched') {
      const upload = 'upload' in job ? { upload: job.upload } : {};
      window = await saveState(context, exported, { ...window, state: job.state, ...upload });
    }
  }
}

/** Continues the job of a window from its zip when that was fetched, else from the deployment. */
function toJob({ job: id = '', address = '', state, upload }: StoredWindow): ExportJob {
  if (state === 'fetched' && upload !== undefined) return { id, address, state, upload, damaged: 0 };
  return { id, address, state: 'submitted' };
}

function runOf(
  { client, into, signal, maxWait, onProgress }: FetchContext,
  path: string,
  onZip: (zip: Pick<StoredWindow, 'bytes' | 'sha256'>) => void,
): JobRun {
  let lastTrouble: string | undefined;
  return {
    ...{ client, into, signal, maxWait, path },
    onProgress: (progress) => {
      if (progress.stage === 'downloaded') onZip({ bytes: progress.bytes, sha256: progress.sha256 });
      if (progress.stage !== 'waiting' || progress.trouble === lastTrouble) return;
      lastTrouble = progress.trouble;
      if (lastTrouble !== undefined) onProgress({ event: 'trouble', message: lastTrouble });
    },
  };
}

interface Fetched {
  readonly window: StoredWindow;
  readonly path: string;
}

type LoadedOrNot =
  | { readonly decision: Decision }
  | { readonly event: { readonly kind: 'damaged'; readonly reason: string } | { readonly kind: 'lost' } };

async function loadOrDamage(
  context: FetchContext,
  exported: WindowedExport,
  fetched: Fetched,
): Promise<LoadedOrNot> {
  try {
    const decision = await loadWindow(context, exported, fetched);
    return decision ? { decision } : { event: { kind: 'lost' } };
  } catch (error) {
    if (!isDamagedZip(error)) throw error;
    await rm(fetched.path, { force: true });
    return { event: { kind: 'damaged', reason: error.message } };
  }
}
