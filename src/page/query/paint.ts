import type { Finding, Severity, TokenKind } from '../../language/index.ts';
import { lex } from '../../language/index.ts';

/** A piece of a query with one look. */
export interface PaintedPiece {
  readonly text: string;
  /** Class of its token, and of the worst finding on it. */
  readonly look: string;
}

const looks: { readonly [K in TokenKind]?: string } = {
  ...{
    And: 'operator',
    Or: 'operator',
    Not: 'operator',
    Plus: 'operator',
    Minus: 'operator',
    RangeTo: 'operator',
  },
  ...{ Field: 'field', Colon: 'field' },
  ...{ Quoted: 'text', UnclosedQuoted: 'text', RangeQuoted: 'text', RangeBound: 'number' },
  ...{
    Star: 'pattern',
    Prefix: 'pattern',
    Wildcard: 'pattern',
    Regexp: 'pattern',
    Tilde: 'pattern',
    Boost: 'pattern',
  },
  ...{ Open: 'bracket', Close: 'bracket', RangeOpen: 'bracket', RangeClose: 'bracket' },
  ...{ Junk: 'junk', TooDeep: 'junk' },
};

/** Longest text that is coloured, in UTF-16 units; a longer one stays plain, so that typing stays fast. */
const longest = 20_000;

const weights: readonly Severity[] = ['hint', 'warning', 'error'];

/** Cuts a query into pieces of one look: the colours of its tokens, and marks where findings are. */
export function paintQuery(text: string, findings: readonly Finding[]): readonly PaintedPiece[] {
  if (longest < text.length) return [{ text, look: '' }];
  const tokens = lex(text);
  const cuts = new Set([0, text.length, ...tokens.flatMap(({ from, to }) => [from, to])]);
  for (const { from, to } of findings) cuts.add(from).add(markEnd(from, to, text.length));
  const sorted = [...cuts].sort((a, b) => a - b);
  const pieces: PaintedPiece[] = [];
  let at = 0;
  for (const [index, from] of sorted.entries()) {
    const to = sorted[index + 1];
    if (to === undefined) break;
    while ((tokens[at]?.to ?? to) <= from && at < tokens.length - 1) at += 1;
    const token = tokens[at];
    const look = token && token.from <= from ? looks[token.kind] : undefined;
    const mark = markAt(findings, from, text.length);
    const classes = [
      ...(look === undefined ? [] : [`q-${look}`]),
      ...(mark === undefined ? [] : [`q-${mark}`]),
    ];
    pieces.push({ text: text.slice(from, to), look: classes.join(' ') });
  }
  return pieces;
}

/** A finding at the end of the text marks the last character. */
function markEnd(from: number, to: number, length: number): number {
  return Math.min(Math.max(to, from + 1), length);
}

function markAt(findings: readonly Finding[], at: number, length: number): Severity | undefined {
  const here = findings.filter(
    ({ from, to }) => Math.min(from, length - 1) <= at && at < markEnd(from, to, length),
  );
  return here.map(({ severity }) => severity).sort((a, b) => weights.indexOf(b) - weights.indexOf(a))[0];
}
