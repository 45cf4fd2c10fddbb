import type { StoredWindow } from '../../store/index.ts';
import type { Bringing } from './bringing.ts';
import { checksWithin, nothing, readExpected, writeExpected } from './expected.ts';
import { findBeginning } from './find-beginning.ts';
import { readLearnt } from './learnt.ts';
import type { Look } from './look.ts';
import { mayPass } from './may-pass.ts';
import { probe } from './probe.ts';
import { floorTo, stepOf } from './resolution.ts';
import { holds } from './window.ts';
import { probeRequest } from './window-request.ts';

/**
 * A planned window split where its logs begin, as far as a few calls for one log
 * each tell: what is before is asked for all the same, but is no place to begin in.
 */
export async function partAtOldest(
  bringing: Bringing,
  window: StoredWindow,
  number: number,
): Promise<readonly StoredWindow[]> {
  const { order, asking, ledger, onCall } = bringing;
  const learnt = readLearnt(ledger.kept());
  const look: Look = async (times, { num, order: sortOrder }) => {
    onCall();
    const request = { ...probeRequest(order, asking, { window: times, sortOrder, learnt }), num };
    const logs = await probe({ ...bringing, zone: order.zone }, request);
    return logs.flatMap(({ time }) => (time !== undefined && holds(times, time) ? [time] : []));
  };
  const beginning = await findBeginning(window, look).catch((error: unknown) => {
    if (mayPass(error)) return undefined;
    throw error;
  });
  const begins = beginning === undefined ? undefined : floorTo(beginning, stepOf(learnt));
  if (begins === undefined || !holds(window, begins) || begins === window.oldest) return [window];
  return [
    {
      ...window,
      oldest: begins,
      expected: writeExpected(checksWithin({ ...window, oldest: begins }, readExpected(window.expected))),
    },
    {
      ...window,
      window: number,
      newest: begins - 1,
      expected: writeExpected([nothing(window.oldest, begins - 1)]),
    },
  ];
}
