import { buildIndex, type Case, type IndexState } from '../../case/index.ts';
import { displayProgress } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Indexes all logs of a case that are not indexed yet and shows the progress. */
export async function buildIndexOf(into: Case, terminal: Terminal): Promise<IndexState> {
  const display = displayProgress(terminal);
  try {
    return await buildIndex(into, {
      isAlone: true,
      signal: terminal.interruption(),
      onProgress: ({ done, total }) => display.update({ doing: 'Indexing', done, total, unit: 'logs' }),
    });
  } finally {
    display.end();
  }
}
