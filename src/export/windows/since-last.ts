import type { Case } from '../../store/index.ts';
import { findExports, findWindows } from '../../store/index.ts';
import { ExportError } from '../export-error.ts';
import { isOpen } from './begin.ts';
import { type ExportOrder, toOrder } from './order.ts';
import type { Window } from './window.ts';

/** What is new since the last export of a case. */
export interface SinceLast {
  readonly order: ExportOrder;
  /** The times that are asked for a second time, because logs can come late. */
  readonly repeat: Window;
}

/**
 * The order for what is new since the newest export of a case, by what the case
 * knows of it. Logs that are there already are not added again. Rejects with
 * `NOTHING_TO_RESUME` when there is none, or when it is not finished.
 */
export async function sinceLast(
  of: Case,
  { now, overlap }: { readonly now: number; readonly overlap: number },
): Promise<SinceLast> {
  const [last] = await findExports(of);
  if (!last || isOpen(last, await findWindows(of))) {
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
