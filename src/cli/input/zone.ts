import { parseZone } from '../../records/zone.ts';
import { UsageError } from '../command-line/usage-error.ts';

/** The name of a zone, when there is one of that name. */
export function checkZone(name: string): string {
  if (parseZone(name)) return name;
  throw new UsageError(
    `"--zone" requires UTC, an offset as +02:00 or a name as Europe/Berlin, unlike "${name}"`,
  );
}
