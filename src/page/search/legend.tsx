import type { Answers } from '../../server/index.ts';
import { colourClass } from '../format/levels.ts';
import { visible } from '../format/visible.ts';

type HistogramData = Answers['histogram']['result'];

/** Longest label, in UTF-16 units. */
const longest = 40;

/** The colours of the bars, and those of incomplete times. */
export function Legend({ data: { buckets } }: { readonly data: HistogramData }) {
  const [first] = buckets;
  const values = (first?.values ?? []).map(({ value }, index) => ({
    label: value === undefined ? '(none)' : visible(String(value)).slice(0, longest),
    look: colourClass(value, index),
  }));
  const hasOthers = buckets.some(({ others }) => others !== undefined && 0 < others);
  const isKnown = (state: string) => buckets.some(({ known }) => known === state);
  if (values.length === 0) return null;
  return (
    <ul class="legend" aria-label="Colours of the bars">
      {values.map(({ label, look }) => (
        <li key={label} class={look}>
          {label}
        </li>
      ))}
      {hasOthers && <li class={colourClass('others', values.length)}>others</li>}
      {isKnown('capped') && <li class="legend-capped">incomplete</li>}
      {isKnown('open') && <li class="legend-open">not exported</li>}
      {(isKnown('never') || isKnown('partly')) && <li class="legend-never">never requested</li>}
    </ul>
  );
}
