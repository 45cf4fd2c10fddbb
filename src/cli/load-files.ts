import { type AddedFile, addFile, type Case } from '../store/index.ts';
import { type ExitCode, exitCodes } from './exit-code.ts';
import { reportFailure } from './failure.ts';
import { partRemarks } from './part-table.ts';
import { displayProgress } from './progress.ts';
import type { Terminal } from './terminal.ts';

/** What became of files that were loaded. */
export interface Loaded {
  readonly added: readonly AddedFile[];
  /** What the process is to end with: not `done` when something could not be loaded. */
  readonly outcome: ExitCode;
}

interface Work {
  /** The zone of times that name none. */
  readonly zone: string;
  readonly terminal: Terminal;
}

/** Failures of one file, after which the others are loaded all the same. */
const ofTheFile: ReadonlySet<unknown> = new Set(['FILE_UNREADABLE', 'TRUNCATED_ZIP', 'BAD_ZIP', 'TOO_BIG']);

/** Loads files into a case, shows how far it is, and says what could not be loaded. */
export async function loadFiles(into: Case, files: readonly string[], work: Work): Promise<Loaded> {
  const signal = work.terminal.interruption();
  const added: AddedFile[] = [];
  let worst: ExitCode = exitCodes.done;
  for (const file of files) {
    const outcome = await loadOne(into, file, { ...work, signal });
    if ('failed' in outcome) worst = outcome.failed;
    else added.push(outcome);
  }
  const isKept = into.originals !== 'in place';
  const parts = added.flatMap((each) => each.parts);
  for (const line of parts.flatMap((part) => partRemarks(part, { isKept }))) work.terminal.say(line);
  const hasProblem = parts.some(({ problem }) => problem);
  return { added, outcome: worst === exitCodes.done && hasProblem ? exitCodes.no : worst };
}

async function loadOne(
  into: Case,
  file: string,
  { zone, signal, terminal }: Work & { readonly signal: AbortSignal },
): Promise<AddedFile | { readonly failed: ExitCode }> {
  const display = displayProgress(terminal);
  try {
    return await addFile(into, file, {
      signal,
      zone,
      onProgress: ({ bytes, totalBytes }) =>
        display.update({
          doing: `Loading ${file}`,
          done: bytes,
          unit: 'B',
          ...(totalBytes !== undefined && { total: totalBytes }),
        }),
    });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && ofTheFile.has(error.code))) throw error;
    return { failed: reportFailure(error, terminal) };
  } finally {
    display.end();
  }
}
