import type { Verification } from '../../store/index.ts';
import { escapeUnsafe } from '../terminal/printable.ts';
import { formatCount } from '../terminal/progress.ts';
import type { Face } from '../terminal/terminal.ts';

/** Formats the result of verifying a case: a line for each deviation, the counts, the last hash. */
export function verificationLines(checked: Verification, { style }: Face): string[] {
  const { files, parts, logs, unreadable, actions, head, deviations, remarks } = checked;
  const counts = `${formatCount(files, 'original')}, ${formatCount(parts, 'part')}, ${formatCount(logs, 'log')}, ${formatCount(unreadable, 'unreadable record')}, ${formatCount(actions, 'action')}`;
  return [
    ...deviations.map(({ code, message }) => `${style.red(code)}  ${escapeUnsafe(message)}`),
    deviations.length === 0
      ? `${style.green('Intact')}: ${counts}.`
      : `${formatCount(deviations.length, 'deviation')} in ${counts}.`,
    ...remarks.map((remark) => escapeUnsafe(remark)),
    ...(head === undefined ? [] : [`Last hash: ${head}`]),
  ];
}
