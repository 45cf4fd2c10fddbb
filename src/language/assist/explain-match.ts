import { type Document, type FieldValues, toDocument } from '../meaning/document.ts';
import { matchDocument } from '../meaning/match.ts';
import type { Query } from '../parse/tree.ts';
import {
  type ExplainedLevel,
  type ExplainedPart,
  type ExplainOptions,
  type Explanation,
  explain,
} from './explain.ts';
import { type Highlight, highlightMatches } from './highlights.ts';

/** The reasons why the server selects a log for a query, or does not, part by part. */
export interface MatchExplanation extends Omit<Explanation, 'level'> {
  readonly matches: boolean;
  readonly level: ExplainedLevel<MatchedPart>;
}

/** A part and its matches in the log. */
export interface MatchedPart extends Omit<ExplainedPart, 'level'> {
  /** True if the log has what it asks for. A prohibited part that matches excludes the log. */
  readonly matches: boolean;
  /** The spans that match; none if it does not match. */
  readonly highlights: readonly Highlight[];
  readonly level: ExplainedLevel<MatchedPart> | undefined;
}

/**
 * Matches each part of a query against one log.
 *
 * ```ts
 * explainMatchLines(explainMatch(parse('msg:timeout').query, log));
 * ```
 */
export function explainMatch(
  query: Query,
  values: FieldValues,
  options: ExplainOptions = {},
): MatchExplanation {
  const explanation = explain(query, options);
  const document = toDocument(values);
  return {
    ...explanation,
    matches: matchDocument(explanation.filter, document),
    level: matchLevel(explanation.level, values, document),
  };
}

function matchLevel(
  { parts }: ExplainedLevel,
  values: FieldValues,
  document: Document,
): ExplainedLevel<MatchedPart> {
  return {
    parts: parts.map((part) => ({
      ...part,
      matches: part.filter !== undefined && matchDocument(part.filter, document),
      highlights: part.filter ? highlightMatches(part.filter, values) : [],
      level: part.level && matchLevel(part.level, values, document),
    })),
  };
}
