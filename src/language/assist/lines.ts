import type { Comparison } from '../logic/compare.ts';
import type { FieldValues } from '../meaning/document.ts';
import type { ExplainedLevel, ExplainedPart, Explanation, PartEffect } from './explain.ts';
import type { MatchExplanation, MatchedPart } from './explain-match.ts';

/**
 * An explanation as lines of text: one for each part, groups indented, then a line
 * if the ordinary reading selects other logs.
 *
 * ```ts
 * explainLines(explain(parse('logLevel:SEVERE').query)).join('\n');
 * ```
 */
export function explainLines(explanation: Explanation): string[] {
  const rows = rowsOf(explanation.level, '', (part, label) => [label, part.text, part.asks]);
  return [...columns(rows), ...comparisonLines(explanation.ordinary)];
}

/**
 * The explanation of a match as lines of text: the parts with the fields that matched, then the result.
 *
 * ```ts
 * explainMatchLines(explainMatch(parse('msg:timeout').query, log)).join('\n');
 * ```
 */
export function explainMatchLines(explanation: MatchExplanation): string[] {
  const rows = rowsOf(explanation.level, '', (part: MatchedPart, label) => [
    part.matches ? 'found' : 'not found',
    label,
    part.text,
    part.matches && 0 < part.highlights.length
      ? `in ${part.highlights.map(({ field }) => field).join(', ')}`
      : part.asks,
  ]);
  return [...columns(rows), explanation.matches ? 'The log is selected' : 'The log is not selected'];
}

const labels: { readonly [T in PartEffect]: string } = {
  must: 'must match',
  should: 'one of these must match',
  mustNot: 'must not match',
  filtersNothing: 'filters nothing',
  vanishes: 'vanishes',
};

type Row = readonly string[];

function rowsOf<P extends Omit<ExplainedPart, 'level'> & { readonly level: ExplainedLevel<P> | undefined }>(
  { parts }: ExplainedLevel<P>,
  indent: string,
  rowOf: (part: P, label: string) => Row,
): Row[] {
  const alternatives = parts.filter(({ taken }) => taken === 'should').length;
  return parts.flatMap((part) => {
    const label = part.taken === 'should' && alternatives === 1 ? labels.must : labels[part.taken];
    const row = rowOf(part, indent + label).map(onOneLine);
    return [row, ...(part.level ? rowsOf(part.level, `${indent}  `, rowOf) : [])];
  });
}

/** A text with a blank for each run of tabs and line breaks. */
function onOneLine(text: string): string {
  return text.replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ');
}

/** The greatest width to which a column is padded, in UTF-16 units. */
const widest = 40;

function columns(rows: readonly Row[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.min(widest, Math.max(...rows.map((row) => row[column]?.length ?? 0))),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  '),
  );
}

function comparisonLines(comparison: Comparison): string[] {
  if (comparison.same) return [];
  const ordinary = 'with NOT before AND and AND before OR';
  if (comparison.same === undefined) {
    return [
      `Whether it selects the same logs when read ${ordinary} could not be decided: ${comparison.undecided}`,
    ];
  }
  const { values, selectedBy } = comparison.example;
  const who = selectedBy === 'a' ? 'only the server selects' : 'the server does not select';
  return [`Read ${ordinary} it selects other logs; for instance ${who} ${logText(values)}`];
}

/** A log as text: its fields with their values, or a note that it has none. */
function logText(values: FieldValues): string {
  const fields = Object.entries(values).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? JSON.stringify(value) : value}`,
  );
  return fields.length === 0 ? 'a log without any of these fields' : `a log with ${fields.join(', ')}`;
}
