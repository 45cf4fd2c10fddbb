import { useEffect, useRef, useState } from 'preact/hooks';
import type { Answers } from '../server/index.ts';
import { formatBytes, formatTime, visible } from './format.ts';
import { StateNote } from './parts.tsx';
import { CallError, reportConnection, streamFromServer, toCallError, useAnswer } from './server-calls.ts';
import { usePage } from './use-page-state.ts';

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

/** Progress of opening sources. */
interface Opening {
  /** Activity, such as "Loading x.zip … 3 MB of 9 MB (33 %)"; empty if nothing is being opened. */
  readonly status: string;
  /** Lasting messages, for instance about records that cannot be read. */
  readonly messages: readonly string[];
  readonly error?: string;
}

/** Opens sources and shows their logs. */
interface OpeningAccess {
  readonly opening: Opening;
  /** Opens sources by their names, one after the other, and then shows their logs together. */
  readonly openAll: (names: readonly string[]) => void;
  /** Sends a file to the server and opens it; `into` names a new case file that keeps it. */
  readonly openFile: (file: File, into: string) => void;
  readonly cancel: () => void;
}

const idle: Opening = { status: '', messages: [] };

/** Opens sources with their progress; leaving the view cancels. */
function useOpening(): OpeningAccess {
  const { go } = usePage();
  const [opening, setOpening] = useState(idle);
  const running = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const run = (work: (signal: AbortSignal) => Promise<readonly string[]>) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setOpening({ status: 'Opening …', messages: [] });
    work(controller.signal).then(
      (names) => {
        setOpening(idle);
        go({ cases: names, view: 'search', log: undefined, from: undefined, to: undefined });
      },
      (error: unknown) => {
        if (running.current !== controller) return;
        const text = controller.signal.aborted ? 'Cancelled.' : textOf(error);
        setOpening(({ messages }) => ({ status: '', messages, error: text }));
      },
    );
  };
  const open = async (name: string, signal: AbortSignal): Promise<void> => {
    for await (const progress of streamFromServer('open', { name }, signal)) {
      if (progress.kind === 'status' && progress.text !== '')
        setOpening((before) => ({ ...before, status: progress.text }));
      if (progress.kind === 'message')
        setOpening((before) => ({ ...before, messages: [...before.messages, progress.text] }));
    }
  };
  return {
    opening,
    openAll: (names) =>
      run(async (signal) => {
        for (const name of names) await open(name, signal);
        return names;
      }),
    openFile: (file, into) =>
      run(async (signal) => {
        const onSent = (share: number) =>
          setOpening((before) => ({
            ...before,
            status:
              share < 1 ? `Sending ${file.name} … ${Math.floor(100 * share)} %` : `Reading ${file.name} …`,
          }));
        const name = await send(file, { into, signal, onSent });
        await open(name, signal);
        return [name];
      }),
    cancel: () => running.current?.abort(),
  };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

interface Sending {
  readonly into: string;
  readonly signal: AbortSignal;
  /** Receives the share of bytes that the server has, from 0 to 1. */
  readonly onSent: (share: number) => void;
}

/** Sends a file, of which only `XMLHttpRequest` reports the progress. Resolves with its name at the server. */
function send(file: File, { into, signal, onSent }: Sending): Promise<string> {
  const names = new URLSearchParams({ name: file.name, ...(into !== '' && { into }) });
  const request = new XMLHttpRequest();
  return new Promise((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => onSent(total === 0 ? 1 : loaded / total);
    request.onload = async () => {
      const response = new Response(request.responseText, { status: request.status });
      if (!response.ok) reject(await toCallError(response));
      else resolve(((await response.json()) as { name: string }).name);
    };
    request.onerror = () => {
      reportConnection('lost');
      reject(new CallError('The server does not answer.', 0));
    };
    request.onabort = () => reject(signal.reason);
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.open('POST', `/upload?${names}`);
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.send(file);
  });
}

interface DropFileProps {
  readonly access: OpeningAccess;
  readonly isBusy: boolean;
}

/** A file to drop anywhere on the page or to choose; it goes to the server of this machine alone. */
function DropFile({ access, isBusy }: DropFileProps) {
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
