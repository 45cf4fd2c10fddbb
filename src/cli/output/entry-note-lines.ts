import type { EntryNote } from '../../case/index.ts';
import { escapeFileName } from '../terminal/printable.ts';
import { formatNumber } from '../terminal/progress.ts';

/** Number of notes reported one by one. */
const shown = 20;

/** Notes on zip entries that lose nothing: those that are no log files, and those with the same logs. */
export function entryNoteLines(notes: readonly EntryNote[]): readonly string[] {
  const lines = notes.slice(0, shown).map(lineOf);
  if (notes.length <= shown) return lines;
  return [...lines, `… and ${formatNumber(notes.length - shown)} more notes; --json lists all.`];
}

function lineOf(note: EntryNote): string {
  const where = note.files === 1 ? '' : `, in ${formatNumber(note.files)} zips`;
  if (note.kind === 'no log file')
    return `${nameOf(note.entry)} is not a log file (${note.format})${where}: it is kept only in the original.`;
  const [first, second] = note.entries;
  const what = note.isLeftOut ? `those of ${nameOf(second)} were left out` : 'both are in the case';
  return `${nameOf(first)} and ${nameOf(second)} hold the same logs${where}: ${what}.`;
}

function nameOf(entry: string): string {
  return `"${escapeFileName(entry)}"`;
}
