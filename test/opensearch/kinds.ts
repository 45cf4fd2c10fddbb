import { lex } from '../../src/language/parse/lex.ts';
import type { Token } from '../../src/language/parse/tree.ts';

/** The kinds of clauses and operators of a query, each with what it is called in the manual. */
const kinds: readonly (readonly [
  name: string,
  isIn: (token: Token, before: Token | undefined) => boolean,
])[] = [
  ['words', ({ kind, text }) => kind === 'Term' && !/^[<>]/.test(text)],
  ['phrases', ({ kind }) => kind === 'Quoted'],
  ['phrases with a distance', ({ kind }, before) => kind === 'Tilde' && before?.kind === 'Quoted'],
  ['similar words', ({ kind }, before) => kind === 'Tilde' && before?.kind !== 'Quoted'],
  ['prefixes', ({ kind }) => kind === 'Prefix'],
  ['wildcards', ({ kind }) => kind === 'Wildcard'],
  ['regular expressions', ({ kind }) => kind === 'Regexp'],
  ['ranges', ({ kind }) => kind === 'RangeOpen'],
  ['comparisons', ({ kind, text }) => kind === 'Term' && /^[<>]/.test(text)],
  ['`*` and `_exists_`', ({ kind, text }) => kind === 'Star' || text === '_exists_'],
  ['fields', ({ kind, text }) => kind === 'Field' && !text.includes('\\*')],
  ['patterns of fields', ({ kind, text }) => kind === 'Field' && text.includes('\\*')],
  ['AND, OR', ({ kind }) => kind === 'And' || kind === 'Or'],
  ['NOT, `+`, `-`', ({ kind }) => kind === 'Not' || kind === 'Plus' || kind === 'Minus'],
  ['groups', ({ kind }) => kind === 'Open'],
  ['boosts', ({ kind }) => kind === 'Boost'],
];

/** A query, whether the server answered it as this language says, and whether both refuse it. */
interface Compared {
  readonly query: string;
  readonly isSame: boolean;
  readonly isRefused: boolean;
}

/** The counts of agreement by kind, as a table in Markdown. A query counts in each kind that it has. */
export function agreementByKind(compared: readonly Compared[]): string {
  const rows = kinds.map(([name, isIn]) => {
    const having = compared.filter(({ query }) => {
      const tokens = lex(query);
      return tokens.some((token, index) => isIn(token, tokens[index - 1]));
    });
    return [name, having] as const;
  });
  const lines = [['all', compared] as const, ...rows].map(([name, having]) => {
    const same = having.filter(({ isSame }) => isSame);
    const refused = same.filter(({ isRefused }) => isRefused);
    const counts = [having.length, same.length - refused.length, refused.length, having.length - same.length];
    return `| ${[name, ...counts.map((count) => count.toLocaleString('en'))].join(' | ')} |`;
  });
  return [
    '| kind | queries | same logs | refused here and by a strict server | other |',
    '| --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n');
}

/**
 * Whether a query may have a comparison that takes a long run of words for its bound: the server refuses it above 1,000
 * bytes, and `check` does not know (docs/engines.md).
 */
export function mayHaveLongBound(query: string): boolean {
  return /[(:][<>].{300}/s.test(query);
}
