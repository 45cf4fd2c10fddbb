import { analyze } from '../analyzer/analyze.ts';
import { lowerCase } from '../analyzer/lower-case.ts';
import { holdsTerm, type Interval } from './interval.ts';

/** Tokens for an example that no filter mentions, plain ones first. */
const plain = ['x', 'y', 'z', 'other', 'a', '0', '9', 'A', 'Z', '~', '中', '😀'];

/** Continuations of a prefix, from all over the order of code points. */
const endings = [
  ...['', 'a', '0', 'x', 'z', '9', '_', 'A', 'Z', ' ', '!', '~', 'é', '中', '😀'],
  ...['.0', '.a', "'a", ':a', '.x', '-'],
];

/** The number of positions tried at the start and at the end of a long bound. */
const places = 8;

/**
 * Yields texts in an interval of terms, plain ones first. Nearly every non-empty interval has
 * some; they are not complete.
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

/** The prefix lengths of a bound that are tried, the longest first. */
function lengths({ length }: string): number[] {
  const all = Array.from({ length: length + 1 }, (_, place) => length - place);
  return all.filter((prefix) => length - prefix <= places || prefix <= places);
}

/** Returns whether the standard analyzer makes one identical token of a text. */
export function isToken(text: string): boolean {
  const [token, second] = analyze(text);
  return token === text && second === undefined;
}

/** Returns whether certainly no text has such a token: tokens are in lower case, without white space. */
export function isNeverToken(term: string): boolean {
  return term === '' || /\s/.test(term) || lowerCase(term) !== term;
}
