import { type MessageFinding, type PropertyTemplate, readTemplate } from '../../protocol/index.ts';
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
 * Checks a template before it is sent. What is wrong with the original in the
 * same way is told as a warning only: the deployment lives with it.
 *
 * ```ts
 * checkTemplate({ ...template, spec: { replicas: { min: 1, max: 4, scalingMode: 'manual' } } });
 * // findings: [{ code: 'manual-range', severity: 'error', path: 'spec.replicas.max', message: '…' }]
 * ```
 */
export function checkTemplate(body: unknown, options: CheckOptions = {}): CheckedTemplate {
  const read = readTemplate(body);
  if ('findings' in read) return { findings: read.findings.map(toFinding) };
  const { template } = read;
  const { original, version } = options;
  const before = original ? findingsOf(original, { version }) : [];
  const findings = findingsOf(template, options).map((finding) =>
    before.some((known) => isAlike(known, finding)) ? { ...finding, severity: 'warning' as const } : finding,
  );
  return { template, findings };
}

function findingsOf(template: PropertyTemplate, { original, version }: CheckOptions): TemplateFinding[] {
  const found: TemplateFinding[] = [];
  const report = (finding: TemplateFinding) => void found.push(finding);
  for (const rule of templateRules) rule({ template, original, version, report });
  return found;
}

function isAlike(a: TemplateFinding, b: TemplateFinding): boolean {
  return a.code === b.code && a.path === b.path && a.message === b.message;
}

function toFinding({ parameter, message }: MessageFinding): TemplateFinding {
  return { code: 'wrong-type', severity: 'error', path: parameter, message };
}
