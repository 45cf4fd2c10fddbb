import { parseZone, type TimeUnit } from '../../records/zone.ts';
import { UsageError } from '../command-line/usage-error.ts';

/**
 * Returns the name of a zone, followed by the unit of numeric times if given. Throws `UsageError` for
 * an unknown zone.
 */
export function checkZone(name: string, unit?: TimeUnit): string {
  if (!name.includes(' ') && parseZone(name)) return unit === undefined ? name : `${name} ${unit}`;
  throw new UsageError(
    `--zone must be UTC, an offset from -18:00 to +18:00 such as +02:00, or a name such as Europe/Berlin, got "${name}"`,
  );
}
