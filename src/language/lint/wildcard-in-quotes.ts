import { analyze } from '../meaning/analyze.ts';
import type { Fix } from '../parse/finding.ts';
import { withoutQuotes } from '../parse/lex.ts';
import type { Phrase } from '../parse/tree.ts';
import type { LintContext, LintRule } from './rule.ts';
import { phraseFix, phraseInRegexp } from './unmatchable-pattern.ts';
import { quoteName } from './wording.ts';

/**
 * A `*` or `?` on a word in quotes, as in `"time*"`. In quotes it is a mark like any other, which no token has
 * (sections 4 and 6 of the language specification). Escaped ones, lone ones and several in a row are meant as
 * such, and so is a `?` in an address.
 */
export const wildcardInQuotes: LintRule = {
  code: 'wildcard-in-quotes',
  heading: 'A wildcard in quotes is none',
  severity: 'hint',
  clause: (clause, context) => {
    const { item } = clause;
    if (item.kind !== 'Phrase' || item.term.kind !== 'Quoted' || !/[*?]/.test(item.term.text)) return;
    const { hasText, hasKeyword } = context.targets(clause);
    // A keyword may have the mark in its value.
    if (hasText && !hasKeyword && 0 < context.terms(clause).length) check(item, context);
  },
};

function check(item: Phrase, context: LintContext): void {
  const { text } = item.term;
  const [mark] = wildcardsIn(text);
  if (mark === undefined) return;
  const sign = text.charAt(mark);
  const message = `In quotes "${sign}" is no wildcard: ${quoteName(text)} finds whole words, as without it`;
  context.report(item.term, message, () => {
    const phrase = phraseOfRegexp(text);
    if (phrase !== undefined) return [phraseFix(item, phrase)];
    return [...unquoted(item, context), without(item)];
  });
}

/** The phrase that a regular expression in quotes looks for, as in `".*timed out.*"`, with slashes around it or not. */
function phraseOfRegexp(quoted: string): string | undefined {
  const pattern = withoutQuotes(quoted).replace(/^\/(.*)\/$/s, '$1');
  const phrase = /\.[*+]/.test(pattern) ? phraseInRegexp(pattern) : undefined;
  if (phrase === undefined || analyze(phrase).length === 0) return undefined;
  return wildcardsIn(phrase).length === 0 ? phrase : undefined;
}

/** The offsets of the wildcards in a phrase with its quotes. */
function wildcardsIn(text: string): number[] {
  const isAddress = /[/=&:]/.test(text);
  const found = text.matchAll(
    /(?<![\\*])\*(?!\*)(?:(?<=[\p{L}\p{N}]\*)|(?=[\p{L}\p{N}]))|(?<=[\p{L}\p{N}])\?(?=[\p{L}\p{N}])/gu,
  );
  return Array.from(found, ({ index }) => index).filter((at) => text.charAt(at) === '*' || !isAddress);
}

/** The pattern itself, if it is one word of letters and digits that stands apart and the engine takes it. */
function unquoted({ term, suffixes }: Phrase, { dialect, engine, text }: LintContext): Fix[] {
  const pattern = withoutQuotes(term.text);
  const isTaken = dialect === 'lucene' && (engine.leadingWildcard || !/^[*?]/.test(pattern));
  if (!isTaken || 0 < suffixes.length || !/^[\p{L}\p{N}_*?]+$/u.test(pattern)) return [];
  const isApart = /^[\s(:]?$/.test(text().charAt(term.from - 1)) && /^[\s)]?$/.test(text().charAt(term.to));
  return isApart
    ? [{ title: 'Remove the quotes', edits: [{ from: term.from, to: term.to, insert: pattern }] }]
    : [];
}

/** The same phrase without its wildcards. */
function without({ term: { from, text } }: Phrase): Fix {
  const edits = wildcardsIn(text).map((at) => {
    // The dot of ".*" goes with it.
    const start = text.startsWith('.*', at - 1) ? at - 1 : at;
    const isAtEnd = /[\s"]/.test(text.charAt(start - 1)) || /[\s"]/.test(text.charAt(at + 1));
    return { from: from + start, to: from + at + 1, insert: isAtEnd ? '' : ' ' };
  });
  return { title: 'Remove it', edits };
}
