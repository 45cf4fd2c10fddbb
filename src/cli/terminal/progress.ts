import type { Terminal } from './terminal.ts';
import { escapeUnsafe, toJson } from './text.ts';

/** Progress of long work. */
export interface Progress {
  /** Activity, such as "Downloading". */
  readonly doing: string;
  readonly done?: number;
  /** Total amount, if known. */
  readonly total?: number;
  /** Remark at the end of the line. */
  readonly note?: string;
  /** Unit: `B` for bytes, else a noun such as "logs". */
  readonly unit?: string;
}

/** Display of the progress of long work. */
export interface ProgressDisplay {
  readonly update: (progress: Progress) => void;
  /** Clears the display. */
  readonly end: () => void;
}

/** Intervals of updates in milliseconds, for a terminal and for a file or pipe. */
const pauses = { terminal: 100, other: 10_000 } as const;

/** Shows progress on the standard error. The clock counts milliseconds. */
export function displayProgress(
  terminal: Pick<Terminal, 'message' | 'show' | 'stderr'>,
  clock: () => number = () => performance.now(),
): ProgressDisplay {
  const isTerminal = terminal.stderr.width !== undefined;
  const pause = isTerminal ? pauses.terminal : pauses.other;
  let begin = { doing: '', at: clock(), done: 0 };
  let last: Progress | undefined;
  let updated = clock();
  const draw = (progress: Progress) => {
    updated = clock();
    const line = progressLine(progress, { milliseconds: updated - begin.at, since: begin.done });
    if (isTerminal) terminal.show(line);
    else terminal.message(line);
  };
  // Repeats the last update while the work waits, to show that it is alive.
  const timer = setInterval(
    () => last && pause <= clock() - updated && draw(last),
    10 * pauses.terminal,
  ).unref();
  return {
    update(progress) {
      const changed = progress.doing !== begin.doing;
      if (changed) begin = { doing: progress.doing, at: clock(), done: progress.done ?? 0 };
      last = progress;
      if (pause <= clock() - updated || (changed && isTerminal)) draw(progress);
    },
    end() {
      clearInterval(timer);
      last = undefined;
      terminal.show('');
    },
  };
}

/** Elapsed milliseconds, and the amount done at the beginning. */
export interface Elapsed {
  readonly milliseconds: number;
  readonly since: number;
}

/** Formats progress as one line: activity, amount, rate and remaining time. */
export function progressLine(progress: Progress, { milliseconds, since }: Elapsed): string {
  const { done, total, note, unit = '' } = progress;
  // The activity may contain file names.
  const doing = escapeUnsafe(progress.doing);
  if (done === undefined) return `${doing} … ${formatDuration(milliseconds)}`;
  const rate = milliseconds < 500 ? 0 : ((done - since) * 1000) / milliseconds;
  return [
    `${doing} … ${total === undefined ? formatAmount(done, unit) : share(done, total, unit)}`,
    ...(0 < rate ? [`${formatAmount(rate, unit)}/s`] : []),
    ...(0 < rate && total !== undefined && done < total
      ? [`${formatDuration(((total - done) / rate) * 1000)} left`]
      : []),
    ...(note === undefined ? [] : [escapeUnsafe(note)]),
  ].join(', ');
}

function share(done: number, total: number, unit: string): string {
  const percent = total === 0 ? 100 : Math.floor((100 * Math.min(done, total)) / total);
  return `${formatAmount(done, unit)} of ${formatAmount(total, unit)} (${percent} %)`;
}

/** Formats an amount: `1,234 logs`, `3.4 MB`. */
export function formatAmount(value: number, unit: string): string {
  if (unit !== 'B') return `${formatNumber(Math.round(value))} ${unit}`.trim();
  const steps = ['B', 'kB', 'MB', 'GB', 'TB'];
  const step = Math.min(steps.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, value)) / 3)));
  const scaled = value / 1000 ** step;
  return `${step === 0 || 100 <= scaled ? Math.round(scaled) : scaled.toFixed(1)} ${steps[step]}`;
}

/** Formats a whole number with commas. Not by Intl, whose first use takes 20 ms. */
export function formatNumber(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Formats a count with its noun: `1 log`, `2,000 logs`. */
export function formatCount(count: number, thing: string): string {
  return `${formatNumber(count)} ${thing}${count === 1 ? '' : 's'}`;
}

/** Formats a duration in milliseconds: `0.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatDuration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Prints events as they arrive, each as a line of JSON. */
export function printEventLines({ print }: Pick<Terminal, 'print'>) {
  const lines: Promise<void>[] = [];
  return {
    /** Prints an event; undefined prints nothing. */
    add(event: object | undefined): void {
      // A closed pipe is reported when the result is printed.
      if (event !== undefined) lines.push(print(`${toJson(event)}\n`).catch(() => {}));
    },
    /** Waits until all events are printed. */
    async printed(): Promise<void> {
      await Promise.all(lines);
    },
  };
}

/** Buffer size in UTF-16 units: a write for each line would take most of the time. */
const writeLength = 65_536;

/** Prints pieces of text as they arrive, no faster than the reader takes them. */
export async function printPieces(pieces: AsyncIterable<string>, terminal: Terminal): Promise<void> {
  let waiting: string[] = [];
  let length = 0;
  for await (const piece of pieces) {
    waiting.push(piece);
    length += piece.length;
    if (length < writeLength) continue;
    await terminal.print(waiting.join(''));
    waiting = [];
    length = 0;
  }
  if (0 < length) await terminal.print(waiting.join(''));
}
