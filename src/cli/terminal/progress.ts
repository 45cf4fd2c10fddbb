import { printable } from './printable.ts';
import type { Terminal } from './terminal.ts';

/** How far some long work is. */
export interface Progress {
  /** What is being done, as "Downloading". */
  readonly doing: string;
  readonly done?: number;
  /** How much there is to do, where it is known. */
  readonly total?: number;
  /** What else there is to say, at the end of the line. */
  readonly note?: string;
  /** What is counted: `B` for bytes, else a word like "logs". */
  readonly unit?: string;
}

/** Shows how far long work is. */
export interface ProgressDisplay {
  readonly update: (progress: Progress) => void;
  /** Takes the display away. */
  readonly end: () => void;
}

/** A terminal is told this often, a file or pipe only now and then. Milliseconds. */
const pauses = { terminal: 100, other: 10_000 } as const;

/** Shows progress where the talk goes. The clock counts milliseconds. */
export function displayProgress(
  terminal: Pick<Terminal, 'say' | 'show' | 'talk'>,
  clock: () => number = () => performance.now(),
): ProgressDisplay {
  const isTerminal = terminal.talk.width !== undefined;
  const pause = isTerminal ? pauses.terminal : pauses.other;
  let begin = { doing: '', at: clock(), done: 0 };
  let last: Progress | undefined;
  let told = clock();
  const tell = (progress: Progress) => {
    told = clock();
    const line = progressLine(progress, { milliseconds: told - begin.at, since: begin.done });
    if (isTerminal) terminal.show(line);
    else terminal.say(line);
  };
  // Work that waits for others says nothing for a while; that it goes on is news as well.
  const timer = setInterval(
    () => last && pause <= clock() - told && tell(last),
    10 * pauses.terminal,
  ).unref();
  return {
    update(progress) {
      const changed = progress.doing !== begin.doing;
      if (changed) begin = { doing: progress.doing, at: clock(), done: progress.done ?? 0 };
      last = progress;
      if (pause <= clock() - told || (changed && isTerminal)) tell(progress);
    },
    end() {
      clearInterval(timer);
      last = undefined;
      terminal.show('');
    },
  };
}

/** How long the work has gone on, and where it began. */
export interface Elapsed {
  readonly milliseconds: number;
  readonly since: number;
}

/** One line: what is done, how far, how fast and how long it will take. */
export function progressLine(progress: Progress, { milliseconds, since }: Elapsed): string {
  const { done, total, note, unit = '' } = progress;
  // It names files, whatever their names hold.
  const doing = printable(progress.doing);
  if (done === undefined) return `${doing} … ${duration(milliseconds)}`;
  const rate = milliseconds < 500 ? 0 : ((done - since) * 1000) / milliseconds;
  return [
    `${doing} … ${total === undefined ? amount(done, unit) : share(done, total, unit)}`,
    ...(0 < rate ? [`${amount(rate, unit)}/s`] : []),
    ...(0 < rate && total !== undefined && done < total
      ? [`${duration(((total - done) / rate) * 1000)} left`]
      : []),
    ...(note === undefined ? [] : [printable(note)]),
  ].join(', ');
}

function share(done: number, total: number, unit: string): string {
  const percent = total === 0 ? 100 : Math.floor((100 * Math.min(done, total)) / total);
  return `${amount(done, unit)} of ${amount(total, unit)} (${percent} %)`;
}

/** An amount for people: `1,234 logs`, `3.4 MB`. */
export function amount(value: number, unit: string): string {
  if (unit !== 'B') return `${grouped(Math.round(value))} ${unit}`.trim();
  const steps = ['B', 'kB', 'MB', 'GB', 'TB'];
  const step = Math.min(steps.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, value)) / 3)));
  const scaled = value / 1000 ** step;
  return `${step === 0 || 100 <= scaled ? Math.round(scaled) : scaled.toFixed(1)} ${steps[step]}`;
}

/** A whole number with commas. By hand, because the first use of a locale takes 20 ms. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** So many things in words: `1 log`, `2,000 logs`. */
export function counted(count: number, thing: string): string {
  return `${grouped(count)} ${thing}${count === 1 ? '' : 's'}`;
}

/** A time span for people: `0.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min`. */
export function duration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
