/** Frames shown before a run of frames is folded. */
const shownFrames = 3;

/** A line of a stack trace that names a frame. */
const frame = /^\s+at\s/;

/**
 * Folds a stack trace: of each run of frames only the first are shown, then a line such as
 * "… 12 more". Lines that are no frames, such as causes, all stay.
 */
export function foldStackTrace(text: string): string {
  const lines: string[] = [];
  let run = 0;
  const endRun = () => {
    if (shownFrames < run) lines.push(`    … ${run - shownFrames} more`);
    run = 0;
  };
  for (const line of text.split(/\r?\n/)) {
    if (!frame.test(line)) endRun();
    else if (shownFrames < ++run) continue;
    lines.push(line);
  }
  endRun();
  return lines.join('\n');
}
