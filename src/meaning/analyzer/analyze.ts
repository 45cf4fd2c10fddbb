import { lowerCase } from './lower-case.ts';
import { tokenBounds } from './scan.ts';

/** A token and the place in the text that it was made of, as UTF-16 offsets. */
export interface TokenSpan {
  readonly term: string;
  readonly from: number;
  readonly to: number;
}

/**
 * The tokens of a text, in order and in lower case, exactly as the engine's
 * standard analyzer makes them, without stop words (section 4 of the language
 * specification). The position of a token is its index: that analyzer leaves
 * no gaps between positions.
 *
 * One difference is meant: where a text ends in the first half of a surrogate
 * pair, the engine loses the part that it read last, up to 255 units. Here
 * nothing is lost. No text in UTF-8 ends like that.
 *
 * ```ts
 * analyze('at com.vendor.Foo(Foo.java:42)'); // ['at', 'com.vendor.foo', 'foo.java', '42']
 * ```
 */
export function analyze(text: string): readonly string[] {
  const lower = lowerCase(text);
  const bounds = tokenBounds(text);
  const tokens: string[] = [];
  for (let i = 0; i < bounds.length; i += 2) tokens.push(lower.slice(bounds[i], bounds[i + 1]));
  return tokens;
}

/** The tokens of a text, as `analyze` makes them, each with its place: what a highlighter marks. */
export function analyzeSpans(text: string): readonly TokenSpan[] {
  const lower = lowerCase(text);
  const bounds = tokenBounds(text);
  const spans: TokenSpan[] = [];
  for (let i = 0; i < bounds.length; i += 2) {
    const from = bounds[i] ?? 0;
    const to = bounds[i + 1] ?? 0;
    spans.push({ term: lower.slice(from, to), from, to });
  }
  return spans;
}
