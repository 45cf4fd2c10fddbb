import type { Fix } from '../parse/finding.ts';
import { quote } from '../parse/quote.ts';
import type { Pasted } from './pasted.ts';
import { quoteFix } from './quote-fix.ts';

/** Puts quotes around a pasted value, or around each of several whose slashes enclose the blanks between them. */
export function quotePasted({ from, to, value, look }: Pasted): Fix[] {
  const text = value();
  const pieces = text.split(/(\s+)/);
  if (look || pieces.length === 1) return [quoteFix({ from, to }, text)];
  // The words between the paths must be plain.
  const isClear = pieces.every((piece) => piece.includes('/') || /^\s*$|^[\p{L}\p{N}_.,]+$/u.test(piece));
  if (!isClear) return [];
  const insert = pieces.map((piece) => (piece.includes('/') ? quote(piece) : piece)).join('');
  return [{ title: 'Put the paths in quotes', edits: [{ from, to, insert }] }];
}
