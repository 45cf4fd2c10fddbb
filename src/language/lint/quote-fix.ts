import type { Fix } from '../parse/finding.ts';
import { quote } from '../parse/quote.ts';
import type { Span } from '../parse/tree.ts';

/** A fix that asks for a value as it is, in quotes, where something else was written for it. */
export function quoteFix({ from, to }: Span, value: string): Fix {
  return { title: 'Put it in quotes', edits: [{ from, to, insert: quote(value) }] };
}
