import { type ExportOrder, openStart } from '../../export/index.ts';
import { type ExportRequest, maxLogs } from '../../protocol/index.ts';
import type { OptionValues } from '../command-line/option.ts';
import { checkZone } from '../input/zone.ts';
import type { exportSpec } from '../specs/logs.ts';

/**
 * What the options of an export order of a deployment; without bounds, all that
 * it keeps until now. `now` is its own time: what it has not seen yet cannot be complete.
 */
export function orderOf(
  options: OptionValues<(typeof exportSpec)['options']>,
  request: ExportRequest,
  { deployment, now }: { readonly deployment: string; readonly now: number },
): ExportOrder {
  const { via = 'search', windowBy = 'auto', timeField = 'time', cap = maxLogs, zone } = options;
  const [from, to] = [options.from?.(now), options.to?.(now)];
  const { newest: _newest, oldest: _oldest, ...common } = request;
  const newest = Math.min(to ?? now, now);
  return {
    deployment,
    request: { ...common, num: cap },
    ...{ via, windowBy, timeField, from, to, newest },
    oldest: from ?? openStart,
    given: now,
    ...(zone !== undefined && { zone: checkZone(zone) }),
  };
}
