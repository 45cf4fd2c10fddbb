import { useState } from 'preact/hooks';
import type { Answers } from '../../server/index.ts';
import { useAnswer } from '../api/use-answer.ts';
import { formatBytes } from '../format/numbers.ts';
import { formatTime } from '../format/times.ts';
import { visible } from '../format/visible.ts';
import { StateNote } from '../parts/state-note.tsx';
import { usePage } from '../state/use-page-state.ts';
import { DropFile } from './drop-file.tsx';
import { type OpeningAccess, useOpening } from './use-opening.ts';

type Offers = Answers['offers']['result'];

/** All that can be shown: files of the folder, the demo's incident, a file to drop in, an export to start. */
export function SourcesView() {
  const { state, go } = usePage();
  const answer = useAnswer('offers', {});
  const access = useOpening();
  const { result: offers } = answer;
  const isBusy = access.opening.status !== '';
  return (
    <section class="view sources" aria-label="Cases">
      <StateNote answer={answer} doing="Reading the folder" />
      <OpeningNote {...access} />
      {offers && (
        <>
          {0 < offers.given.length && 0 < state.cases.length && (
            <p>
              <button type="button" onClick={() => go({ cases: [], view: 'search', log: undefined })}>
                Show {visible(offers.given.join(', '))}, as at the start
              </button>
            </p>
          )}
          <FolderTable key={offers.folder} {...{ offers, access, isBusy }} />
          <div class="cards">
            <section class="card start-card" aria-labelledby="start-demo">
              <h2 id="start-demo">Try it with an incident</h2>
              <p class="note">
                Exports {offers.demo} from a reference deployment on this machine, in some seconds. It is gone
                when the server stops.
              </p>
              <button type="button" disabled={isBusy} onClick={() => access.openAll([offers.demo])}>
                Show the incident
              </button>
            </section>
            <DropFile access={access} isBusy={isBusy} />
            <section class="card start-card" aria-labelledby="start-export">
              <h2 id="start-export">Export from a deployment</h2>
              <p class="note">All logs of a time range, into a case file of this folder.</p>
              <button type="button" onClick={() => go({ view: 'export', log: undefined })}>
                Start an export
              </button>
            </section>
          </div>
        </>
      )}
    </section>
  );
}

interface FolderTableProps {
  readonly offers: Offers;
  readonly access: OpeningAccess;
  readonly isBusy: boolean;
}

/** Case files and log files of the folder, to open one, or several together. */
function FolderTable({ offers, access, isBusy }: FolderTableProps) {
  const { state } = usePage();
  const shown = 0 < state.cases.length ? state.cases : offers.given;
  const known = offers.files.filter(({ name }) => shown.includes(name)).map(({ name }) => name);
  const [chosen, setChosen] = useState<readonly string[]>(known);
  const { files, folder, hasMore } = offers;
  if (files.length === 0)
    return (
      <p class="note">
        The folder "{visible(folder)}" has no case file and no log file, such as .duckdb, .zip or .ndjson.
      </p>
    );
  const toggle = (name: string) =>
    setChosen(chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name]);
  return (
    <>
      <h2>Files of the folder "{visible(folder)}"</h2>
      <table class="list">
        <thead>
          <tr>
            <th scope="col">
              <span class="hidden">Together</span>
            </th>
            <th scope="col">name</th>
            <th scope="col">kind</th>
            <th scope="col" class="number">
              size
            </th>
            <th scope="col">changed</th>
          </tr>
        </thead>
        <tbody>
          {files.map(({ name, kind, bytes, changed }) => (
            <tr key={name} aria-current={shown.includes(name) ? 'true' : undefined}>
              <td>
                <input
                  type="checkbox"
                  aria-label={`Together: ${visible(name)}`}
                  checked={chosen.includes(name)}
                  onChange={() => toggle(name)}
                />
              </td>
              <td>
                <button
                  type="button"
                  class="template"
                  disabled={isBusy}
                  onClick={() => access.openAll([name])}
                >
                  {visible(name)}
                </button>
              </td>
              <td>{kind === 'case' ? 'case' : 'log file'}</td>
              <td class="number">{formatBytes(bytes)}</td>
              <td class="time">{formatTime(changed, state.zone).slice(0, 16)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {hasMore && <p class="note">The folder has more files; only the newest are listed.</p>}
      <p>
        <button type="button" disabled={isBusy || chosen.length < 2} onClick={() => access.openAll(chosen)}>
          Show the ticked ones together
        </button>
      </p>
    </>
  );
}

/** Most messages that are shown. */
const mostMessages = 20;

/** Progress, messages and failure of opening a source. */
function OpeningNote({ opening, cancel }: Pick<OpeningAccess, 'opening' | 'cancel'>) {
  const { status, messages, error } = opening;
  return (
    <div class="opening">
      <p class="state-note">
        <span role="status">{visible(status)}</span>
        {status !== '' && (
          <button type="button" class="small" onClick={cancel}>
            Cancel
          </button>
        )}
      </p>
      {0 < messages.length && (
        <ul class="messages" aria-label="Messages">
          {messages.slice(-mostMessages).map((message, index) => (
            <li key={index}>{visible(message)}</li>
          ))}
        </ul>
      )}
      {error !== undefined && (
        <p class="failure" role="alert">
          {visible(error)}
        </p>
      )}
    </div>
  );
}
