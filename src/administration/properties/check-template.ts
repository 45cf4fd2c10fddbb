import {
  type MessageFinding,
  type PropertyTemplate,
  readTemplate,
  undocumentedTypes,
} from '../../protocol/index.ts';
import type { TemplateFinding } from './finding.ts';
import { templateRules } from './rules/index.ts';

/** What a template is checked against. */
export interface CheckOptions {
  /** The template as the deployment has it: with it, members that cannot be edited are compared. */
  readonly original?: PropertyTemplate | undefined;
  /** The version of the deployment, such as `11.2`: with it, what that version does not know is found. */
  readonly version?: string | undefined;
}

/** A template that was checked. */
export interface CheckedTemplate {
  /** Absent where the types are wrong: then nothing else was looked at. */
  readonly template?: PropertyTemplate;
  readonly findings: readonly TemplateFinding[];
}

/**
 * Checks a template before it is sent. A finding that the original has as well is
 * a warning only: the deployment gave that value. Without the original so is a
 * value of another type than the documented one, which the deployment may have given.
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
