import type { Fix } from '../parse/finding.ts';
import type { QuotePair } from './quote-pairs.ts';

/** Makes a phrase of the text between two marks that do not quote, if it can be one. `text` is the whole query. */
export function straightenQuotes({ open, close }: QuotePair, text: string): Fix[] {
  const quoted = text.slice(open.to, close.from);
  // An empty text makes no phrase.
  if (quoted === '' || /["]|\\$/.test(quoted)) return [];
  const edits = [open, close].map(({ from, to }) => ({ from, to, insert: '"' }));
  return [{ title: 'Change them to straight double quotes', edits, isSafe: true }];
}
