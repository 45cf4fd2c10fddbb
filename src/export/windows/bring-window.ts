import { rm } from 'node:fs/promises';
import type { StoredWindow } from '../../store/index.ts';
import { advance, type Job } from '../job.ts';
import { failure } from '../run-export.ts';
import { isDamage, type Run, step } from '../step.ts';
import { submit } from '../submit.ts';
import { zipPath } from '../zip-file.ts';
import type { Bringing } from './bringing.ts';
import { askedTimes, readExpected } from './expected.ts';
import { readLearnt } from './learnt.ts';
import { loadWindow } from './load-window.ts';
import { windowNews } from './progress.ts';
import type { Settlement } from './settle.ts';
import { readSlice } from './slice.ts';
import { windowRequest } from './window-request.ts';

/**
 * Brings one window: submits its job unless there is one, waits, downloads,
 * checks and loads. Every step is in the case before the next one begins. What
 * came of it is in the ledger; fails with a `ClientError`, an `ExportError` or
 * a `StoreError`.
 */
export async function bringWindow(bringing: Bringing, window: StoredWindow): Promise<Settlement> {
  const submitted = window.job === undefined ? await submitWindow(bringing, window) : window;
  const path = zipPath(bringing.into.path, submitted.job ?? '');
  try {
    const settlement = await finishWindow(bringing, submitted, path);
    await rm(path, { force: true });
    return settlement;
  } finally {
    if (bringing.into.path === ':memory:') await rm(path, { force: true });
  }
}

async function submitWindow(bringing: Bringing, window: StoredWindow): Promise<StoredWindow> {
  const { client, order, asking, ledger, signal } = bringing;
  const slice = readSlice(window.slice);
  const learnt = readLearnt(ledger.kept());
  bringing.onCall();
  const request = windowRequest(order, asking, {
    ...{ window: askedTimes(window, readExpected(window.expected)), slice, learnt },
  });
  const { job } = await submit(client, request, signal);
  return noteState(bringing, { ...window, state: 'submitted', job: job.id, address: job.address });
}

/** Notes a new state of a window. */
async function noteState(
  { ledger, client, onProgress }: Bringing,
  window: StoredWindow,
): Promise<StoredWindow> {
  const noted = { ...window, updated: client.clock.now() };
  await ledger.note(() => ({ windows: [noted] }));
  onProgress(windowNews(noted));
  return noted;
}

async function finishWindow(bringing: Bringing, first: StoredWindow, path: string): Promise<Settlement> {
  let window = first;
  let job = toJob(window);
  const run = runOf(bringing, path, (zip) => {
    window = { ...window, ...zip };
  });
  for (;;) {
    bringing.signal?.throwIfAborted();
    if (job.state === 'failed') throw failure(job);
    if (job.state === 'fetched') {
      const loaded = await loadOrDamage(bringing, { window, path });
      if ('settlement' in loaded) return loaded.settlement;
      job = advance(job, loaded.event);
      if (loaded.event.kind === 'damaged')
        bringing.onProgress({ event: 'trouble', window: window.window, message: loaded.event.reason });
    } else if (job.state !== 'loaded') {
      job = advance(job, await step(run, job));
    }
    if (job.state === 'submitted' || job.state === 'ready' || job.state === 'fetched') {
      const upload = 'upload' in job ? { upload: job.upload } : {};
      window = await noteState(bringing, { ...window, state: job.state, ...upload });
    }
  }
}

/** The job of a window goes on from its zip when that is here, else from the deployment. */
function toJob({ job: id = '', address = '', state, upload }: StoredWindow): Job {
  if (state === 'fetched' && upload !== undefined) return { id, address, state, upload, damaged: 0 };
  return { id, address, state: 'submitted' };
}

function runOf(
  { client, into, signal, maxWait, onProgress }: Bringing,
  path: string,
  onZip: (zip: Pick<StoredWindow, 'bytes' | 'sha256'>) => void,
): Run {
  let told: string | undefined;
  return {
    ...{ client, into, signal, maxWait, path },
    onProgress: (progress) => {
      if (progress.stage === 'downloaded') onZip({ bytes: progress.bytes, sha256: progress.sha256 });
      if (progress.stage !== 'waiting' || progress.trouble === told) return;
      told = progress.trouble;
      if (told !== undefined) onProgress({ event: 'trouble', message: told });
    },
  };
}

interface Fetched {
  readonly window: StoredWindow;
  readonly path: string;
}

type LoadedOrNot =
  | { readonly settlement: Settlement }
  | { readonly event: { readonly kind: 'damaged'; readonly reason: string } | { readonly kind: 'lost' } };

async function loadOrDamage(bringing: Bringing, fetched: Fetched): Promise<LoadedOrNot> {
  try {
    const settlement = await loadWindow(bringing, fetched);
    return settlement ? { settlement } : { event: { kind: 'lost' } };
  } catch (error) {
    if (!isDamage(error)) throw error;
    await rm(fetched.path, { force: true });
    return { event: { kind: 'damaged', reason: error.message } };
  }
}
