import type { ExportOrder } from '../../export/index.ts';
import { type ExportRequest, maxLogs } from '../../protocol/index.ts';
import type { OptionValues } from '../command-line/option.ts';
import type { exportSpec } from '../specs/logs.ts';

/** The longest time that a deployment keeps logs, in milliseconds: 999 days (field notes). */
const longestRetention = 999 * 86_400_000;

/** What the options of an export order of a deployment; without bounds, all that it keeps until now. */
export function orderOf(
  options: OptionValues<(typeof exportSpec)['options']>,
  request: ExportRequest,
  { deployment, now }: { readonly deployment: string; readonly now: number },
): ExportOrder {
  const { from, to, via = 'search', windowBy = 'auto', timeField = 'time', cap = maxLogs } = options;
  const { newest: _newest, oldest: _oldest, ...common } = request;
  const newest = to ?? now;
  return {
    deployment,
    request: { ...common, num: cap },
    ...{ via, windowBy, timeField, from, to, newest },
    oldest: from ?? Math.min(now - longestRetention, newest),
    given: now,
  };
}
