import { explicit } from '../meaning/explicit.ts';
import type { Reading } from '../meaning/resolve.ts';
import type { Fix } from '../parse/finding.ts';
import { hasUnescaped, quote, withoutEscapes } from '../parse/lex.ts';
import { parse } from '../parse/parse.ts';
import type { Clause, Part, Span } from '../parse/tree.ts';
import { boundFields } from './clause.ts';
import { type BareRange, isLoneSign, type MissingColon, type Pasted, type QuotePair } from './constructs.ts';
import { type LevelMember, type QueryLevel, startOf } from './level.ts';
import { queryOfParts } from './readings.ts';
import { refusedCharacters } from './refused.ts';
import type { QueryView } from './rule.ts';

/** Joins a field and its value with a colon. */
export function askField({ from, to, ...missingColon }: MissingColon): Fix {
  return { title: 'Ask the field', edits: [{ from, to, insert: asClause(missingColon) }] };
}

function asClause({ field, sign, value }: Pick<MissingColon, 'field' | 'sign' | 'value'>): string {
  if (/[<>]/.test(sign)) return `${field}:${comparisonAsRange(sign, value)}`;
  return `${sign === '!=' ? 'NOT ' : ''}${field}:${valueText(value)}`;
}

/** A sign in front of a number would be an operator, and the deployment refuses some characters without quotes. */
function valueText(value: string): string {
  if (value.startsWith('"')) return value;
  const isSafe = !/^[-+]/.test(value) && !hasUnescaped(value, refusedCharacters);
  return isSafe ? value : quote(withoutEscapes(value).text);
}

/** The range that a comparison stands for, which every engine reads alike: `{5 TO *}` for `> 5`. */
export function comparisonAsRange(sign: string, value: string): string {
  switch (sign) {
    case '>':
      return `{${value} TO *}`;
    case '>=':
      return `[${value} TO *]`;
    case '<':
      return `{* TO ${value}}`;
    default:
      return `[* TO ${value}]`;
  }
}

/** Puts brackets around a range that has none. */
export function bracketFix(
  { from, to, lower, upper, first }: BareRange,
  { schema, targets }: QueryView,
): Fix {
  // A range over all default fields is rarely meant, so the first field that can have the bounds is named, a default one if possible.
  const [field] = [schema.defaults, schema.fields.values()].flatMap((fields) =>
    boundFields([lower, upper], fields),
  );
  const name = targets(first).named === undefined && field ? `${field.name}:` : '';
  return { title: 'Make it a range', edits: [{ from, to, insert: `${name}[${lower} TO ${upper}]` }] };
}

/** A fix that asks for a value as it is, in quotes, where something else was written for it. */
export function quoteFix({ from, to }: Span, value: string): Fix {
  return { title: 'Put it in quotes', edits: [{ from, to, insert: quote(value) }] };
}

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

/** Makes a phrase of the text between two marks that do not quote, if it can be one. `text` is the whole query. */
export function straightenQuotes({ open, close }: QuotePair, text: string): Fix[] {
  const quoted = text.slice(open.to, close.from);
  // An empty text makes no phrase.
  if (quoted === '' || /["]|\\$/.test(quoted)) return [];
  const edits = [open, close].map(({ from, to }) => ({ from, to, insert: '"' }));
  return [{ title: 'Change them to straight double quotes', edits, isSafe: true }];
}

/** A fix that makes alternatives of the words of a run, each a clause of its own. */
export function orFix({ clauses }: LevelMember): Fix {
  const edits = clauses.slice(1).map(({ from }) => ({ from, to: from, insert: 'OR ' }));
  return { title: 'Put OR between them', edits };
}

/**
 * A fix that removes neighbours from a list of clauses, with their operators.
 * None if nothing would be left, or if words on both sides would become one run.
 */
export function removeClauses(parts: readonly Part[], clauses: readonly Clause[]): Fix[] {
  const [first, last] = [clauses[0], clauses.at(-1)];
  if (!first || !last) return [];
  const before = parts[parts.indexOf(first) - 1];
  const after = parts[parts.indexOf(last) + 1];
  if (joins(before, after) && !clauses.every(isPlainClause)) return [];
  if (before) {
    // A blank keeps the parts on both sides apart, and a lone sign a word.
    const needsBlank = after ? after.from === last.to : isLoneSign(before);
    return [removal(before.to, last.to, needsBlank ? ' ' : '')];
  }
  return after?.kind === 'Clause' ? [removal(first.from, startOf(after), '')] : [];
}

function removal(from: number, to: number, insert: string): Fix {
  return { title: 'Remove it', edits: [{ from, to, insert }] };
}

function joins(before: Part | undefined, after: Part | undefined): boolean {
  return (
    before?.kind === 'Clause' && after?.kind === 'Clause' && isPlainClause(before) && isPlainClause(after)
  );
}

function isPlainClause({ conjunction, modifier, field, item }: Clause): boolean {
  return !conjunction && !modifier && !field && item.kind === 'Word';
}

/** The longest level that is rewritten, in UTF-16 units: nobody could check the result of a longer one. */
export const longestRewritten = 2000;

/**
 * Fixes that write a level in the safe form of section 2.2 of the language
 * specification: as a person reads it, and as the server does. The latter never
 * changes which logs are found.
 */
export function rewriteFixes(level: QueryLevel, view: QueryView): Fix[] {
  // In a person's reading a plus has no effect, which nobody who writes one means.
  const hasPlus = level.members.some(({ modifier }) => modifier === 'required');
  const meant = hasPlus ? [] : rewrite('ordinary', { level, view, title: 'Write what was probably meant' });
  return [...meant, ...serverFix(level, view)];
}

/** A fix that writes a level as the server reads it, without a plus. */
export function serverFix(level: QueryLevel, view: QueryView): Fix[] {
  return rewrite('server', { level, view, title: 'Write what the server does' });
}

interface Rewriting {
  readonly level: QueryLevel;
  readonly view: QueryView;
  readonly title: string;
}

function rewrite(reading: Reading, { level, view, title }: Rewriting): Fix[] {
  const { parts } = level;
  const [from, to] = [parts[0]?.from ?? 0, parts.at(-1)?.to ?? 0];
  if (longestRewritten < to - from || !isSoundThroughout(level, view)) return [];
  const original = view.text().slice(from, to);
  const { text } = explicit(queryOfParts(parts), {
    schema: { fields: view.schema.fields, defaults: view.searched(level) },
    now: view.now,
    reading,
    // One line stays one line.
    ...(original.includes('\n') ? {} : { width: Number.POSITIVE_INFINITY }),
  });
  // A part that is no query in itself has no meaning to write out.
  return text === original || 0 < parse(text).findings.length
    ? []
    : [{ title, edits: [{ from, to, insert: text }] }];
}

/** Returns whether the level and all levels inside it are sound. */
function isSoundThroughout({ sound, members }: QueryLevel, view: QueryView): boolean {
  return (
    sound &&
    members.every(
      ({ clauses: [{ item }] }) => item.kind !== 'Group' || isSoundThroughout(view.level(item), view),
    )
  );
}
