import { buildIndex, type Case, type IndexState } from '../store/index.ts';
import { displayProgress } from './terminal/progress.ts';
import type { Terminal } from './terminal/terminal.ts';

/** Brings the index of a case up to all of its logs and shows how far that is. */
export async function buildIndexOf(into: Case, terminal: Terminal): Promise<IndexState> {
  const display = displayProgress(terminal);
  try {
    return await buildIndex(into, {
      signal: terminal.interruption(),
      onProgress: ({ done, total }) => display.update({ doing: 'Indexing', done, total, unit: 'logs' }),
    });
  } finally {
    display.end();
  }
}
