import { analyzeSpans, type TokenSpan } from '../analyzer/analyze.ts';
import type { LeafFilter } from '../logic/boolean-logic.ts';
import { hasMatch } from '../logic/leaf-match.ts';
import { type FieldValues, toDocument } from '../meaning/document.ts';
import type { Filter, PhraseFilter } from '../meaning/filter.ts';
import { matchDocument } from '../meaning/match.ts';
import type { Span } from '../parse/tree.ts';

/** The matching spans in the value of one field. */
export interface Highlight {
  readonly field: string;
  /** Spans in the text of the value, in UTF-16 units, sorted and disjoint. */
  readonly spans: readonly Span[];
}

/**
 * The spans of a log that a filter matches: the tokens of words, phrases and
 * patterns, and whole values of fields without tokens. Parts that must not match
 * mark nothing. A log that the filter does not select has no highlights.
 *
 * ```ts
 * for (const { field, spans } of highlightMatches(filter, log)) console.log(field, spans);
 * ```
 */
export function highlightMatches(filter: Filter, values: FieldValues): readonly Highlight[] {
  const marked = new Map<string, Span[]>();
  mark(filter, { values, document: toDocument(values), tokens: new Map(), marked });
  return [...marked].map(([field, spans]) => ({ field, spans: merged(spans) }));
}

interface Marking {
  readonly values: FieldValues;
  readonly document: ReturnType<typeof toDocument>;
  readonly tokens: Map<string, readonly TokenSpan[]>;
  readonly marked: Map<string, Span[]>;
}

function mark(filter: Filter, marking: Marking): void {
  if (!matchDocument(filter, marking.document)) return;
  switch (filter.kind) {
    case 'all':
    case 'none':
      return;
    case 'disMax':
      for (const each of filter.filters) mark(each, marking);
      return;
    case 'bool':
      for (const each of [...filter.must, ...filter.should]) mark(each, marking);
      return;
    default: {
      const { name } = filter.field;
      const spans = marking.marked.get(name) ?? [];
      spans.push(...spansOf(filter, marking));
      marking.marked.set(name, spans);
    }
  }
}

/** The spans that a matching leaf matches. */
function spansOf(leaf: LeafFilter, marking: Marking): readonly Span[] {
  const text = String(marking.values[leaf.field.name] ?? '');
  if (leaf.field.type !== 'text') return text === '' ? [] : [{ from: 0, to: text.length }];
  // The existence of a value has no span in it.
  if (leaf.kind === 'exists') return [];
  const tokens = tokensOf(leaf.field.name, text, marking);
  if (leaf.kind === 'phrase') return phraseSpans(leaf, tokens);
  return tokens.filter(({ term }) => hasMatch(leaf, [term]));
}

function tokensOf(field: string, text: string, { tokens }: Marking): readonly TokenSpan[] {
  const known = tokens.get(field) ?? analyzeSpans(text);
  tokens.set(field, known);
  return known;
}

/** The spans of a phrase. A sloppy phrase marks each token, since others may lie between them. */
function phraseSpans({ terms, slop }: PhraseFilter, tokens: readonly TokenSpan[]): Span[] {
  if (0 < slop) return tokens.filter(({ term }) => terms.includes(term));
  return tokens.flatMap((first, start) => {
    const last = tokens[start + terms.length - 1];
    const isHere = terms.every((term, offset) => tokens[start + offset]?.term === term);
    return isHere && last ? [{ from: first.from, to: last.to }] : [];
  });
}

/** The spans in order; overlapping ones are merged. */
function merged(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last && from < last.to) result.splice(-1, 1, { from: last.from, to: Math.max(last.to, to) });
    else result.push({ from, to });
  }
  return result;
}
