import {
  type DateOrder,
  parseTimeZone,
  parseZone,
  type TimeUnit,
  type TimeZone,
  utcZone,
} from '../../records/index.ts';
import { UsageError } from './exit-code.ts';
import type { OptionSpec } from './option.ts';

/** Option with the zone in which times are shown and read. */
export const zoneOption: OptionSpec<TimeZone> = {
  value: 'ZONE',
  about: 'Zone in which times are shown and read: local, Europe/Berlin or +02:00',
  fallback: utcZone.name,
  read: (args, flag) => {
    const last = args.at(-1);
    if (last === undefined) return utcZone;
    const zone = parseTimeZone(resolveLocal(last));
    if (zone) return zone;
    throw zoneError(last, flag);
  },
};

/** Option with the zone of times in logs that name none; undefined unless given. */
export const logZoneOption: OptionSpec<string | undefined> = {
  value: 'ZONE',
  about: 'Zone of times in logs without one, such as local, Europe/Berlin or +02:00 (default: UTC)',
  read: (args, flag) => {
    const last = args.at(-1);
    const name = last && resolveLocal(last);
    if (last === undefined || (name && !name.includes(' ') && parseZone(name))) return name;
    throw zoneError(last, flag);
  },
};

/** How the times and records of log files are read, as options say. */
interface LogReadingOptions {
  readonly logZone: string | undefined;
  readonly timeUnit: TimeUnit | undefined;
  readonly dateOrder?: DateOrder | undefined;
  readonly envelope?: string | undefined;
}

/** The zone of times in logs that name none, followed by how else log files are read, if given. */
export function logZoneOf({
  logZone = utcZone.name,
  timeUnit,
  dateOrder,
  envelope,
}: LogReadingOptions): string {
  if (envelope !== undefined && /^$|\s/.test(envelope))
    throw new UsageError(
      `--envelope must be a path without blanks, such as kubernetes.log, got "${envelope}"`,
    );
  const path = envelope === undefined ? undefined : `envelope:${envelope}`;
  return [logZone, timeUnit, dateOrder, path].filter((part) => part !== undefined).join(' ');
}

/** Replaces `local` by the name of the zone of this machine. */
function resolveLocal(name: string): string {
  return name === 'local' ? Intl.DateTimeFormat().resolvedOptions().timeZone : name;
}

function zoneError(text: string, flag: string): UsageError {
  return new UsageError(
    `${flag} must be local, UTC, an offset from -18:00 to +18:00 such as +02:00, or a name such as Europe/Berlin, got "${text}"`,
  );
}
