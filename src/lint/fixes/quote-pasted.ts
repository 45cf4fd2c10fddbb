import type { Fix } from '../../language/finding.ts';
import { quote } from '../../language/quote.ts';
import type { Pasted } from '../views/pasted.ts';
import { quoteFix } from './quote-fix.ts';

/** Puts quotes around a pasted value, or, when slashes of two values have swallowed the blanks between them, around each of these. */
export function quotePasted({ from, to, value, look }: Pasted): Fix[] {
  const text = value();
  const pieces = text.split(/(\s+)/);
  if (look || pieces.length === 1) return [quoteFix({ from, to }, text)];
  // The words between must mean nothing to the grammar.
  const isClear = pieces.every((piece) => piece.includes('/') || /^\s*$|^[\p{L}\p{N}_.,]+$/u.test(piece));
  if (!isClear) return [];
  const insert = pieces.map((piece) => (piece.includes('/') ? quote(piece) : piece)).join('');
  return [{ title: 'Put the paths in quotes', edits: [{ from, to, insert }] }];
}
