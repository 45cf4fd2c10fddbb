import type { Finding } from '../parse/finding.ts';
import { parse } from '../parse/parse.ts';
import type { Query } from '../parse/tree.ts';
import { rankFindings } from './rank-findings.ts';
import { type ValidateOptions, validate } from './validate.ts';

/** A query and its findings: errors, warnings, hints, each in the order of the text. */
export interface CheckedQuery {
  readonly query: Query;
  readonly findings: readonly Finding[];
}

/** Parses a query, and checks its syntax and meaning. */
export function checkQuery(text: string, options: ValidateOptions): CheckedQuery {
  const { query, findings } = parse(text);
  return { query, findings: rankFindings([...findings, ...validate(query, options)], text) };
}

/**
 * Options of checking a query that runs on a case: Lucene syntax that the server refuses can run
 * there, and a search has no limit on clauses.
 */
export const offlineOptions = {
  dialect: 'lucene',
  severities: new Map([['too-many-clauses', 'off']]),
} as const satisfies ValidateOptions;

/** True if the query cannot run. */
export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === 'error');
}
