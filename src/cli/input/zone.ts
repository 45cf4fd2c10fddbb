import { parseZone, type TimeUnit, timeUnits } from '../../records/zone.ts';
import { choice } from '../command-line/option.ts';
import { UsageError } from '../command-line/usage-error.ts';

/** The name of a zone, when there is one of that name, and behind it the unit of times that are numbers, where one is given. */
export function checkZone(name: string, unit?: TimeUnit): string {
  if (!name.includes(' ') && parseZone(name)) return unit === undefined ? name : `${name} ${unit}`;
  throw new UsageError(
    `"--zone" requires UTC, an offset from -18:00 to +18:00 as +02:00, or a name as Europe/Berlin, unlike "${name}"`,
  );
}

/** The option with the unit of times that are numbers. */
export const timeUnitOption = choice(
  'UNIT',
  'The unit of times in log files that are numbers (default: ms, and s where they cannot be ms)',
  timeUnits,
);
