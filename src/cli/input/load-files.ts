import {
  type AddedFile,
  type AddProgress,
  addFiles,
  type Case,
  entryNotes,
  lossesOf,
} from '../../case/index.ts';
import { type ExitCode, exitCodes } from '../command-line/exit-code.ts';
import { reportFailure } from '../command-line/report-failure.ts';
import { entryNoteLines } from '../output/entry-note-lines.ts';
import { partRemarks } from '../output/part-table.ts';
import { escapeFileName, escapeUnsafe } from '../terminal/printable.ts';
import { displayProgress } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Result of loading files. */
export interface LoadedFiles {
  readonly added: readonly AddedFile[];
  /** Exit code: not `done` if a file could not be loaded. */
  readonly outcome: ExitCode;
}

interface Work {
  /** Zone of times without one. */
  readonly zone: string;
  readonly terminal: Terminal;
}

/** Failures of a single file, after which the others are still loaded. */
const ofTheFile: ReadonlySet<unknown> = new Set(['FILE_UNREADABLE', 'TRUNCATED_ZIP', 'BAD_ZIP', 'TOO_BIG']);

/** Loads files into a case, shows the progress, and reports failures. */
export async function loadFiles(
  into: Case,
  files: readonly string[],
  { zone, terminal }: Work,
): Promise<LoadedFiles> {
  const added: AddedFile[] = [];
  let worst: ExitCode = exitCodes.done;
  const display = displayProgress(terminal);
  const onProgress = ({ file, bytes, totalBytes }: AddProgress) => {
    const total = totalBytes !== undefined && { total: totalBytes };
    display.update({ doing: `Loading ${file}`, done: bytes, unit: 'B', ...total });
  };
  try {
    const signal = terminal.interruption();
    for await (const addition of addFiles(into, files, { signal, zone, onProgress })) {
      if ('added' in addition) added.push(addition.added);
      else {
        terminal.show('');
        worst = failureOf(addition.error, terminal);
      }
    }
  } finally {
    display.end();
  }
  const isKept = into.originals !== 'in place';
  const parts = added.flatMap((each) => each.parts);
  for (const line of partRemarks(parts, { isKept })) terminal.say(line);
  for (const line of entryNoteLines(await entryNotes(into, parts))) terminal.say(line);
  const hasProblem = added.some((each) => 0 < lossesOf(each.parts).length);
  for (const { name, parts } of added.filter(({ parts }) => parts.every(({ problem }) => !problem)))
    for (const { message } of lossesOf(parts))
      terminal.say(`"${escapeFileName(name)}": ${escapeUnsafe(message)}`);
  return { added, outcome: worst === exitCodes.done && hasProblem ? exitCodes.no : worst };
}

/** Reports why a file could not be loaded. Throws any other error. */
function failureOf(error: unknown, terminal: Terminal): ExitCode {
  if (!(error instanceof Error && 'code' in error && ofTheFile.has(error.code))) throw error;
  return reportFailure(error, terminal);
}
