import { type ExportOrder, openStart, type RequestSettings } from '../../export/index.ts';
import { type ExportRequest, maxLogs } from '../../protocol/index.ts';
import type { OptionValues } from '../command-line/option.ts';
import type { exportSpec } from '../specs/logs.ts';

/**
 * Builds the order of an export; without bounds, all logs until now. `now` is the time of the
 * deployment: later logs cannot be complete yet.
 */
export function exportOrderFrom(
  options: OptionValues<(typeof exportSpec)['options']>,
  request: ExportRequest,
  { deployment, now }: { readonly deployment: string; readonly now: number },
): ExportOrder {
  const { via = 'search', windowBy = 'auto', timeField = 'time', cap = maxLogs, logZone } = options;
  const [from, to] = [options.from?.(now, options.zone), options.to?.(now, options.zone)];
  const { newest: _newest, oldest: _oldest, ...common } = request;
  const newest = Math.min(to ?? now, now);
  return {
    deployment,
    request: { ...common, num: cap },
    ...{ via, windowBy, timeField, from, to, newest },
    oldest: from ?? openStart,
    given: now,
    ...(logZone !== undefined && { zone: logZone }),
  };
}

/** Request settings for a resumed export; absent ones stay unchanged. */
export function requestSettingsFrom({
  cap,
  windowBy,
  timeField,
  logZone,
}: OptionValues<(typeof exportSpec)['options']>): RequestSettings {
  return {
    num: cap,
    ...(windowBy !== undefined && { windowBy }),
    ...(timeField !== undefined && { timeField }),
    ...(logZone !== undefined && { zone: logZone }),
  };
}
