import { analyze } from '../../meaning/analyzer/analyze.ts';
import { lowerCase } from '../../meaning/analyzer/lower-case.ts';
import { holdsTerm, type Interval } from './interval.ts';

/** Words for what no filter names: plain ones first. */
const plain = ['x', 'y', 'z', 'other', 'a', '0', '9', 'A', 'Z', '~', '中', '😀'];

/** What may follow the beginning of a text: from all over the order of code points. */
const endings = [
  ...['', 'a', '0', 'x', 'z', '9', '_', 'A', 'Z', ' ', '!', '~', 'é', '中', '😀'],
  ...['.0', '.a', "'a", ':a', '.x', '-'],
];

/** No more than this many of the first and of the last places of a long bound are tried. */
const places = 8;

/**
 * Texts in an interval of terms, plain ones first. There are some in nearly
 * every interval that has any, but they are not all.
 */
export function* textsIn(interval: Interval<string>): Generator<string> {
  const { from = '', to = '' } = interval;
  for (const text of plain) if (holdsTerm(interval, text)) yield text;
  for (const bound of from === to ? [from] : [from, to]) {
    for (const length of lengths(bound)) {
      const beginning = bound.slice(0, length);
      // Half a surrogate pair is no text.
      if (!beginning.isWellFormed()) continue;
      for (const ending of endings) {
        if (holdsTerm(interval, beginning + ending)) yield beginning + ending;
      }
    }
  }
}

/** How much of a bound to keep: all of it, then less and less. */
function lengths({ length }: string): number[] {
  const all = Array.from({ length: length + 1 }, (_, place) => length - place);
  return all.filter((kept) => length - kept <= places || kept <= places);
}

/** Whether a text is one token of the standard analyzer as it stands. */
export function isToken(text: string): boolean {
  const [token, second] = analyze(text);
  return token === text && second === undefined;
}

/** Whether certainly no text has a token like this one: tokens are in lower case, without white space. */
export function isNeverToken(term: string): boolean {
  return term === '' || /\s/.test(term) || lowerCase(term) !== term;
}
