import type { RuleSet } from '../../analysis/index.ts';
import { type Asked, caseWith, isCase } from '../../analysis/index.ts';
import type { Case } from '../../case/index.ts';
import type { Filter, Schema } from '../../language/index.ts';
import type { Turns } from './turns.ts';

/** The cases that the page shows, with the names to show. */
export interface OpenedCases {
  readonly cases: readonly Case[];
  /** The cases, then the logs of clusters. */
  readonly logs: readonly Asked[];
  readonly names: readonly string[];
  /** What the sources lack, to be shown beside every answer. */
  readonly remarks?: readonly string[];
  /** The words of a command line that name the same sources. */
  readonly paths: readonly string[];
  /** Options of a command line that read them alike, such as the zone of log files. */
  readonly readingOptions?: readonly string[];
}

/** The context that all calls of the page share. */
export interface SharedContext {
  readonly turns: Turns;
  /** Rules that are evaluated. */
  readonly rules: RuleSet;
  /** Their folder or file; absent for the rules of Logquarry. */
  readonly rulesPath?: string;
  /** Author of notes and saved searches. */
  readonly author: string;
  /** Fields of the query bar, if they are not the documented ones. */
  readonly schema?: Schema;
}

/** Context of one call of the page. The signal aborts when the page is gone or asks something else. */
export interface CallContext extends SharedContext {
  readonly opened: OpenedCases;
  readonly signal: AbortSignal;
}

/** Returns the sources of a call, whose questions end with it. */
export function logsOf({ opened, signal }: CallContext): readonly Asked[] {
  return opened.logs.map((each) => (isCase(each) ? each : each.until(signal)));
}

/** Copies of the logs of clusters by their filter: the views of a selection share one. */
const copies = new WeakMap<OpenedCases, { readonly key: string; readonly cases: Promise<readonly Case[]> }>();

/**
 * Returns the cases of a call, with temporary copies of the selected logs of clusters: for analyses that only a case
 * answers. Rejects if there are too many.
 */
export async function casesWith(filter: Filter, { opened }: CallContext): Promise<readonly Case[]> {
  if (opened.logs.every(isCase)) return opened.cases;
  const key = JSON.stringify(filter, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  const known = copies.get(opened);
  if (known?.key === key) return await known.cases;
  const cases = Promise.all(opened.logs.map((each) => caseWith(each, filter)));
  copies.set(opened, { key, cases });
  cases.catch(() => copies.delete(opened));
  return await cases;
}
