import type { Case } from '../../../store/index.ts';
import { findExports, findWindows } from '../../../store/index.ts';
import { ExportError } from '../../job/export-error.ts';
import type { Window } from '../decide/window.ts';
import { isExportOpen } from './open-export.ts';
import { type ExportOrder, toOrder } from './order.ts';

/** The order for logs newer than the last export of a case. */
export interface SinceLast {
  readonly order: ExportOrder;
  /** Interval to request a second time, because logs can arrive late. */
  readonly repeat: Window;
}

/**
 * Makes the order for logs newer than the newest export of a case. Logs already
 * in the case are not added again. Rejects with `NOTHING_TO_RESUME` when there
 * is no export, or an unfinished one.
 *
 * ```ts
 * const { order, repeat } = await orderSinceLast(incident, { now: Date.now(), overlap: 600_000 });
 * await exportWindows({ client, into: incident, order, repeat });
 * ```
 */
export async function orderSinceLast(
  of: Case,
  { now, overlap }: { readonly now: number; readonly overlap: number },
): Promise<SinceLast> {
  const [last] = await findExports(of);
  if (!last || isExportOpen(last, await findWindows(of))) {
    const what = last
      ? 'an export that is not finished: "--resume" goes on with it'
      : 'no export over a time';
    throw new ExportError('NOTHING_TO_RESUME', `The case "${of.path}" holds ${what}`);
  }
  const order = toOrder(last);
  const from = last.newest - overlap;
  return {
    order: { ...order, oldest: from, newest: now, from, to: now, given: now },
    repeat: { oldest: from, newest: last.newest },
  };
}
