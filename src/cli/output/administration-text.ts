import type { TemplateChange } from '../../protocol/index.ts';
import { writeExactJson } from '../../records/index.ts';
import type { OutputStyle } from '../terminal/terminal.ts';
import { escapeUnsafe } from '../terminal/text.ts';

/** A finding of a check before sending. */
interface Finding {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
}

/** Formats findings, one a line, errors first; each line ends with a line feed. Without findings, says so. */
export function findingsText(findings: readonly Finding[], { style }: OutputStyle): string {
  if (findings.length === 0) return 'No findings.\n';
  const errors = findings.filter(({ severity }) => severity === 'error');
  const warnings = findings.filter(({ severity }) => severity === 'warning');
  return [...errors, ...warnings]
    .map(({ severity, code, message }) => {
      const word = severity === 'error' ? style.red('error') : style.yellow('warning');
      return `${word}: ${escapeUnsafe(message)} [${code}]\n`;
    })
    .join('');
}

/** Formats changes, one a line; each line ends with a line feed. */
export function changesText(changes: readonly TemplateChange[], { style }: OutputStyle): string {
  if (changes.length === 0) return 'No changes.\n';
  return changes
    .map((change) => {
      const remark = change.editable === false ? style.red(' (cannot be edited)') : '';
      return `${escapeUnsafe(change.path)}: ${valuesOf(change)}${remark}\n`;
    })
    .join('');
}

function valuesOf({ kind, before, after }: TemplateChange): string {
  const shown = (value: unknown) => escapeUnsafe(writeExactJson(value));
  switch (kind) {
    case 'added':
      return `added ${shown(after)}`;
    case 'removed':
      return `removed ${shown(before)}`;
    case 'changed':
      return `${shown(before)} → ${shown(after)}`;
  }
}
