import { everything } from '../../protocol/index.ts';
import type { Bringing } from './bringing.ts';
import { bareZip } from './incomplete-reply.ts';
import { probe } from './probe.ts';

/**
 * Confirms that an export is empty whose zips hold no entry at all. A deployment
 * that returns a log to a call without any filter can write entries, and has
 * none to write here. Otherwise the windows stay as they are: nothing shows what they hold.
 */
export async function confirmEmpty(bringing: Bringing): Promise<void> {
  const { ledger, client, onCall } = bringing;
  const open = ledger.windows().filter(({ state }) => state !== 'split');
  const bare = open.filter(({ state, reason }) => state === 'failed' && reason === bareZip);
  const isEmpty = open.every((each) => bare.includes(each) || (each.state === 'loaded' && each.found === 0));
  if (bare.length === 0 || !isEmpty) return;
  onCall();
  const logs = await probe(bringing, { ...everything, num: 1, logLevel: 'DEBUG' });
  if (logs.length === 0) return;
  const empty = { state: 'loaded', found: 0, logs: 0, records: 0, bytes: 0, reason: undefined } as const;
  const updated = client.clock.now();
  await ledger.note(() => ({ windows: bare.map((each) => ({ ...each, ...empty, updated })) }));
}
