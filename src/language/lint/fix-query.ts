import { areSame } from '../logic/compare.ts';
import { matchNoneFilter } from '../meaning/filter.ts';
import { resolve } from '../meaning/resolve.ts';
import { applyFix, type Finding, type Fix } from '../parse/finding.ts';
import { parse } from '../parse/parse.ts';
import type { Query } from '../parse/tree.ts';
import { type ValidateOptions, validate } from './validate.ts';

/** A query with its safe fixes applied. */
export interface FixedQuery {
  readonly text: string;
  /** The applied fixes in order. */
  readonly applied: readonly AppliedFix[];
}

/** A fix that was applied. */
export interface AppliedFix {
  readonly finding: Finding;
  readonly fix: Fix;
  /** The text that the finding refers to: the query with all earlier fixes. */
  readonly before: string;
}

/**
 * Applies the safe fixes of a query until none is left. A fix is safe if it is the only one of its finding, adds no
 * line, and does not change the selected logs. The last is marked, or proved for the reading of the server and the
 * ordinary one. Fixing the result again changes nothing. A query that needs more than 100 fixes stays as it is.
 *
 * ```ts
 * fixQuery('logLevel:SEVERE && msg:timeout').text; // 'logLevel:SEVERE AND msg:timeout'
 * ```
 */
export function fixQuery(text: string, options: ValidateOptions = {}): FixedQuery {
  const applied: AppliedFix[] = [];
  const seen = new Set<string>();
  for (let fixed = text; !seen.has(fixed) && seen.size <= mostFixes; ) {
    seen.add(fixed);
    const next = findSafeFix(fixed, options);
    if (!next) return { text: fixed, applied };
    applied.push(next);
    fixed = applyFix(fixed, next.fix);
  }
  // Fixes that lead back to an earlier text, or too many of them.
  return { text, applied: [] };
}

const mostFixes = 100;

function findSafeFix(before: string, options: ValidateOptions): AppliedFix | undefined {
  const { query, findings } = parse(before);
  // A broken text has no meaning to compare, and its other findings may come from the break.
  const isSound = findings.length === 0;
  for (const finding of isSound ? validate(query, options) : findings) {
    const [fix, another] = finding.fixes;
    if (!fix || another || fix.edits.some(({ insert }) => /[\r\n]/.test(insert))) continue;
    if (fix.isSafe || (isSound && keepsLogs(query, applyFix(before, fix), options))) {
      return { finding, fix, before };
    }
  }
  return undefined;
}

/** True if a fix provably keeps the logs that the server selects, and those that an ordinary reader expects. */
function keepsLogs(query: Query, fixed: string, { schema, engine, now }: ValidateOptions): boolean {
  const after = parse(fixed);
  if (0 < after.findings.length) return false;
  const context = { ...(schema && { schema }), ...(engine && { engine }), ...(now !== undefined && { now }) };
  // The server alone is not enough: a part without effect may be the very mistake.
  return (['server', 'ordinary'] as const).every((reading) => {
    const [one, other] = [query, after.query].map((each) => resolve(each, { ...context, reading }));
    // A query that selects nothing because of another mistake proves nothing about this part.
    return one && other && areSame(one, other) && !areSame(one, matchNoneFilter);
  });
}
