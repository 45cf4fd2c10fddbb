import type { WindowsProgress } from '../../export/index.ts';
import { shownTime } from '../output/log-table.ts';
import { printable } from '../terminal/printable.ts';
import { amount, counted, type ProgressDisplay } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Shows the progress of an export in windows: its lasting news as lines, the rest as a state. */
export function showWindows(
  { say }: Pick<Terminal, 'say'>,
  display: ProgressDisplay,
): (progress: WindowsProgress) => void {
  let isAtWork = false;
  let trouble: string | undefined;
  return (progress) => {
    switch (progress.event) {
      case 'begun': {
        const { resumed, oldest, newest } = progress;
        if (resumed) say(`The export of ${shownTime(oldest)} to ${shownTime(newest)} (UTC) goes on.`);
        display.update({ doing: 'Exporting' });
        return;
      }
      case 'window':
        if (!isAtWork && progress.state === 'submitted' && progress.job !== undefined) {
          isAtWork = true;
          say(`The deployment works on the export as job ${printable(progress.job)}.`);
        }
        return;
      case 'trouble':
        if (progress.message !== trouble) say(`It goes on in spite of this: ${printable(progress.message)}`);
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
  const notes = [counted(windows, 'window'), amount(bytes, 'B'), `${counted(underWay, 'job')} under way`];
  return {
    ...{ doing: 'Exporting', done: logs, unit: 'logs', note: notes.join(', ') },
    // Nothing is done before the last job is.
    ...(remaining !== undefined && { total: Math.max(logs + remaining, logs + Math.min(1, underWay)) }),
  };
}
