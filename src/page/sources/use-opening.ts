import { useEffect, useRef, useState } from 'preact/hooks';
import { CallError, streamFromServer, toCallError } from '../api/call.ts';
import { reportConnection } from '../api/connection.ts';
import { usePage } from '../state/use-page-state.ts';

/** Progress of opening sources. */
export interface Opening {
  /** Activity, such as "Loading x.zip … 3 MB of 9 MB (33 %)"; empty if nothing is being opened. */
  readonly status: string;
  /** Lasting messages, for instance about records that cannot be read. */
  readonly messages: readonly string[];
  readonly error?: string;
}

/** Opens sources and shows their logs. */
export interface OpeningAccess {
  readonly opening: Opening;
  /** Opens sources by their names, one after the other, and then shows their logs together. */
  readonly openAll: (names: readonly string[]) => void;
  /** Sends a file to the server and opens it; `into` names a new case file that keeps it. */
  readonly openFile: (file: File, into: string) => void;
  readonly cancel: () => void;
}

const idle: Opening = { status: '', messages: [] };

/** Opens sources with their progress; leaving the view cancels. */
export function useOpening(): OpeningAccess {
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
