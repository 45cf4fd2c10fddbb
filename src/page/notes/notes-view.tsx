import { useState } from 'preact/hooks';
import { useAnswer } from '../api/use-answer.ts';
import { useWriter, useWritten } from '../api/use-writes.ts';
import { formatCount } from '../format/numbers.ts';
import { visible } from '../format/visible.ts';
import { CaseSelect } from '../parts/case-select.tsx';
import { StateNote } from '../parts/state-note.tsx';
import { usePage } from '../state/use-page-state.ts';
import { NoteCard, type PageNote } from './note-card.tsx';
import { NoteForm } from './note-form.tsx';

/** The notes of the cases, with those of a tag, and a form for one on a whole case. */
export function NotesView({ names }: { readonly names: readonly string[] }) {
  const { state, go } = usePage();
  const answer = useAnswer('notes', {}, useWritten());
  const { write, isWriting, error } = useWriter();
  const [ofCase, setCase] = useState(0);
  const all = answer.result ?? [];
  const shown = all.filter(({ tags }) => state.tag === undefined || tags.includes(state.tag));
  return (
    <section class="view" aria-label="Notes">
      <div class="results-bar">
        <strong role="status">{answer.result ? formatCount(shown.length, 'note') : ''}</strong>
        <TagChoice notes={all} tag={state.tag} choose={(tag) => go({ tag })} />
        <StateNote answer={answer} doing="Reading notes" />
      </div>
      {answer.result && all.length === 0 && (
        <p class="note">
          No notes yet. Open a log and choose <em>Notes</em>, or write one on the whole case below.
        </p>
      )}
      {shown.map((each) => (
        <NoteCard key={`${each.ofCase}:${each.note}`} note={each} names={names} />
      ))}
      <h2>A note on the whole case</h2>
      <CaseSelect {...{ names, chosen: ofCase, choose: setCase }} />
      <NoteForm
        {...{ action: 'Add note', isWriting, error }}
        save={({ text, tags }) => write('addNote', { ofCase, logs: [], text, tags: [...tags] })}
      />
    </section>
  );
}

interface TagChoiceProps {
  readonly notes: readonly PageNote[];
  readonly tag: string | undefined;
  readonly choose: (tag: string | undefined) => void;
}

function TagChoice({ notes, tag, choose }: TagChoiceProps) {
  const tags = [
    ...new Set([...notes.flatMap((each) => each.tags), ...(tag === undefined ? [] : [tag])]),
  ].sort();
  if (tags.length === 0) return null;
  return (
    <select
      aria-label="Tag"
      value={tag ?? ''}
      onChange={({ currentTarget }) => choose(currentTarget.value === '' ? undefined : currentTarget.value)}
    >
      <option value="">All tags</option>
      {tags.map((each) => (
        <option key={each} value={each}>
          {visible(each)}
        </option>
      ))}
    </select>
  );
}
