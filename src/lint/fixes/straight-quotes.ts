import type { Fix } from '../../language/finding.ts';
import type { QuotePair } from '../views/quote-pairs.ts';

/** Makes a phrase of what stands between two quotes that do not quote, where that can be one. `text` is the whole query. */
export function straightQuotes({ open, close }: QuotePair, text: string): Fix[] {
  const quoted = text.slice(open.to, close.from);
  // Nothing between them is no phrase, and quotes nothing that is refused.
  if (quoted === '' || /["]|\\$/.test(quoted)) return [];
  const edits = [open, close].map(({ from, to }) => ({ from, to, insert: '"' }));
  return [{ title: 'Change them to straight double quotes', edits }];
}
