import type { StoredWindow } from '../../store/index.ts';
import type { Bringing } from './bringing.ts';
import { nothing } from './expected.ts';
import { readLearnt } from './learnt.ts';
import { mayPass } from './may-pass.ts';
import { probe } from './probe.ts';
import { wholeSlice } from './slice.ts';
import { holds } from './window.ts';
import { windowRequest } from './window-request.ts';

/**
 * A planned window parted where its logs begin, as far as one call for the
 * oldest log tells: what is before is asked for all the same, but is no place
 * to begin in. A deployment that does not sort only makes this less useful.
 */
export async function partAtOldest(
  bringing: Bringing,
  window: StoredWindow,
  number: number,
): Promise<readonly StoredWindow[]> {
  const { order, asking, ledger, onCall } = bringing;
  const learnt = readLearnt(ledger.kept());
  const request = windowRequest(order, asking, { window, slice: { ...wholeSlice, order: 'asc' }, learnt });
  onCall();
  const [log] = await probe(bringing, { ...request, num: 1 }).catch((error: unknown) => {
    if (mayPass(error)) return [];
    throw error;
  });
  const begins = log?.time;
  if (begins === undefined || !holds(window, begins) || begins === window.oldest) return [window];
  return [
    { ...window, oldest: begins },
    {
      ...window,
      window: number,
      newest: begins - 1,
      expected: JSON.stringify(nothing(window.oldest, begins - 1)),
    },
  ];
}
