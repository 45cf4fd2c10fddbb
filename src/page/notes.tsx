import { useEffect, useRef, useState } from 'preact/hooks';
import type { Answers } from '../server/index.ts';
import { colourClass, formatCount, formatTime, visible } from './format.ts';
import { CaseSelect, StateNote } from './parts.tsx';
import { useAnswer, useWriter, useWritten } from './server-calls.ts';
import { usePage } from './use-page-state.ts';

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

/** Content of a note as a person writes it. */
interface NoteText {
  readonly text: string;
  readonly tags: readonly string[];
}

interface NoteFormProps {
  readonly before?: NoteText;
  readonly action: string;
  readonly isWriting: boolean;
  readonly error?: string | undefined;
  /** The comment takes the focus whenever this grows. */
  readonly focused?: number;
  /** Resolves with true if the note was written. */
  readonly save: (note: NoteText) => Promise<boolean>;
  readonly cancel?: () => void;
}

/** Fields for the comment and the tags of a note. Without a comment it is a bookmark. */
export function NoteForm({ before, action, isWriting, error, focused = 0, save, cancel }: NoteFormProps) {
  const comment = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (0 < focused) comment.current?.focus();
  }, [focused]);
  const [text, setText] = useState(before?.text ?? '');
  const [tags, setTags] = useState(before?.tags.join(', ') ?? '');
  const submit = async () => {
    const list = tags.split(',').map((each) => each.trim());
    const isSaved = await save({ text: text.trim(), tags: list.filter((each) => each !== '') });
    if (!isSaved || before) return;
    setText('');
    setTags('');
  };
  return (
    <form
      class="note-form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <label>
        Comment
        <textarea
          ref={comment}
          rows={3}
          maxLength={10_000}
          value={text}
          placeholder="Empty for a bookmark"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            void submit();
          }}
        />
      </label>
      <label>
        Tags
        <input
          type="text"
          value={tags}
          placeholder="separated by commas"
          onInput={({ currentTarget }) => setTags(currentTarget.value)}
        />
      </label>
      <div class="note-actions">
        <button type="submit" class="primary" disabled={isWriting}>
          {action} <kbd>Ctrl Enter</kbd>
        </button>
        {cancel && (
          <button type="button" onClick={cancel}>
            Cancel
          </button>
        )}
      </div>
      {error !== undefined && (
        <p class="failure" role="alert">
          {error}
        </p>
      )}
    </form>
  );
}
