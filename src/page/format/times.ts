/** The parts of a time on the clock of a zone. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 },
    timeZoneName: 'longOffset',
  });
  formats.set(zone, made);
  return made;
}

/** A time on the clock of a zone: `2025-03-12 08:24:10.123`. */
export function formatTime(time: number, zone: string): string {
  const iso = new Date(time).toISOString();
  if (zone === 'UTC' || iso.length !== 24) return iso.replace('T', ' ').replace('Z', '');
  const parts = partsOf(time, zone);
  return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')} ${parts.get('hour')}:${parts.get('minute')}:${parts.get('second')}.${parts.get('fractionalSecond')}`;
}

/** The offset of a zone from UTC at a time: `+01:00`. */
export function offsetOf(time: number, zone: string): string {
  if (zone === 'UTC') return '+00:00';
  return partsOf(time, zone).get('timeZoneName')?.replace('GMT', '') || '+00:00';
}

function partsOf(time: number, zone: string): ReadonlyMap<string, string> {
  return new Map(
    formatOf(zone)
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  );
}

/** Parses a time on the clock of a zone, such as `2025-03-12 08:24`; undefined if it is none. */
export function parseTime(text: string, zone: string): number | undefined {
  const match =
    /^\s*(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?))?\s*(Z|[+-]\d\d:\d\d)?\s*$/.exec(text);
  if (!match) return undefined;
  const [, day = '', clock = '00:00', own] = match;
  const utc = Date.parse(`${day}T${clock}${own ?? 'Z'}`);
  if (Number.isNaN(utc)) return undefined;
  // The offset at the result, which may differ from that at the first guess.
  const shifted = (guess: number) => utc - offsetMilliseconds(guess, zone);
  return own === undefined ? shifted(shifted(utc)) : utc;
}

function offsetMilliseconds(time: number, zone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)/.exec(offsetOf(time, zone)) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
}

const units = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
] as const;

/** A length of time in its two largest units: `3 h 12 min`. */
export function formatDuration(milliseconds: number): string {
  const length = Math.abs(milliseconds);
  if (length < 1000) return `${Math.round(length)} ms`;
  const index = units.findIndex(([unit]) => unit <= length);
  const [first, name] = units[index] ?? units[3];
  const [second, small] = units[index + 1] ?? [0, ''];
  const rest = second === 0 ? 0 : Math.floor((length % first) / second);
  if (second === 0) return `${(length / 1000).toFixed(length < 10_000 ? 2 : 0)} s`;
  return `${Math.floor(length / first)} ${name}${rest === 0 ? '' : ` ${rest} ${small}`}`;
}
