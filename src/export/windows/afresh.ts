import type { StoredWindow } from '../../store/index.ts';

/** A window as a new run takes it up: what was given up is tried again. */
export function revive(window: StoredWindow): StoredWindow {
  if (window.state === 'failed') return afresh({ ...window, attempts: 0 });
  return window;
}

/** A window that is to be asked for anew. */
export function afresh({
  window,
  export: ofExport,
  oldest,
  newest,
  slice,
  expected,
  attempts,
  logs,
  updated,
}: StoredWindow): StoredWindow {
  return {
    ...{ window, export: ofExport, oldest, newest, state: 'planned' as const, attempts, updated },
    // What it has brought stays in the case, and is not brought again.
    ...(logs !== undefined && { logs }),
    ...(slice !== undefined && { slice }),
    ...(expected !== undefined && { expected }),
  };
}
