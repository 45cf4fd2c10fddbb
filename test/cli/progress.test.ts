import { describe, expect, test, vi } from 'vitest';
import {
  displayProgress,
  formatAmount,
  formatDuration,
  progressLine,
} from '../../src/cli/terminal/progress.ts';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';
import { toStyle } from '../../src/cli/terminal/text.ts';

describe('a line of progress', () => {
  test.each([
    [{ doing: 'Waiting' }, 3000, 'Waiting … 3.0 s'],
    [{ doing: 'Loading a\nb\u001b[31m', note: '\u0007' }, 3000, 'Loading a\\nb\\x1b[31m … 3.0 s'],
    [{ doing: 'Loading', done: 12_345, unit: 'logs' }, 0, 'Loading … 12,345 logs'],
    [{ doing: 'Loading', done: 12_000, unit: 'logs' }, 2000, 'Loading … 12,000 logs, 6,000 logs/s'],
    [
      { doing: 'Downloading', done: 1_000_000, total: 4_000_000, unit: 'B' },
      1000,
      'Downloading … 1.0 MB of 4.0 MB (25 %), 1.0 MB/s, 3.0 s left',
    ],
    [{ doing: 'Downloading', done: 0, total: 0, unit: 'B' }, 0, 'Downloading … 0 B of 0 B (100 %)'],
  ])('%j after %i ms', (progress, milliseconds, line) => {
    expect(progressLine(progress, { milliseconds, since: 0 })).toBe(line);
  });
});

test.each([
  [999, '999 B'],
  [1000, '1.0 kB'],
  [123_456, '123 kB'],
  [5e13, '50.0 TB'],
])('%i bytes are %s', (bytes, text) => {
  expect(formatAmount(bytes, 'B')).toBe(text);
});

test.each([
  [80, '0.1 s'],
  [12_000, '12 s'],
  [200_000, '3 min 20 s'],
  [7_500_000, '2 h 5 min'],
])('%i ms are %s', (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text);
});

describe('the display of progress', () => {
  /** Lines that are shown while a minute of work reports itself every 50 ms. */
  function minuteOfWork(width: number | undefined): { shown: number; said: number } {
    const counts = { shown: 0, said: 0 };
    let now = 0;
    const face = { width, style: toStyle(false) };
    const terminal: Pick<Terminal, 'message' | 'show' | 'stderr'> = {
      message: () => {
        counts.said += 1;
      },
      show: () => {
        counts.shown += 1;
      },
      stderr: face,
    };
    const display = displayProgress(terminal, () => now);
    for (; now < 60_000; now += 50) display.update({ doing: 'Working', done: now, unit: 'things' });
    display.end();
    return counts;
  }

  test('is renewed often in a terminal', () => {
    const { shown, said } = minuteOfWork(80);
    expect(said).toBe(0);
    expect(shown).toBeGreaterThan(300);
    expect(shown).toBeLessThanOrEqual(602);
  });

  test('is a line now and then anywhere else', () => {
    expect(minuteOfWork(undefined).said).toBe(5);
  });

  test('goes on while the work itself says nothing', async () => {
    vi.useFakeTimers();
    const lines: string[] = [];
    const face = { width: undefined, style: toStyle(false) };
    const display = displayProgress(
      { message: (line) => void lines.push(line), show: () => {}, stderr: face },
      () => Date.now(),
    );
    display.update({ doing: 'Waiting for the job' });
    vi.advanceTimersByTime(25_000);
    expect(lines).toEqual(['Waiting for the job … 10 s', 'Waiting for the job … 20 s']);
    display.end();
    vi.advanceTimersByTime(60_000);
    expect(lines.length).toBe(2);
    vi.useRealTimers();
  });
});
