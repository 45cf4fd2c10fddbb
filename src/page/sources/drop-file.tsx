import { useEffect, useState } from 'preact/hooks';
import type { OpeningAccess } from './use-opening.ts';

interface DropFileProps {
  readonly access: OpeningAccess;
  readonly isBusy: boolean;
}

/** A file to drop anywhere on the page or to choose; it goes to the server of this machine alone. */
export function DropFile({ access, isBusy }: DropFileProps) {
  const [into, setInto] = useState('');
  const [isOver, setOver] = useState(false);
  const name = caseName(into);
  const take = (files: FileList | null | undefined) => {
    const [file] = files ?? [];
    if (file && !isBusy) access.openFile(file, name);
  };
  useEffect(() => {
    const over = (event: DragEvent) => {
      event.preventDefault();
      setOver(event.dataTransfer?.types.includes('Files') === true);
    };
    const leave = () => setOver(false);
    const drop = (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      take(event.dataTransfer?.files);
    };
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
    };
  });
  return (
    <section class={`card start-card${isOver ? ' drop-target' : ''}`} aria-labelledby="start-drop">
      <h2 id="start-drop">Drop a file here</h2>
      <p class="note">A case, an exported zip or a log file of any size. It stays on this machine.</p>
      <label>
        Choose a file
        <input
          type="file"
          disabled={isBusy}
          onChange={({ currentTarget }) => {
            take(currentTarget.files);
            currentTarget.value = '';
          }}
        />
      </label>
      <label>
        Keep its logs in a new case file (optional)
        <input
          value={into}
          placeholder="incident.duckdb"
          onInput={({ currentTarget }) => setInto(currentTarget.value)}
        />
      </label>
      <p class="note">
        {name === '' ? 'Without a name it is gone when the server stops.' : `Becomes ${name} in the folder.`}
      </p>
    </section>
  );
}

/** The name of a case file, with its ending; empty for a blank text. */
export function caseName(text: string): string {
  const name = text.trim();
  return name === '' || name.endsWith('.duckdb') ? name : `${name}.duckdb`;
}
