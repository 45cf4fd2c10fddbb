/** Forms of times in exported logs. The interface document has milliseconds; real deployments differ. */
export const timeForms = ['milliseconds', 'seconds', 'epoch seconds', 'local'] as const;

/**
 * `milliseconds` since the epoch; the same with the fraction of a `seconds`
 * cut off; seconds since the epoch; the date and time of a `local` clock,
 * without its zone.
 */
export type TimeForm = (typeof timeForms)[number];

/** Writes a time, milliseconds since the epoch. */
export type WriteTime = (time: number) => number | string;

/**
 * Creates a writer of times. `zone` is that of the local clock, a name of the time zone database. Throws a
 * RangeError for an unknown zone.
 */
export function timeWriter(form: TimeForm = 'milliseconds', zone = 'UTC'): WriteTime {
  switch (form) {
    case 'milliseconds':
      return (time) => time;
    case 'seconds':
      return (time) => Math.floor(time / 1000) * 1000;
    case 'epoch seconds':
      return (time) => Math.floor(time / 1000);
    case 'local':
      return localWriter(zone);
  }
}

function localWriter(timeZone: string): WriteTime {
  // The Swedish form of a date is that of ISO 8601, except for a blank in its middle.
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone });
  return (time) => {
    const milliseconds = String(((time % 1000) + 1000) % 1000).padStart(3, '0');
    return `${format.format(time).replace(' ', 'T')}.${milliseconds}`;
  };
}
