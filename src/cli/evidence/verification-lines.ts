import type { Verification } from '../../case/index.ts';
import type { ClusterVerification } from '../../cluster/index.ts';
import { escapeUnsafe } from '../terminal/printable.ts';
import { formatCount } from '../terminal/progress.ts';
import type { Face } from '../terminal/terminal.ts';

/** Formats the result of verifying a case: a line for each deviation, the counts, the last hash. */
export function verificationLines(checked: Verification, face: Face): string[] {
  const { actions, head } = checked;
  return [
    ...resultLines(checked, `${countsOf(checked)}, ${formatCount(actions, 'action')}`, face),
    ...(head === undefined ? [] : [`Last hash: ${head}`]),
  ];
}

/** Formats the result of verifying a cluster: a line for each deviation, and the counts. */
export function clusterVerificationLines(checked: ClusterVerification, face: Face): string[] {
  return resultLines(checked, countsOf(checked), face);
}

type Counts = Pick<Verification, 'files' | 'parts' | 'logs' | 'unreadable'>;

function countsOf({ files, parts, logs, unreadable }: Counts): string {
  return `${formatCount(files, 'original')}, ${formatCount(parts, 'part')}, ${formatCount(logs, 'log')}, ${formatCount(unreadable, 'unreadable record')}`;
}

function resultLines(
  { deviations, remarks }: Pick<Verification, 'deviations' | 'remarks'>,
  counts: string,
  { style }: Face,
): string[] {
  return [
    ...deviations.map(({ code, message }) => `${style.red(code)}  ${escapeUnsafe(message)}`),
    deviations.length === 0
      ? `${style.green('Intact')}: ${counts}.`
      : `${formatCount(deviations.length, 'deviation')} in ${counts}.`,
    ...remarks.map((remark) => escapeUnsafe(remark)),
  ];
}
