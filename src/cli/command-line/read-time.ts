import { type DateOptions, parseDate } from '../../meaning/date.ts';

const day = 86_400_000;

/**
 * Reads a time of a command line to milliseconds since the epoch; undefined for any other text. It is
 * a date of the query language (`parseDate`), or one of the forms that people write and this program
 * prints: `today`, `yesterday` and `tomorrow`, also before a time of day; a blank instead of the `T`;
 * small letters; `UTC` or a blank before the zone. Times without a zone are in UTC. The end of a month
 * or a year is that of its last day, where the query language takes the end of its first.
 */
export function readTime(text: string, options: DateOptions): number | undefined {
  const written = text.trim().replace(/\s+/g, ' ');
  if (/^now|\|\|/.test(written)) return parseDate(written, options);
  const wholeUnit = /^\d{4}(-\d\d)?$/.exec(written);
  if (wholeUnit) return parseDate(`${written}||/${wholeUnit[1] === undefined ? 'y' : 'M'}`, options);
  return parseDate(toIsoText(written, options.now), options);
}

const dayWords = { yesterday: -day, today: 0, tomorrow: day } as const;

function toIsoText(written: string, now: number): string {
  return written
    .replace(/^(yesterday|today|tomorrow)\b/i, (word) => {
      const shift = Object.entries(dayWords).find(([name]) => name === word.toLowerCase())?.[1] ?? 0;
      return new Date(now + shift).toISOString().slice(0, 10);
    })
    .replace(/^([+-]?\d{4,9}-\d\d-\d\d)[ t](?=\d)/, '$1T')
    .replace(/(\d) ?(?:utc|z)$/i, '$1Z')
    .replace(/(:\d\d(?:[.,]\d+)?) (?=[+-]\d)/, '$1')
    .replace(/([.,]\d{9})\d+/, '$1');
}
