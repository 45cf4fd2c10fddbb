import {
  confirmWindows,
  controlledWindows,
  extentOf,
  judgeControl,
  needsControl,
  replanUnproven,
  unconfirmed,
  unproven,
} from '../decide/cap-control.ts';
import { addObserved, readObserved } from '../decide/observed-behaviour.ts';
import { wholeSlice } from '../decide/slice.ts';
import { containsTime } from '../decide/window.ts';
import { windowRequest } from '../plan/window-request.ts';
import type { FetchContext, WindowedExport } from './export-state.ts';
import { countedProbe } from './probes.ts';

/**
 * Confirms windows that only the sizes of their replies show to be whole, by a
 * control call for as many logs of their times as the deployment returns. If it
 * shows that the cap changed, plans those that are too large again and resolves
 * to true; after the last round it marks them as unproven instead. Rejects like
 * any other call, and the export stays open.
 */
export async function replanByControl(
  context: FetchContext,
  exported: WindowedExport,
  isLast: boolean,
): Promise<boolean> {
  const { exportState } = exported;
  if (!needsControl(exportState.windows(), readObserved(exportState.stored()))) return false;
  const lowered = await controlCap(context, exported);
  const windows = exportState.windows();
  if (lowered === undefined) {
    await exportState.save(() => ({ windows: confirmWindows(windows) }));
    return false;
  }
  context.onProgress({
    event: 'trouble',
    message: `The deployment returns a changing number of logs per call, once ${lowered}`,
  });
  const smallest = Math.min(lowered, Number(readObserved(exportState.stored()).lowered ?? lowered));
  const again = replanUnproven(windows, smallest);
  const isOver = isLast || again.length === 0;
  const numbers = new Set(again.map(({ window }) => window));
  const doubtful = windows
    .filter(({ window, reason }) => reason === unconfirmed && numbers.has(window))
    .map((each) => ({ ...each, reason: unproven }));
  const sound = confirmWindows(windows).filter(({ window }) => !numbers.has(window));
  await exportState.save(() => ({
    export: addObserved(exportState.stored(), { lowered: String(smallest), repeats: 'yes' }),
    windows: isOver ? [...doubtful, ...sound] : again,
  }));
  return !isOver;
}

/** Repeats a control that fails once: its own reply may have lacked logs. */
async function controlCap(context: FetchContext, exported: WindowedExport): Promise<number | undefined> {
  const first = await controlOnce(context, exported);
  if (first === undefined) return undefined;
  const second = await controlOnce(context, exported);
  return second === undefined ? undefined : Math.min(first, second);
}

async function controlOnce(context: FetchContext, exported: WindowedExport): Promise<number | undefined> {
  const { order, requestPlan, exportState } = exported;
  const windows = exportState.windows();
  const window = extentOf(controlledWindows(windows));
  const observed = readObserved(exportState.stored());
  const request = windowRequest(order, requestPlan, { window, slice: wholeSlice, observed });
  const logs = await countedProbe(context, exported, request);
  const own = logs.filter(({ time }) => time === undefined || containsTime(window, time));
  return judgeControl(windows, { records: logs.length, found: own.length });
}
