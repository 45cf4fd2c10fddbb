import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { formatNumber } from '../format/numbers.ts';

/** Longest text that is shown at once, in UTF-16 units: a browser takes seconds to lay out a megabyte. */
const longest = 8000;

interface LongTextProps {
  readonly text: string;
  /** Draws the text or its beginning. */
  readonly draw: (text: string) => ComponentChildren;
}

/** A text, of a long one the beginning with a button for all of it. */
export function LongText({ text, draw }: LongTextProps) {
  const [isWhole, setWhole] = useState(false);
  if (isWhole || text.length <= longest) return <>{draw(text)}</>;
  return (
    <>
      {draw(text.slice(0, longest))}…{' '}
      <button type="button" class="small" onClick={() => setWhole(true)}>
        All {formatNumber(text.length)} characters
      </button>
    </>
  );
}
