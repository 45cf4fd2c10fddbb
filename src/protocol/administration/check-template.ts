import type { MessageFinding } from '../finding.ts';
import { readTemplate, undocumentedTypes } from '../properties/read-template.ts';
import type { PropertyTemplate } from '../properties/template.ts';
import type { TemplateFinding } from './finding.ts';
import { templateRules } from './template-rules.ts';

/** Context of the check of a template. */
export interface CheckOptions {
  /** The template at the deployment. With it, members that cannot be edited are compared. */
  readonly original?: PropertyTemplate | undefined;
  /** The version of the deployment, such as `11.2`. With it, members and values of later versions are found. */
  readonly version?: string | undefined;
}

/** A checked template. */
export interface CheckedTemplate {
  /** Absent if the types are wrong: then no rule is checked. */
  readonly template?: PropertyTemplate;
  readonly findings: readonly TemplateFinding[];
}

/**
 * Checks a template before it is sent. A finding that the original has too is a warning only: the deployment
 * gave that value. Without the original, a value of an undocumented type is also a warning, because the
 * deployment may have given it.
 *
 * ```ts
 * checkTemplate({ ...template, spec: { replicas: { min: 1, max: 4, scalingMode: 'manual' } } });
 * // findings: [{ code: 'manual-range', severity: 'error', path: 'spec.replicas.max', message: '…' }]
 * ```
 */
export function checkTemplate(body: unknown, options: CheckOptions = {}): CheckedTemplate {
  const read = readTemplate(body);
  if ('findings' in read) return { findings: read.findings.map(toTypeFinding('error')) };
  const { template } = read;
  const { original, version } = options;
  const before = original ? findingsOf(original, { version }) : [];
  const findings = findingsOf(template, options).map((finding) =>
    before.some((known) => isAlike(known, finding)) ? { ...finding, severity: 'warning' as const } : finding,
  );
  return { template, findings };
}

function findingsOf(template: PropertyTemplate, { original, version }: CheckOptions): TemplateFinding[] {
  const found = undocumentedTypes(template).map(toTypeFinding(original ? 'error' : 'warning'));
  const report = (finding: TemplateFinding) => void found.push(finding);
  for (const rule of templateRules) rule({ template, original, version, report });
  return found;
}

function isAlike(a: TemplateFinding, b: TemplateFinding): boolean {
  return a.code === b.code && a.path === b.path && a.message === b.message;
}

function toTypeFinding(severity: TemplateFinding['severity']) {
  return ({ parameter, message }: MessageFinding): TemplateFinding => ({
    code: 'wrong-type',
    severity,
    path: parameter,
    message,
  });
}
