import { useState } from 'preact/hooks';
import { visible } from '../format/visible.ts';
import { Dialog } from '../parts/dialog.tsx';
import { readHistory } from './history.ts';

interface HistoryDialogProps {
  readonly search: (query: string) => void;
  readonly close: () => void;
}

/** The earlier queries, with a field to find one. */
export function HistoryDialog({ search, close }: HistoryDialogProps) {
  const [wanted, setWanted] = useState('');
  const found = readHistory().filter((each) => each.toLowerCase().includes(wanted.toLowerCase()));
  return (
    <Dialog title="History" close={close}>
      <input
        type="search"
        aria-label="Find a query"
        placeholder="Find a query"
        value={wanted}
        onInput={({ currentTarget }) => setWanted(currentTarget.value)}
      />
      <ul class="choices">
        {found.map((query) => (
          <li key={query}>
            <button
              type="button"
              class="choice"
              onClick={() => {
                search(query);
                close();
              }}
            >
              {visible(query)}
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="note">No query yet.</p>}
    </Dialog>
  );
}
