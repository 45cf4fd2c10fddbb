import { useState } from 'preact/hooks';

/** Content of a note as a person writes it. */
export interface NoteText {
  readonly text: string;
  readonly tags: readonly string[];
}

interface NoteFormProps {
  readonly before?: NoteText;
  readonly action: string;
  readonly isWriting: boolean;
  readonly error?: string | undefined;
  /** Resolves with true if the note was written. */
  readonly save: (note: NoteText) => Promise<boolean>;
  readonly cancel?: () => void;
}

/** Fields for the comment and the tags of a note. Without a comment it is a bookmark. */
export function NoteForm({ before, action, isWriting, error, save, cancel }: NoteFormProps) {
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
