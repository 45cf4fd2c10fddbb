import type { WindowsProgress } from '../../export/index.ts';
import type { TimeZone } from '../../records/index.ts';
import { escapeUnsafe } from '../terminal/printable.ts';
import { formatAmount, formatCount, type ProgressDisplay } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { formatRange } from '../terminal/time-format.ts';

/** Reports the progress of a windowed export: lasting changes as messages, the rest as a status line. */
export function showWindowsProgress(
  { say }: Pick<Terminal, 'say'>,
  display: ProgressDisplay,
  zone?: TimeZone,
): (progress: WindowsProgress) => void {
  let isAtWork = false;
  let trouble: string | undefined;
  return (progress) => {
    switch (progress.event) {
      case 'begun': {
        const { resumed, oldest, newest } = progress;
        if (resumed) say(`Resuming the export of ${formatRange({ oldest, newest }, zone)}.`);
        display.update({ doing: 'Exporting' });
        return;
      }
      case 'window':
        if (!isAtWork && progress.state === 'submitted' && progress.job !== undefined) {
          isAtWork = true;
          say(`Export job ${escapeUnsafe(progress.job)} is running at the deployment.`);
        }
        return;
      case 'trouble':
        if (progress.message !== trouble) say(`Retrying: ${escapeUnsafe(progress.message)}`);
        trouble = progress.message;
        return;
      case 'totals':
        display.update(stateOf(progress));
    }
  };
}

function stateOf({
  windows,
  underWay,
  bytes,
  logs,
  remaining,
}: Extract<WindowsProgress, { event: 'totals' }>) {
  const notes = [
    formatCount(windows, 'window'),
    formatAmount(bytes, 'B'),
    `${formatCount(underWay, 'job')} running`,
  ];
  return {
    ...{ doing: 'Exporting', done: logs, unit: 'logs', note: notes.join(', ') },
    // Not complete before the last job is.
    ...(remaining !== undefined && { total: Math.max(logs + remaining, logs + Math.min(1, underWay)) }),
  };
}
