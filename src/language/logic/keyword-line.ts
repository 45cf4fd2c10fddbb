import { compareCodePoints } from '../meaning/match.ts';
import { type Interval, nextTerm, termInterval } from './interval.ts';
import type { ValueLine } from './line-theory.ts';
import { textsFitting } from './pattern-samples.ts';
import { textsIn } from './term-samples.ts';

/** The values of a keyword field: any texts, in the order of code points. */
export const keywordLine: ValueLine<string> = {
  compare: compareCodePoints,
  interval: termInterval,
  valuesIn,
  valuesFitting: textsFitting,
  onlyValue: ({ from, to }) => (from !== undefined && to === nextTerm(from) ? from : undefined),
};

function valuesIn(interval: Interval<string>): string[] {
  const { from = '', to } = interval;
  // The lower end of a non-empty interval is in it, but rarely the plainest value.
  const first = to === undefined || compareCodePoints(from, to) < 0 ? [from] : [];
  const texts = [...textsIn(interval)].filter((text) => text !== '');
  return [...texts.sort((a, b) => a.length - b.length), ...first];
}
