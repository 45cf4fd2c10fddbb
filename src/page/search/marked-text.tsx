import type { Span } from '../../language/index.ts';
import { visible } from '../format/visible.ts';

interface MarkedTextProps {
  readonly text: string;
  /** Sorted and disjoint. */
  readonly spans: readonly Span[];
}

/** A text with its matches marked. */
export function HighlightedText({ text, spans }: MarkedTextProps) {
  if (spans.length === 0) return <>{visible(text)}</>;
  const pieces = spans.map(({ from, to }, index) => (
    <span key={from}>
      {visible(text.slice(spans[index - 1]?.to ?? 0, from))}
      <mark>{visible(text.slice(from, to))}</mark>
    </span>
  ));
  return (
    <>
      {pieces}
      {visible(text.slice(spans.at(-1)?.to ?? 0))}
    </>
  );
}
