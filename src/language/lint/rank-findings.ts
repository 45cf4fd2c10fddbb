import { applyFix, compareFindings, type Finding, type Severity } from '../parse/finding.ts';

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
