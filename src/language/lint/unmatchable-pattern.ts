import { maxCodePoint } from '../automata/automaton.ts';
import { parseRegexp, type RegexpTree } from '../automata/regexp.ts';
import { wildcardParts } from '../automata/wildcard.ts';
import { foreignCharacters, isNeverInText } from '../logic/theories.ts';
import { analyze, lowerCase } from '../meaning/analyze.ts';
import type { Filter } from '../meaning/filter.ts';
import type { Field } from '../meaning/schema.ts';
import type { Fix } from '../parse/finding.ts';
import { quote, withoutEscapes } from '../parse/lex.ts';
import type { Clause, Phrase, Regexp, Token, Wildcard, Word } from '../parse/tree.ts';
import { fieldOfTargets, itemFilter } from './clause.ts';
import { isRefusedToken } from './refused.ts';
import type { LintContext, LintRule } from './rule.ts';
import { quoteName } from './wording.ts';

/**
 * A pattern or a similar word that no log can match. On text it is held against single tokens, and no token
 * has a blank or a dash in it; numbers and names of fields take no pattern (sections 4 and 6 of the language
 * specification).
 */
export const unmatchablePattern: LintRule = {
  code: 'unmatchable-pattern',
  heading: 'No log can match this pattern',
  severity: 'warning',
  clause: (clause, context, { construct }) => {
    const item = patternOf(clause);
    // Other rules report a path, and what the server refuses.
    if (!item || construct || (context.dialect !== 'lucene' && isRefusedToken(item.term))) return;
    const { named, fields } = context.targets(clause);
    if (named === '_exists_' && context.engine.existsField && fields.length === 0) {
      reportName(item, context);
    } else if (0 < fields.length && fields.every((field) => matchesNothing(item, field, context))) {
      if (fields.some(({ type }) => type === 'text')) reportText(item, context);
      else reportNumber(item, fieldOfTargets({ named, fields }), context);
    }
  },
};

type PatternItem = Wildcard | Regexp | Word;

/** The item of a clause if it is a wildcard other than a lone `*`, a regular expression, or a word with a `~`. */
function patternOf({ item }: Clause): PatternItem | undefined {
  if (item.kind === 'Regexp') return item;
  if (item.kind === 'Wildcard') return item.term.kind === 'Star' ? undefined : item;
  return item.kind === 'Word' && tildeOf(item) ? item : undefined;
}

function tildeOf({ suffixes }: Word): Token | undefined {
  return suffixes.find(({ kind }) => kind === 'Tilde');
}

function matchesNothing(item: PatternItem, field: Field, { engine, now }: LintContext): boolean {
  const filter = itemFilter(item)?.(field, { defaultOperator: 'or', now, engine });
  return filter !== undefined && isNothing(filter, field);
}

function isNothing(filter: Filter, { type }: Field): boolean {
  switch (filter.kind) {
    case 'none':
      return true;
    case 'prefix':
    case 'wildcard':
    case 'regexp':
    case 'fuzzy':
      return type === 'text' && isNeverInText(filter);
    default:
      return false;
  }
}

function reportName({ term }: PatternItem, { schema, engine, report }: LintContext): void {
  const message = '"_exists_" takes the name of a field, and no pattern of names: this matches nothing';
  report(term, message, () => {
    const isStar = term.kind === 'Prefix' || (term.kind === 'Wildcard' && !/[?\\]/.test(term.text));
    const pieces = term.text.split('*');
    const [first = '', last = ''] = [pieces.at(0), pieces.at(-1)];
    const isKnown = [...schema.fields.keys()].some((name) => name.startsWith(first) && name.endsWith(last));
    if (!isStar || pieces.length !== 2 || !isKnown || !engine.fieldPatterns) return [];
    const insert = term.text.replace('*', String.raw`\*`);
    return [{ title: 'Escape the star', edits: [{ from: term.from, to: term.to, insert }] }];
  });
}

function reportNumber(item: PatternItem, field: Field | undefined, { report }: LintContext): void {
  const holder = field ? `"${field.name}" holds` : 'The fields hold';
  const kind = field?.type === 'date' ? 'dates' : 'numbers';
  const tilde = item.kind === 'Word' ? tildeOf(item) : undefined;
  if (!tilde) report(item.term, `${holder} ${kind}, and no pattern matches those`);
  else
    report(tilde, `${holder} ${kind}, and none is similar to a word`, () => [
      { title: 'Remove it', edits: [{ from: tilde.from, to: tilde.to, insert: '' }] },
    ]);
}

function reportText(item: PatternItem, { report }: LintContext): void {
  const { letters, phrase } = literalsOf(item);
  const [foreign] = foreignCharacters(lowerCase(letters));
  const what = item.kind === 'Word' ? 'A similar word' : 'A pattern';
  const reason = foreign === undefined ? 'none fits this one' : `none has ${nameOf(foreign)} in it`;
  report(item.term, `${what} is looked for among single words, and ${reason}`, () =>
    phrase !== undefined && 0 < analyze(phrase).length ? [phraseFix(item, phrase)] : [],
  );
}

function nameOf(character: string): string {
  return /\s/.test(character) ? 'a blank' : quoteName(character);
}

/** Replaces a pattern, or a word and its distance, by a phrase. */
export function phraseFix(item: PatternItem | Phrase, phrase: string): Fix {
  const to = (item.kind === 'Word' && tildeOf(item)?.to) || item.term.to;
  return {
    title: 'Put the phrase in quotes',
    edits: [{ from: item.term.from, to, insert: quote(phrase) }],
  };
}

/** The characters of a pattern that stand for themselves, and all of them as a phrase if only its ends are open. */
interface Literals {
  readonly letters: string;
  readonly phrase: string | undefined;
}

/** The literals of a pattern, or of a word with a `~`. */
export function literalsOf({ kind, term }: PatternItem): Literals {
  if (kind === 'Regexp') {
    const phrase = phraseInRegexp(term.text.slice(1, -1));
    return { letters: phrase ?? '', phrase };
  }
  if (term.kind !== 'Wildcard') {
    const text = withoutEscapes(term.text.replace(/\*$/, '')).text;
    return { letters: text, phrase: text };
  }
  const parts = wildcardParts(term.text);
  const letters = parts.map((part) => (typeof part === 'number' ? String.fromCodePoint(part) : '')).join('');
  const isOpenInside = withoutRuns(parts, (part) => part === 'run').some((part) => typeof part !== 'number');
  return { letters, phrase: isOpenInside ? undefined : letters };
}

/** The text of a regular expression that only leaves its ends open, as `.*timed out.*`. */
export function phraseInRegexp(pattern: string): string | undefined {
  const parsed = parseRegexp(pattern);
  if ('refusal' in parsed) return undefined;
  const { tree } = parsed;
  const parts = tree.kind === 'concatenation' ? tree.parts : [tree];
  let phrase = '';
  for (const part of withoutRuns(parts, isAnyText)) {
    const [range, second] = part.kind === 'ranges' ? part.ranges : [];
    if (part.kind === 'text') phrase += part.text;
    else if (range && !second && range[0] === range[1]) phrase += String.fromCodePoint(range[0]);
    else return undefined;
  }
  return phrase;
}

/** `.*`, `.+`, `@`. */
function isAnyText(tree: RegexpTree): boolean {
  if (tree.kind !== 'repetition') return tree.kind === 'anything';
  const [min, max] = (tree.part.kind === 'ranges' && tree.part.ranges[0]) || [];
  return min === 0 && max === maxCodePoint && tree.max === undefined;
}

/** A list without what stands for any text at its ends. */
function withoutRuns<T>(parts: readonly T[], isRun: (part: T) => boolean): readonly T[] {
  const from = parts.findIndex((part) => !isRun(part));
  return from === -1 ? [] : parts.slice(from, parts.findLastIndex((part) => !isRun(part)) + 1);
}
