import type { ExportProgress } from '../../export/index.ts';
import { escapeUnsafe } from '../terminal/printable.ts';
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
      say(`Export job ${escapeUnsafe(progress.jobId)} is running at the deployment.`);
    if (progress.stage === 'damaged') {
      say(`The zip is damaged; downloading it again: ${escapeUnsafe(progress.reason)}`);
    }
    if (progress.stage === 'waiting' && progress.trouble !== trouble) {
      trouble = progress.trouble;
      if (trouble !== undefined)
        say(`The status of the job is not available; retrying: ${escapeUnsafe(trouble)}`);
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
      return { doing: `Waiting for the job (${escapeUnsafe(progress.status)})` };
    case 'downloading':
      return { doing: 'Downloading', done: progress.bytes, unit: 'B' };
    case 'loading':
      return { doing: 'Loading', done: progress.logs + progress.unreadable, unit: 'logs' };
    default:
      return undefined;
  }
}
