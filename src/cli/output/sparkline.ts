const bars = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** Draws counts as bars of one character each, the largest at full height; nothing is a blank. */
export function drawSparkline(counts: readonly number[]): string {
  const max = Math.max(0, ...counts);
  return counts
    .map((count) => (count === 0 ? ' ' : (bars[Math.ceil((count / max) * bars.length) - 1] ?? ' ')))
    .join('');
}
