import { compareFindings, type Finding, type Severity } from '../language/finding.ts';

/**
 * The findings of a query in the order to read them: errors, warnings, hints, each in the order of
 * the text. A hint at the very place of a weightier finding is folded into it if both say the same:
 * they have a fix in common, or the hint only adds that the part has no effect.
 */
export function rankFindings(findings: readonly Finding[]): Finding[] {
  const ranked = bySeverity(findings);
  const hosts = new Map<string, Finding>();
  const folded = new Map<Finding, Finding[]>();
  const kept = ranked.filter((finding) => {
    const host = hosts.get(placeOf(finding));
    if (finding.severity === 'hint' && host && saysTheSame(finding, host)) {
      folded.set(host, [...(folded.get(host) ?? []), finding]);
      return false;
    }
    if (finding.severity !== 'hint' && !host) hosts.set(placeOf(finding), finding);
    return true;
  });
  return kept.map((finding) => withMessages(finding, folded.get(finding) ?? []));
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
  return { ...finding, message: finding.message + added.join('') };
}
