import type { Verification } from '../../store/index.ts';
import { printable } from '../terminal/printable.ts';
import { counted } from '../terminal/progress.ts';
import type { Face } from '../terminal/terminal.ts';

/** The result of checking a case, for people: a line for each deviation, the counts, the last hash. */
export function verificationLines(checked: Verification, { style }: Face): string[] {
  const { files, parts, logs, unreadable, actions, head, deviations, remarks } = checked;
  const counts = `${counted(files, 'original')}, ${counted(parts, 'part')}, ${counted(logs, 'log')}, ${counted(unreadable, 'unreadable record')}, ${counted(actions, 'action')}`;
  return [
    ...deviations.map(({ code, message }) => `${style.red(code)}  ${printable(message)}`),
    deviations.length === 0
      ? `${style.green('As it came')}: ${counts}.`
      : `${counted(deviations.length, 'deviation')} in ${counts}.`,
    ...remarks.map((remark) => printable(remark)),
    ...(head === undefined ? [] : [`Last hash: ${head}`]),
  ];
}
