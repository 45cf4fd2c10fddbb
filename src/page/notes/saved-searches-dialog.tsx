import { useState } from 'preact/hooks';
import { useAnswer } from '../api/use-answer.ts';
import { useWriter, useWritten } from '../api/use-writes.ts';
import { formatTime } from '../format/times.ts';
import { visible } from '../format/visible.ts';
import { Dialog } from '../parts/dialog.tsx';
import { StateNote } from '../parts/state-note.tsx';
import { usePage } from '../state/use-page-state.ts';

/** Searches that the case keeps: saves the present query with its times, opens and removes others. */
export function SavedSearchesDialog({ close }: { readonly close: () => void }) {
  const { state, go } = usePage();
  const answer = useAnswer('searches', {}, useWritten());
  const { write, isWriting, error } = useWriter();
  const [name, setName] = useState('');
  const { q, from, to } = state;
  const save = async () => {
    const times = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
    if (await write('saveSearch', { ofCase: 0, name: name.trim(), query: q, ...times })) setName('');
  };
  const stretch = (first: number | undefined, last: number | undefined) => {
    const [start, end] = [first, last].map((time) =>
      time === undefined ? '…' : formatTime(time, state.zone),
    );
    return first === undefined && last === undefined ? '' : `${start} to ${end}`;
  };
  return (
    <Dialog title="Saved searches" close={close}>
      <form
        class="save-search"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <label>
          Save this search as
          <input
            type="text"
            required
            maxLength={200}
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary" disabled={isWriting || name.trim() === ''}>
          Save
        </button>
        <p class="note">
          <code>{visible(q === '' ? '*:*' : q)}</code> {stretch(from, to)}
        </p>
      </form>
      {error !== undefined && (
        <p class="failure" role="alert">
          {error}
        </p>
      )}
      <StateNote answer={answer} doing="Reading" />
      <ul class="choices">
        {(answer.result ?? []).map((each) => (
          <li key={`${each.ofCase} ${each.name}`} class="saved-search">
            <button
              type="button"
              class="choice"
              onClick={() => {
                go({ q: each.query, from: each.from, to: each.to });
                close();
              }}
            >
              <strong>{visible(each.name)}</strong>{' '}
              <code>{visible(each.query === '' ? '*:*' : each.query)}</code> {stretch(each.from, each.to)}{' '}
              <span class="note">{visible(each.author)}</span>
            </button>
            <button
              type="button"
              class="small"
              aria-label={`Remove ${visible(each.name)}`}
              disabled={isWriting}
              onClick={() => void write('removeSearch', { ofCase: each.ofCase, name: each.name })}
            >
              Remove
            </button>
          </li>
        ))}
      </ul>
      {answer.result?.length === 0 && <p class="note">No saved search yet.</p>}
    </Dialog>
  );
}
