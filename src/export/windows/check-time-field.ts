import { narrow } from '../../assist/narrow.ts';
import { ExportError } from '../export-error.ts';
import type { Bringing } from './bringing.ts';
import { probe } from './probe.ts';

/** Logs may bear whole seconds of times that the deployment knows better. Milliseconds. */
const rounding = 1000;

/**
 * Rejects with `WINDOW_IGNORED` unless the deployment finds a log by its time
 * in the query: a field that it does not know would find nothing, and look like
 * a time without logs.
 */
export async function checkTimeField(bringing: Bringing): Promise<void> {
  const { order, asking, onCall } = bringing;
  const options = { ...bringing, zone: order.zone };
  const sample = { ...asking.request, num: 1, sortBy: 'time', sortOrder: 'desc' } as const;
  onCall();
  const [log] = await probe(options, sample);
  // Where nothing matches at all, nothing can be missed.
  if (log?.time === undefined) return;
  const range = `${order.timeField}:[${log.time - rounding} TO ${log.time + rounding}]`;
  onCall();
  const found = await probe(options, { ...sample, searchQuery: narrow(sample.searchQuery, [range]) });
  if (0 < found.length) return;
  throw new ExportError(
    'WINDOW_IGNORED',
    `The deployment finds no log by the field "${order.timeField}", though there are some: ` +
      '"--time-field" names the field of the time, and "--via query" does without it',
  );
}
