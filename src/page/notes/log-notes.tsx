import { useAnswer } from '../api/use-answer.ts';
import { useWriter, useWritten } from '../api/use-writes.ts';
import { StateNote } from '../parts/state-note.tsx';
import { NoteCard } from './note-card.tsx';
import { NoteForm } from './note-form.tsx';

/** The notes on one log, and a form for another. */
export function LogNotes({ ofCase, id }: { readonly ofCase: number; readonly id: number }) {
  const answer = useAnswer('notes', {}, useWritten());
  const { write, isWriting, error } = useWriter();
  const found = (answer.result ?? []).filter((each) => each.ofCase === ofCase && each.logs.includes(id));
  return (
    <div class="log-notes">
      <StateNote answer={answer} doing="Reading notes" />
      {found.map((each) => (
        <NoteCard key={each.note} note={each} />
      ))}
      <NoteForm
        {...{ action: 'Add note', isWriting, error }}
        save={({ text, tags }) => write('addNote', { ofCase, logs: [id], text, tags: [...tags] })}
      />
    </div>
  );
}
