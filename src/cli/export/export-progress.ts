import type { ExportProgress } from '../../export/index.ts';
import { printable } from '../terminal/printable.ts';
import type { Progress, ProgressDisplay } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Reports the progress of an export: lasting changes as messages, the rest as a status line. */
export function showExportProgress(
  { say }: Pick<Terminal, 'say'>,
  display: ProgressDisplay,
): (progress: ExportProgress) => void {
  let trouble: string | undefined;
  return (progress) => {
    if (progress.stage === 'submitted')
      say(`The deployment works on the export as job ${printable(progress.jobId)}.`);
    if (progress.stage === 'damaged') {
      say(`The zip is damaged and is downloaded again: ${printable(progress.reason)}`);
    }
    if (progress.stage === 'waiting' && progress.trouble !== trouble) {
      trouble = progress.trouble;
      if (trouble !== undefined)
        say(`The job cannot be read just now, so it is asked for again: ${printable(trouble)}`);
    }
    const state = stateOf(progress);
    if (state) display.update(state);
  };
}

function stateOf(progress: ExportProgress): Progress | undefined {
  switch (progress.stage) {
    case 'submitting':
      return { doing: 'Submitting the export' };
    case 'waiting':
      return { doing: `Waiting for the job (${printable(progress.status)})` };
    case 'downloading':
      return { doing: 'Downloading', done: progress.bytes, unit: 'B' };
    case 'loading':
      return { doing: 'Loading', done: progress.logs + progress.unreadable, unit: 'logs' };
    default:
      return undefined;
  }
}
