/** How much time one case of a store has. */
export const periodKinds = ['day', 'week', 'month'] as const;

export type PeriodKind = (typeof periodKinds)[number];

/** The time of one case of a store, in UTC: milliseconds since the epoch, both ends included. */
export interface Period {
  /** As in the name of the case: `2026-11-29`, `2026-W48` or `2026-11`. */
  readonly name: string;
  readonly oldest: number;
  readonly newest: number;
}

/** A day in milliseconds. */
export const day = 86_400_000;

/** The period that has a time. */
export function periodAt(time: number, kind: PeriodKind): Period {
  const date = new Date(time).toISOString();
  switch (kind) {
    case 'day':
      return toPeriod(date.slice(0, 10), startOfDay(time), startOfDay(time) + day);
    case 'week':
      return weekFrom(mondayBefore(time));
    case 'month':
      return monthOf(date.slice(0, 7));
  }
}

/** The periods that have some of an interval, in order. */
export function periodsIn(
  { oldest, newest }: { readonly oldest: number; readonly newest: number },
  kind: PeriodKind,
): readonly Period[] {
  const periods: Period[] = [];
  for (let time = oldest; time <= newest; ) {
    const period = periodAt(time, kind);
    periods.push(period);
    time = period.newest + 1;
  }
  return periods;
}

/** Reads the name of a period; undefined for any other text. */
export function periodNamed(name: string): Period | undefined {
  const [, dayName, monthName, year, week] =
    /^(?:(\d{4}-\d\d-\d\d)|(\d{4}-\d\d)|(\d{4})-W(\d\d))$/.exec(name) ?? [];
  const period = readPeriod({ dayName, monthName, year, week });
  return period?.name === name ? period : undefined;
}

/** The parts of the name of a period; one of its forms is there. */
interface NameParts {
  readonly dayName: string | undefined;
  readonly monthName: string | undefined;
  readonly year: string | undefined;
  readonly week: string | undefined;
}

function readPeriod({ dayName, monthName, year, week }: NameParts): Period | undefined {
  if (year !== undefined && week !== undefined) {
    // The fourth of January is always in the first week.
    const first = mondayBefore(Date.parse(`${year}-01-04T00:00:00Z`));
    return weekFrom(first + (Number(week) - 1) * 7 * day);
  }
  const time = Date.parse(`${dayName ?? `${monthName}-01`}T00:00:00Z`);
  if (Number.isNaN(time)) return undefined;
  return periodAt(time, dayName === undefined ? 'month' : 'day');
}

function toPeriod(name: string, start: number, end: number): Period {
  return { name, oldest: start, newest: end - 1 };
}

function startOfDay(time: number): number {
  return Math.floor(time / day) * day;
}

/** The beginning of the week of a time: the epoch was a Thursday. */
function mondayBefore(time: number): number {
  const days = Math.floor(time / day);
  return (days - ((((days + 3) % 7) + 7) % 7)) * day;
}

/** The week that begins with a Monday, named as in ISO 8601: its year is that of its Thursday. */
function weekFrom(monday: number): Period {
  const year = new Date(monday + 3 * day).toISOString().slice(0, 4);
  const first = mondayBefore(Date.parse(`${year}-01-04T00:00:00Z`));
  const number = Math.round((monday - first) / (7 * day)) + 1;
  return toPeriod(`${year}-W${String(number).padStart(2, '0')}`, monday, monday + 7 * day);
}

function monthOf(name: string): Period {
  const [year = 0, month = 1] = name.split('-').map(Number);
  return toPeriod(name, Date.UTC(year, month - 1, 1), Date.UTC(year, month, 1));
}
