import { hasUnescaped, withoutEscapes } from '../parse/escape.ts';
import type { Fix } from '../parse/finding.ts';
import { quote } from '../parse/quote.ts';
import { comparisonAsRange } from './comparison-as-range.ts';
import type { MissingColon } from './missing-colon.ts';
import { refusedCharacters } from './refused-token.ts';

/** Joins a field and its value with a colon. */
export function askField({ from, to, ...missingColon }: MissingColon): Fix {
  return { title: 'Ask the field', edits: [{ from, to, insert: asClause(missingColon) }] };
}

function asClause({ field, sign, value }: Pick<MissingColon, 'field' | 'sign' | 'value'>): string {
  if (/[<>]/.test(sign)) return `${field}:${comparisonAsRange(sign, value)}`;
  return `${sign === '!=' ? 'NOT ' : ''}${field}:${asked(value)}`;
}

/** A sign in front of a number would be an operator, and the deployment refuses some characters without quotes. */
function asked(value: string): string {
  if (value.startsWith('"')) return value;
  const isSafe = !/^[-+]/.test(value) && !hasUnescaped(value, refusedCharacters);
  return isSafe ? value : quote(withoutEscapes(value).text);
}
