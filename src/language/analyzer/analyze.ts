import { lowerCase } from './lower-case.ts';
import { tokenBounds } from './scan.ts';

/** A token and its span in the text, in UTF-16 offsets. */
export interface TokenSpan {
  readonly term: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the tokens of a text, in order and in lower case, as the engine's standard analyzer without stop
 * words. See section 4 of the language specification. The position of a token
 * is its index: the analyzer leaves no gaps.
 *
 * One difference is deliberate. For a text that ends in the first half of a surrogate pair, the
 * engine loses its last buffer, up to 255 units. This function loses nothing. No text in UTF-8
 * ends that way.
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

/**
 * Returns the tokens of `analyze` with their spans, for a highlighter.
 *
 * ```ts
 * analyzeSpans('foo-bar').map(({ term }) => term); // ['foo', 'bar']
 * ```
 */
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
