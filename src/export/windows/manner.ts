import { afresh } from './afresh.ts';
import type { Begun } from './begun.ts';
import { begunStates } from './begun-states.ts';
import { type ExportOrder, toOrder, toStoredExport } from './order.ts';

/** How an export asks. It selects no other logs, so that a later run may ask in another manner; what is absent stays. */
export interface Manner extends Partial<Pick<ExportOrder, 'windowBy' | 'timeField' | 'zone'>> {
  /** The most logs that one call is to return. */
  readonly num?: number | undefined;
}

/** An order in another manner. */
export function inManner(order: ExportOrder, { num = order.request.num, ...ways }: Manner): ExportOrder {
  return { ...order, ...ways, request: { ...order.request, num } };
}

/** The manner of an order. */
export function mannerOf({ windowBy, timeField, zone, request: { num } }: ExportOrder): Manner {
  return { windowBy, timeField, num, ...(zone !== undefined && { zone }) };
}

/**
 * An export that goes on in a manner. A job of another one would be taken for
 * something else than it is: logs as many as were asked for then may be fewer
 * than are asked for now. So what was under way is asked for anew.
 */
export function goesOn(begun: Begun, manner: Manner): Begun {
  const { kept, windows } = begun;
  const before = toOrder(kept);
  const { request, settings } = toStoredExport(inManner(before, manner), kept.export);
  const same = toStoredExport(before, kept.export);
  if (JSON.stringify([request, settings]) === JSON.stringify([same.request, same.settings])) return begun;
  const anew = windows.map((each) => (begunStates.has(each.state) ? afresh(each) : each));
  return { ...begun, kept: { ...kept, request, settings }, windows: anew };
}
