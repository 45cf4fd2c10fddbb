import type { Fix } from '../../../language/finding.ts';
import type { QuotePair } from '../views/quote-pairs.ts';

/** Makes a phrase of what stands between two quotes that do not quote, where that can be one. `text` is the whole query. */
export function straightQuotes({ open, close }: QuotePair, text: string): Fix[] {
  if (/["]|\\$/.test(text.slice(open.to, close.from))) return [];
  const edits = [open, close].map(({ from, to }) => ({ from, to, insert: '"' }));
  return [{ title: 'Change them to straight double quotes', edits }];
}
