/** Times outside these are no dates of the language: milliseconds since the epoch. */
const maxTime = 8.64e15;

const dateTime =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:([.,])(\d{1,9}))?)?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/**
 * The milliseconds since the epoch that a record means by a value: a number or
 * a text of digits is that already; a date with a time is read in its zone, and
 * as UTC where it names none. Undefined when the value is no time.
 *
 * A fraction after a point is a fraction of a second. After a comma it is the
 * number of milliseconds, which the classic log line does not pad: `,65` is 65 ms.
 */
export function toTime(value: unknown): number | undefined {
  if (typeof value === 'number') return inRange(value);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (/^-?\d{1,16}$/.test(text)) return inRange(Number(text));
  const match = dateTime.exec(text);
  return match ? fromDateTime(match) : undefined;
}

function inRange(time: number): number | undefined {
  return Math.abs(time) <= maxTime ? Math.trunc(time) : undefined;
}

function fromDateTime(match: RegExpExecArray): number | undefined {
  const [, year, month, day, hour = '00', minute = '00', second = '00', mark, fraction = '', zone = 'Z'] =
    match;
  const minutes = `${year}-${month}-${day}T${hour}:${minute}:00Z`;
  const time = Date.parse(minutes);
  // Date.parse takes the 30th of February for the 1st or 2nd of March: a day that moved is no date.
  if (Number.isNaN(time) || Number(day) !== new Date(time).getUTCDate() || hour > '23') return undefined;
  const milliseconds = mark === ',' && fraction.length < 3 ? Number(fraction) : toMilliseconds(fraction);
  if (second > '60') return undefined;
  return time + Number(second) * 1_000 + milliseconds - zoneOffset(zone);
}

function toMilliseconds(fraction: string): number {
  return Number(fraction.padEnd(3, '0').slice(0, 3));
}

/** The milliseconds by which a zone like `+02:00` is ahead of UTC. */
function zoneOffset(zone: string): number {
  if (zone === 'Z' || zone === 'z') return 0;
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2));
  return (zone.startsWith('-') ? -1 : 1) * minutes * 60_000;
}
