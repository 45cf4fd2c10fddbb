import { assuredSteps, type Effort, newEffort, spendEffort, TooComplex } from '../automata/automaton.ts';
import { areSame } from '../logic/compare.ts';
import { matchNoneFilter } from '../meaning/filter.ts';
import { resolve } from '../meaning/resolve.ts';
import { applyFix, compareFindings, type Finding, type Fix, type Severity } from '../parse/finding.ts';
import { parse } from '../parse/parse.ts';
import type { Query } from '../parse/tree.ts';
import { longestRewritten } from './fixes.ts';
import { lintRules } from './lint-rules.ts';
import { type ValidateOptions, validate } from './validate.ts';

/** A query and its findings: errors, warnings, hints, each in the order of the text. */
export interface CheckedQuery {
  readonly query: Query;
  readonly findings: readonly Finding[];
}

/** Parses a query, and checks its syntax and meaning. */
export function checkQuery(text: string, options: ValidateOptions = {}): CheckedQuery {
  const { query, findings } = parse(text);
  const all = [...findings, ...validate(query, options)];
  const isChecked = hasErrors(all) && text.length <= longestRewritten;
  return { query, findings: rankFindings(isChecked ? withSoundFixes(all, text, options) : all, text) };
}

/** The number of UTF-16 units of all results of fixes that are checked, a fraction of a second. */
const mostChecked = 40_000;

/**
 * Findings with those of their fixes that add no error: beside an error a fix may be read otherwise than its rule expects,
 * and without a mark a value may have a character that the server refuses. Of very many fixes the last ones are not checked.
 */
function withSoundFixes(findings: readonly Finding[], text: string, options: ValidateOptions): Finding[] {
  const known = errorsOf(text, options);
  let checked = 0;
  const isSound = (fix: Fix) => {
    const fixed = applyFix(text, fix);
    checked += fixed.length;
    if (mostChecked < checked) return true;
    return [...errorsOf(fixed, options)].every(([code, count]) => count <= (known.get(code) ?? 0));
  };
  return findings.map((finding) => {
    const fixes = finding.fixes.filter(isSound);
    return fixes.length === finding.fixes.length ? finding : { ...finding, fixes };
  });
}

/** The number of errors by code, save refused patterns, which take long to check. */
function errorsOf(text: string, options: ValidateOptions): ReadonlyMap<string, number> {
  const { query, findings } = parse(text);
  const isOff = options.severities?.get('refused-syntax') === 'off';
  const refused = isOff ? [] : validate(query, { ...options, severities: onlyRefusedSyntax });
  const counts = new Map<string, number>();
  for (const { code } of [...findings, ...refused]) counts.set(code, (counts.get(code) ?? 0) + 1);
  return counts;
}

const onlyRefusedSyntax: ReadonlyMap<string, 'off'> = new Map(
  lintRules.filter(({ code }) => code !== 'refused-syntax').map(({ code }) => [code, 'off']),
);

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

/** Longest text whose fixes are compared by their results, in UTF-16 units. */
const longestCompared = 5_000;

/**
 * The findings of a query in the order to read them: errors, warnings, hints, each in the order of
 * the text. A hint is folded into a weightier finding that says the same. At the same place they have a fix in
 * common, or the hint only adds that the part has no effect. Elsewhere all fixes of the hint lead to
 * queries that fixes of the other one lead to.
 */
export function rankFindings(findings: readonly Finding[], text: string): Finding[] {
  const ranked = bySeverity(findings);
  const hosts = new Map<string, Finding>();
  const folded = new Map<Finding, Finding[]>();
  const results = fixResults(ranked, text);
  const kept = ranked.filter((finding) => {
    const host = hosts.get(placeOf(finding));
    if (finding.severity === 'hint' && host && saysTheSame(finding, host)) {
      folded.set(host, [...(folded.get(host) ?? []), finding]);
      return false;
    }
    if (finding.severity !== 'hint' && !host) hosts.set(placeOf(finding), finding);
    return finding.severity !== 'hint' || !addsNothing(finding, results, text);
  });
  return kept.map((finding) => withMessages(finding, folded.get(finding) ?? []));
}

/** The queries to which fixes of errors and warnings lead; empty if nothing can be folded. */
function fixResults(ranked: readonly Finding[], text: string): ReadonlySet<string> {
  const areHints = ranked.some(({ severity }) => severity === 'hint');
  if (!areHints || longestCompared < text.length) return new Set();
  const weightier = ranked.filter(({ severity }) => severity !== 'hint');
  return new Set(weightier.flatMap(({ fixes }) => fixes.map((fix) => applyFix(text, fix))));
}

function addsNothing({ fixes }: Finding, results: ReadonlySet<string>, text: string): boolean {
  if (results.size === 0 || fixes.length === 0) return false;
  return fixes.every((fix) => results.has(applyFix(text, fix)));
}

/** Orders findings by severity, the weightiest first, then by offset. */
export function bySeverity(findings: readonly Finding[]): Finding[] {
  return [...findings].sort(
    (a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity) || compareFindings(a, b),
  );
}

/** All severities, the weightiest first. */
export const severities: readonly Severity[] = ['error', 'warning', 'hint'];

function placeOf({ from, to }: Finding): string {
  return `${from}-${to}`;
}

function saysTheSame(hint: Finding, host: Finding): boolean {
  if (hint.code === 'optional-part') return true;
  const edits = new Set(host.fixes.map((fix) => JSON.stringify(fix.edits)));
  return hint.fixes.some((fix) => edits.has(JSON.stringify(fix.edits)));
}

function withMessages(finding: Finding, hints: readonly Finding[]): Finding {
  if (hints.length === 0) return finding;
  const added = hints.map(({ message }) => `; ${message.charAt(0).toLowerCase()}${message.slice(1)}`);
  const edits = new Set(finding.fixes.map((fix) => JSON.stringify(fix.edits)));
  const others = hints.flatMap(({ fixes }) => fixes).filter((fix) => !edits.has(JSON.stringify(fix.edits)));
  return { ...finding, message: finding.message + added.join(''), fixes: [...finding.fixes, ...others] };
}

/** A query with its safe fixes applied. */
export interface FixedQuery {
  readonly text: string;
  /** The applied fixes in order. */
  readonly applied: readonly AppliedFix[];
  /** True if finding all safe fixes would take too long; the text is then as it was. */
  readonly tooComplex: boolean;
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
 * ordinary one. Fixing the result again changes nothing. A query whose fixes take too long to find stays as it is.
 *
 * ```ts
 * fixQuery('logLevel:SEVERE && msg:timeout').text; // 'logLevel:SEVERE AND msg:timeout'
 * ```
 */
export function fixQuery(text: string, options: ValidateOptions = {}): FixedQuery {
  const applied: AppliedFix[] = [];
  const seen = new Set<string>();
  const effort = newEffort(stepsToFix);
  try {
    for (let fixed = text; !seen.has(fixed); ) {
      seen.add(fixed);
      const next = findSafeFixes(fixed, options, effort);
      if (next.length === 0) return { text: fixed, applied, tooComplex: false };
      applied.push(...next);
      const last = next.at(-1);
      if (last) fixed = applyFix(last.before, last.fix);
    }
    // Fixes that lead back to an earlier text.
    return { text, applied: [], tooComplex: false };
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
    return { text, applied: [], tooComplex: true };
  }
}

/** The effort for all fixes of a query, about a second with the last proof. */
const stepsToFix = 15_000_000;

/**
 * Approximate steps for each UTF-16 unit of a text that is checked, of a part whose fixes are computed, and of a text
 * that is compared. The last grow with the text: a unit of a short one takes `short` of them, one of `atLength` units all.
 */
const costs = { check: 60, fixes: 500, compare: 2000, atLength: 2000, short: 0.1 } as const;

/** All marked fixes that do not overlap, the last in the text first; if there are none, the first proved one. */
function findSafeFixes(before: string, options: ValidateOptions, effort: Effort): readonly AppliedFix[] {
  // Two slashes may enclose a regular expression.
  const patterns = (before.split('/').length - 1) / 2;
  const share = Math.min(1, costs.short + before.length / costs.atLength);
  spendEffort(effort, costs.check * before.length + assuredSteps * patterns);
  const { query, findings } = parse(before);
  // A broken text has no meaning to compare, and its other findings may come from the break.
  const isSound = findings.length === 0;
  const only = (isSound ? validate(query, options) : findings).flatMap((finding) => {
    spendEffort(effort, costs.fixes * Math.min(finding.to - finding.from, longestRewritten));
    const [fix, another] = finding.fixes;
    if (!fix || another || fix.edits.some(({ insert }) => /[\r\n]/.test(insert))) return [];
    return [{ finding, fix }];
  });
  const marked = only.filter(({ fix }) => fix.isSafe);
  if (0 < marked.length) return applyApart(before, marked);
  if (!isSound) return [];
  const proved = only.find(({ fix }) => {
    spendEffort(effort, share * costs.compare * before.length + assuredSteps * patterns);
    return keepsLogs(query, applyFix(before, fix), options, effort);
  });
  return proved ? [{ ...proved, before }] : [];
}

/** Applies fixes from the end of the text, so that the places of the others stay; one that overlaps another is left out. */
function applyApart(text: string, fixes: readonly Omit<AppliedFix, 'before'>[]): AppliedFix[] {
  const applied: AppliedFix[] = [];
  let before = text;
  let end = Number.POSITIVE_INFINITY;
  for (const { finding, fix } of fixes.toReversed()) {
    const from = Math.min(finding.from, fix.edits[0]?.from ?? finding.from);
    const to = Math.max(finding.to, fix.edits.at(-1)?.to ?? finding.to);
    if (end < to) continue;
    applied.push({ finding, fix, before });
    before = applyFix(before, fix);
    end = from;
  }
  return applied;
}

/** True if a fix provably keeps the logs that the server selects, and those that an ordinary reader expects. */
function keepsLogs(
  query: Query,
  fixed: string,
  { schema, engine, now = Date.now() }: ValidateOptions,
  effort: Effort,
): boolean {
  const after = parse(fixed);
  if (0 < after.findings.length) return false;
  const context = { ...(schema && { schema }), ...(engine && { engine }), now };
  // The server alone is not enough: a part without effect may be the very mistake.
  return (['server', 'ordinary'] as const).every((reading) => {
    const [one, other] = [query, after.query].map((query) => resolve(query, { ...context, reading }));
    // A query that selects nothing because of another mistake proves nothing about this part.
    return one && other && areSame(one, other, effort) && !areSame(one, matchNoneFilter, effort);
  });
}
