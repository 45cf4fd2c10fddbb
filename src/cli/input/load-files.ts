import {
  type AddedFile,
  type AddProgress,
  addFiles,
  type Case,
  entryNotes,
  lossesOf,
} from '../../store/index.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import { reportFailure } from '../failure.ts';
import { noteLines } from '../output/note-lines.ts';
import { partRemarks } from '../output/part-table.ts';
import { printable, printableName } from '../terminal/printable.ts';
import { displayProgress } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';

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
export async function loadFiles(
  into: Case,
  files: readonly string[],
  { zone, terminal }: Work,
): Promise<Loaded> {
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
  for (const line of parts.flatMap((part) => partRemarks(part, { isKept }))) terminal.say(line);
  for (const line of noteLines(await entryNotes(into, parts))) terminal.say(line);
  const hasProblem = added.some((each) => 0 < lossesOf(each.parts).length);
  for (const { name, parts } of added.filter(({ parts }) => parts.every(({ problem }) => !problem)))
    for (const { message } of lossesOf(parts))
      terminal.say(`"${printableName(name)}": ${printable(message)}`);
  return { added, outcome: worst === exitCodes.done && hasProblem ? exitCodes.no : worst };
}

/** Says why one file could not be loaded. Any other failure ends the loading. */
function failureOf(error: unknown, terminal: Terminal): ExitCode {
  if (!(error instanceof Error && 'code' in error && ofTheFile.has(error.code))) throw error;
  return reportFailure(error, terminal);
}
