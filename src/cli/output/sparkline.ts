const bars = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** Draws counts as bars of one character each, the largest at full height; nothing is a blank. */
export function drawSparkline(counts: readonly number[]): string {
  const most = Math.max(0, ...counts);
  return counts
    .map((count) => (count === 0 ? ' ' : (bars[Math.ceil((count / most) * bars.length) - 1] ?? ' ')))
    .join('');
}
