import { useState } from 'preact/hooks';
import type { Answers } from '../../server/index.ts';
import { useWriter } from '../api/use-writes.ts';
import { colourClass } from '../format/levels.ts';
import { formatTime } from '../format/times.ts';
import { visible } from '../format/visible.ts';
import { usePage } from '../state/use-page-state.ts';
import { NoteForm } from './note-form.tsx';

/** A note as the server lists it. */
export type PageNote = Answers['notes']['result'][number];

/** A note with its logs, and ways to change and remove it. */
export function NoteCard({ note, names }: { readonly note: PageNote; readonly names?: readonly string[] }) {
  const { state } = usePage();
  const [isEditing, setEditing] = useState(false);
  const { write, isWriting, error } = useWriter();
  const { ofCase, note: number, text, tags, author, written, changed } = note;
  const when = (time: number) => formatTime(time, state.zone).slice(0, 19);
  return (
    <article class="note-card" aria-label={`Note ${number}`}>
      <header class="note-head">
        <strong>{visible(author)}</strong>
        <span class="time">{when(written)}</span>
        {changed && (
          <span class="note">
            changed {when(changed.time)} by {visible(changed.author)}
          </span>
        )}
        {names && 1 < names.length && <span class="note">{visible(names[ofCase] ?? '')}</span>}
        {tags.map((tag) => (
          <span key={tag} class="tag">
            {visible(tag)}
          </span>
        ))}
      </header>
      {isEditing ? (
        <NoteForm
          {...{ before: { text, tags }, action: 'Change', isWriting, error }}
          save={async (edit) => {
            const isDone = await write('changeNote', {
              ofCase,
              note: number,
              text: edit.text,
              tags: [...edit.tags],
            });
            if (isDone) setEditing(false);
            return isDone;
          }}
          cancel={() => setEditing(false)}
        />
      ) : (
        <>
          <p class="note-text">{text === '' ? <em>Bookmark</em> : visible(text)}</p>
          <NoteLogs note={note} />
          <div class="note-actions">
            <button type="button" class="small" onClick={() => setEditing(true)}>
              Edit
            </button>
            <button
              type="button"
              class="small"
              disabled={isWriting}
              onClick={() => void write('removeNote', { ofCase, note: number })}
            >
              Remove
            </button>
          </div>
          {error !== undefined && (
            <p class="failure" role="alert">
              {error}
            </p>
          )}
        </>
      )}
    </article>
  );
}

function NoteLogs({ note: { shown, logs, ofCase } }: { readonly note: PageNote }) {
  const { go } = usePage();
  const others = logs.length - shown.length;
  if (logs.length === 0) return <p class="note">On the whole case</p>;
  return (
    <ul class="note-logs">
      {shown.map(({ id, log }) => (
        <li key={id}>
          <button type="button" class="template" onClick={() => go({ log: `${ofCase}:${id}` })}>
            <span class={`level-badge ${colourClass(log.logLevel)}`}>{visible(log.logLevel ?? 'log')}</span>{' '}
            Log {id}
          </button>{' '}
          <span class="note-message">{visible((log.msg ?? '').slice(0, 200))}</span>
        </li>
      ))}
      {0 < others && <li class="note">and {others} more</li>}
    </ul>
  );
}
