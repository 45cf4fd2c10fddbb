import type { Manner } from '../../export/index.ts';
import type { Call } from '../command-line/command.ts';
import { checkZone } from '../input/zone.ts';
import type { exportSpec } from '../specs/logs.ts';

/** How an export that goes on is to ask from now on; what was not given stays as it was. */
export function mannerOf({ cap, windowBy, timeField, zone }: Call<typeof exportSpec>['options']): Manner {
  return {
    num: cap,
    ...(windowBy !== undefined && { windowBy }),
    ...(timeField !== undefined && { timeField }),
    ...(zone !== undefined && { zone: checkZone(zone) }),
  };
}
