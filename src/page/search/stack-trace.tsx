import { useState } from 'preact/hooks';
import { visible } from '../format/visible.ts';

/** Frames of a run that are shown before the rest is folded. */
const shownFrames = 3;

interface FrameRun {
  readonly isFrames: boolean;
  readonly lines: readonly string[];
}

/** A stack trace whose long runs of frames are folded. */
export function StackTrace({ text }: { readonly text: string }) {
  return (
    <>
      {runsOf(text).map((run, index) => (
        <Frames key={index} {...run} />
      ))}
    </>
  );
}

function Frames({ isFrames, lines }: FrameRun) {
  const [isOpen, setOpen] = useState(false);
  const rest = isFrames ? lines.length - shownFrames : 0;
  const shown = isOpen || rest <= 0 ? lines : lines.slice(0, shownFrames);
  return (
    <>
      <pre class={isFrames ? 'frames' : 'cause'}>{visible(shown.join('\n'))}</pre>
      {0 < rest && (
        <button type="button" class="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Fold' : `… ${rest} more frames`}
        </button>
      )}
    </>
  );
}

function runsOf(text: string): readonly FrameRun[] {
  const runs: { isFrames: boolean; lines: string[] }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const isFrames = /^\s+at\s/.test(line);
    const last = runs.at(-1);
    if (last?.isFrames === isFrames) last.lines.push(line);
    else runs.push({ isFrames, lines: [line] });
  }
  return runs;
}
