import { type TemplateChange, writeExactJson } from '../../client/index.ts';
import { printable } from '../terminal/printable.ts';
import type { Face } from '../terminal/terminal.ts';

/** A finding of a check before sending. */
interface Finding {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly message: string;
}

/** Formats findings, one a line, errors first; each line ends with a line feed. Without findings, says so. */
export function findingsText(findings: readonly Finding[], { style }: Face): string {
  if (findings.length === 0) return 'Nothing is wrong.\n';
  const errors = findings.filter(({ severity }) => severity === 'error');
  const warnings = findings.filter(({ severity }) => severity === 'warning');
  return [...errors, ...warnings]
    .map(({ severity, code, message }) => {
      const word = severity === 'error' ? style.red('error') : style.yellow('warning');
      return `${word}: ${printable(message)} [${code}]\n`;
    })
    .join('');
}

/** Formats changes, one a line; each line ends with a line feed. */
export function changesText(changes: readonly TemplateChange[], { style }: Face): string {
  if (changes.length === 0) return 'Nothing changes.\n';
  return changes
    .map((change) => {
      const remark = change.editable === false ? style.red(' (cannot be edited)') : '';
      return `${printable(change.path)}: ${valuesOf(change)}${remark}\n`;
    })
    .join('');
}

function valuesOf({ kind, before, after }: TemplateChange): string {
  const shown = (value: unknown) => printable(writeExactJson(value));
  switch (kind) {
    case 'added':
      return `${shown(after)} is added`;
    case 'removed':
      return `${shown(before)} is removed`;
    case 'changed':
      return `${shown(before)} becomes ${shown(after)}`;
  }
}
