import {
  addNote,
  type Case,
  changeNote,
  listNotes,
  type Note,
  openCase,
  removeNote,
} from '../../case/index.ts';
import type { TimeZone } from '../../records/index.ts';
import type { RunCommand } from '../command-line/command.ts';
import { exitCodes, UsageError } from '../command-line/exit-code.ts';
import { systemUser } from '../input/system-user.ts';
import { formatRows, type Rows, readPrintedFormat } from '../output/output-format.ts';
import type { noteAddSpec, noteEditSpec, noteListSpec, noteRemoveSpec } from '../specs/analysis-specs.ts';
import { formatCount, printPieces } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { escapeUnsafe, toJson } from '../terminal/text.ts';
import { formatTime, timeHeading } from '../terminal/time-format.ts';

/** Adds a note. */
export const noteAddCommand: RunCommand<typeof noteAddSpec> = ({ arguments: values, options, terminal }) =>
  change(values.case, terminal, async (into) => {
    const { logs, text } = readWords(values.word);
    const author = options.author ?? systemUser();
    const note = await addNote(into, { logs, text, tags: options.tag, author });
    return { note, done: 'Added', json: options.json };
  });

/** Changes a note. */
export const noteEditCommand: RunCommand<typeof noteEditSpec> = ({
  arguments: values,
  options,
  terminal,
}) => {
  if (options.text === undefined && options.tag.length === 0)
    throw new UsageError('note edit requires --text or --tag');
  return change(values.case, terminal, async (into) => {
    const edit = {
      author: options.author ?? systemUser(),
      ...(options.text !== undefined && { text: options.text }),
      ...(0 < options.tag.length && { tags: options.tag }),
    };
    return { note: await changeNote(into, values.note, edit), done: 'Changed', json: options.json };
  });
};

/** Removes a note. */
export const noteRemoveCommand: RunCommand<typeof noteRemoveSpec> = ({
  arguments: values,
  options,
  terminal,
}) =>
  change(values.case, terminal, async (into) => {
    const author = options.author ?? systemUser();
    return { note: await removeNote(into, values.note, { author }), done: 'Removed', json: options.json };
  });

/** Lists the notes of a case. */
export const noteListCommand: RunCommand<typeof noteListSpec> = async ({
  arguments: values,
  options,
  terminal,
}) => {
  const format = readPrintedFormat(options);
  await using from = await openCase(values.case, { access: 'read' });
  const chosenTags = new Set(options.tag);
  const all = (await listNotes(from)).filter(
    ({ tags }) => chosenTags.size === 0 || tags.some((tag) => chosenTags.has(tag)),
  );
  const shown = all.slice(0, options.limit(terminal.stdout));
  await printPieces(formatRows(noteRows(shown, options.zone), format, terminal.stdout), terminal);
  const rest = all.length - shown.length;
  terminal.message(`${formatCount(all.length, 'note')}${rest === 0 ? '' : `, ${rest} more with --limit N`}.`);
  return exitCodes.done;
};

interface Changed {
  readonly note: Note;
  readonly done: string;
  readonly json: boolean;
}

async function change(path: string, terminal: Terminal, work: (into: Case) => Promise<Changed>) {
  await using into = await openCase(path, { access: 'write' });
  const { note, done, json } = await work(into);
  if (json) await terminal.print(`${toJson(note, 2)}\n`);
  terminal.message(`${done} note ${note.note} of "${escapeUnsafe(path)}".`);
  return exitCodes.done;
}

/** Separates ids from the comment, which is the last word unless it is a number. */
function readWords(args: readonly string[]): Pick<Note, 'logs' | 'text'> {
  const last = args.at(-1) ?? '';
  const isBookmark = /^\d+$/.test(last);
  const ids = isBookmark ? args : args.slice(0, -1);
  const wrong = ids.find((id) => !/^\d{1,15}$/.test(id));
  if (wrong !== undefined)
    throw new UsageError(
      `The ids of logs must be whole numbers, got "${wrong}"; a comment of several words needs quotes`,
    );
  return { logs: ids.map(Number), text: isBookmark ? '' : last };
}

function noteRows(notes: readonly Note[], zone: TimeZone): Rows<Note> {
  return {
    items: notes,
    columns: [
      { name: 'note', align: 'right' },
      { name: timeHeading('written', zone) },
      { name: 'author' },
      { name: 'logs' },
      { name: 'tags' },
      { name: 'comment' },
    ],
    shown: ({ note, written, author, logs, tags, text }) => [
      ...[String(note), formatTime(written, zone), author, logs.join(', '), tags.join(', '), text],
    ],
    names: ['note', 'written', 'author', 'changed', 'changedBy', 'logs', 'tags', 'comment'],
    cells: ({ note, written, author, changed, logs, tags, text }) => [
      ...[note, formatTime(written), author, changed && formatTime(changed.time), changed?.author],
      ...[logs.join(' '), tags.join(', '), text],
    ],
  };
}
