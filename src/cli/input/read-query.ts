import { byPlace, type Finding } from '../../language/finding.ts';
import { parse } from '../../language/parse.ts';
import type { Query } from '../../language/tree.ts';
import { type ValidateOptions, validate } from '../../lint/validate.ts';

/** A query and everything there is to say about it, in the order of the text. */
export interface CheckedQuery {
  readonly query: Query;
  readonly findings: readonly Finding[];
}

/** Reads a query and checks it, the syntax and the meaning. */
export function readQuery(text: string, options: ValidateOptions = {}): CheckedQuery {
  const { query, findings } = parse(text);
  const doubts = validate(query, { now: Date.now(), ...options });
  return { query, findings: [...findings, ...doubts].sort(byPlace) };
}

/** Whether the server would refuse the query. */
export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === 'error');
}
