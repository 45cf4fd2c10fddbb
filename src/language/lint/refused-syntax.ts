import { analyze } from '../meaning/analyze.ts';
import type { Fix } from '../parse/finding.ts';
import { withoutEscapes } from '../parse/lex.ts';
import type { Clause, Item, Regexp, Token, Wildcard, Word } from '../parse/tree.ts';
import type { QuotePair, SplitConstruct } from './constructs.ts';
import { askField, bracketFix, quoteFix, quotePasted, serverFix, straightenQuotes } from './fixes.ts';
import { isRefusedToken } from './refused.ts';
import type { ClausePosition, LintContext, LintRule } from './rule.ts';
import { literalsOf, phraseFix } from './unmatchable-pattern.ts';
import { quoteName } from './wording.ts';

/**
 * Wildcards, boosts and plus signs. The deployment refuses a search with an
 * unquoted, unescaped `?`, `*`, `^` or `+` (section 3 of the language specification).
 */
export const refusedSyntax: LintRule = {
  code: 'refused-syntax',
  heading: 'The server refuses this character',
  severity: 'error',
  clause: (clause, context, position) => {
    if (context.dialect !== 'lucene') checkClause(clause, position, context);
  },
};

function checkClause(clause: Clause, { level, construct }: ClausePosition, context: LintContext): void {
  const { modifier, field, item } = clause;
  const { report } = context;
  if (modifier && isRefusedToken(modifier)) {
    report(modifier, 'The server refuses a plus sign; AND makes a part required', () =>
      serverFix(level, context),
    );
  }
  if (field && isRefusedToken(field.name)) {
    report(field.name, `The server refuses ${quoteName(field.name.text)} as the name of a field`, () =>
      construct ? fixesOf(construct, field.name, context) : [],
    );
  }
  checkItem(item, construct, context);
  for (const suffix of suffixesOf(item)) {
    if (!isRefusedToken(suffix)) continue;
    report(suffix, suffixMessage(suffix), () => [removal(suffix, context.text())]);
  }
}

function checkItem(item: Item, construct: SplitConstruct | undefined, context: LintContext): void {
  // The parser has reported a broken value, with a fix for all of it.
  if (construct?.kind === 'pasted' && construct.isBroken) return;
  if (item.kind !== 'Wildcard' && item.kind !== 'Word' && item.kind !== 'Regexp') return;
  const { term } = item;
  if (!isRefusedToken(term)) return;
  context.report(term, messageFor(item.kind, term), () =>
    construct ? fixesOf(construct, term, context) : quotesFor(item),
  );
}

/** The fixes of a split construct: they put the refused character into quotes or brackets. */
function fixesOf(construct: SplitConstruct, term: Token, context: LintContext): readonly Fix[] {
  switch (construct.kind) {
    case 'pasted':
      return quotePasted(construct);
    case 'quotes':
      return isOutside(term, construct, context.text()) ? [] : straightenQuotes(construct, context.text());
    case 'missing colon':
      return [askField(construct)];
    case 'bare range':
      return [bracketFix(construct, context)];
  }
}

/** Returns whether the refused character of a term stands outside the quotes, where they do not protect it. */
function isOutside({ from, to }: Token, { open, close }: QuotePair, text: string): boolean {
  return /[?*^+]/.test(text.slice(from, open.from) + text.slice(close.to, Math.max(close.to, to)));
}

function messageFor(kind: 'Wildcard' | 'Word' | 'Regexp', { text }: Token): string {
  switch (kind) {
    case 'Wildcard':
      return `The server refuses ${quoteName(text)}: it has no wildcards and finds whole words only`;
    case 'Word':
      return `The server refuses a plus sign without quotes, as in ${quoteName(text)}`;
    case 'Regexp':
      return `The server refuses ${quoteName(text)}: it has no regular expressions`;
  }
}

/**
 * In quotes the characters are harmless. Without a letter or a digit there would be nothing to search for. Of an
 * expression with open ends, such as `.*timed out.*`, the phrase is left.
 */
function quotesFor(item: Wildcard | Word | Regexp): Fix[] {
  const { term } = item;
  const phrase = item.kind === 'Regexp' && term.text.includes('.*') ? literalsOf(item).phrase : undefined;
  if (phrase !== undefined && 0 < analyze(phrase).length) return [phraseFix(item, phrase)];
  return /[\p{L}\p{N}]/u.test(term.text) ? [quoteFix(term, withoutEscapes(term.text).text)] : [];
}

function suffixMessage({ kind, text }: Token): string {
  return `The server refuses ${quoteName(text)}${kind === 'Boost' ? '; a boost changes no result' : ''}`;
}

/** Removes a suffix. A blank keeps the parts on both sides apart. */
function removal({ from, to }: Token, text: string): Fix {
  const isApart = /^[\s)~^]?$/.test(text.charAt(to));
  return { title: 'Remove it', edits: [{ from, to, insert: isApart ? '' : ' ' }] };
}

/** The distances and boosts behind an item. */
function suffixesOf(item: Item): readonly Token[] {
  if ('suffixes' in item) return item.suffixes;
  const boost = item.kind === 'Group' || item.kind === 'Range' ? item.boost : undefined;
  return boost ? [boost] : [];
}
