import { useEffect, useRef, useState } from 'preact/hooks';
import type { Answers, Streams, Writes } from '../server/index.ts';

type Calls = Answers & Writes;

/** A call that the server refused, or could not do. */
export class CallError extends Error {
  /** HTTP status; 0 if the server did not answer. */
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.name = 'CallError';
    this.status = status;
  }
}

/** The sources that the address of the page names, or others, as the query of a call's address. */
export function sourcesQuery(cases?: readonly string[]): string {
  const query = new URLSearchParams();
  for (const name of cases ?? new URLSearchParams(location.search).getAll('case')) query.append('case', name);
  return query.size === 0 ? '' : `?${query}`;
}

/** Calls an operation of the server on the sources of the page, or on others. Rejects with a `CallError`, or the reason of the signal. */
export async function callServer<N extends keyof Calls>(
  name: N,
  parameters: Calls[N]['parameters'],
  signal: AbortSignal,
  cases?: readonly string[],
): Promise<Calls[N]['result']> {
  const response = await send(`/api/${name}${sourcesQuery(cases)}`, parameters, signal);
  // Server and page are built together: the types of the operation hold.
  return (await response.json()) as Calls[N]['result'];
}

/** Calls an operation that answers line by line. Rejects as `call` does. */
export async function* streamFromServer<N extends keyof Streams>(
  name: N,
  parameters: Streams[N]['parameters'],
  signal: AbortSignal,
): AsyncGenerator<Streams[N]['result'], void, undefined> {
  const { body } = await send(`/api/${name}${sourcesQuery()}`, parameters, signal);
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const piece = await reader?.read();
    if (!piece || piece.done) return;
    const lines = (rest + piece.value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const parsed = JSON.parse(line) as { value: Streams[N]['result'] } | { error: string };
      if ('error' in parsed) throw new CallError(parsed.error, 422);
      yield parsed.value;
    }
  }
}

async function send(path: string, parameters: unknown, signal: AbortSignal): Promise<Response> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(parameters),
    signal,
  }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    reportConnection('lost');
    throw new CallError('The server does not answer.', 0);
  });
  reportConnection(response.status === 401 ? 'another run' : 'there');
  if (response.ok) return response;
  throw await toCallError(response);
}

/** Reads the error of a response that is none of the expected ones. */
export async function toCallError(response: Response): Promise<CallError> {
  const failed: { error?: string } = await response.json().catch(() => ({}));
  return new CallError(failed.error ?? `The server answered ${response.status}.`, response.status);
}

/** If the server answers: `another run` if it was started again and does not know the cookie of the page. */
type ServerConnection = 'there' | 'lost' | 'another run';

let current: ServerConnection = 'there';
const listeners = new Set<(connection: ServerConnection) => void>();

/** Notifies the page of the outcome of a call. */
export function reportConnection(next: ServerConnection): void {
  if (next === current) return;
  current = next;
  for (const listener of listeners) listener(next);
}

/** Pauses between two looks at the server, in milliseconds: while it answers, and while it does not. */
const pauses = { there: 5000, other: 1000 } as const;

/** Looks at the server now and then; also counts how often it came back. */
export function useConnection(): { readonly connection: ServerConnection; readonly returns: number } {
  const [state, setState] = useState({ connection: current, returns: 0 });
  useEffect(() => {
    const listener = (connection: ServerConnection) =>
      setState((before) => ({
        connection,
        returns: before.returns + (connection === 'there' && before.connection !== 'there' ? 1 : 0),
      }));
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, []);
  useEffect(() => {
    const pause = state.connection === 'there' ? pauses.there : pauses.other;
    const timer = setInterval(() => void look(), pause);
    return () => clearInterval(timer);
  }, [state.connection]);
  return state;
}

async function look(): Promise<void> {
  const response = await fetch('/icon.svg').catch(() => undefined);
  // A body that nobody reads keeps its connection, of which a browser has six.
  await response?.arrayBuffer().catch(() => undefined);
  if (!response) reportConnection('lost');
  else reportConnection(response.status === 401 ? 'another run' : 'there');
}

/** An answer of the server as a view shows it. */
export interface ShownAnswer<R> {
  /** The last good answer, also while the next one is on its way. */
  readonly result?: R;
  /** The answer is of earlier parameters. */
  readonly isStale: boolean;
  readonly isLoading: boolean;
  /** The user ended the call. */
  readonly isCancelled?: boolean;
  readonly error?: CallError;
  /** Ends a running call. */
  readonly cancel: () => void;
}

/**
 * Calls an operation whenever its parameters change, and aborts the call before. Undefined
 * parameters ask nothing and keep the last answer as a stale one. Another version calls it again.
 */
export function useAnswer<N extends keyof Answers>(
  name: N,
  parameters: Answers[N]['parameters'] | undefined,
  version = 0,
): ShownAnswer<Answers[N]['result']> {
  const [state, setState] = useState<Omit<ShownAnswer<Answers[N]['result']>, 'cancel'>>({
    isStale: false,
    isLoading: parameters !== undefined,
  });
  const running = useRef<AbortController>(null);
  const key = JSON.stringify(parameters);
  const sources = sourcesQuery();
  useEffect(() => {
    if (parameters === undefined) {
      setState(({ result }) => ({
        ...(result !== undefined && { result }),
        isStale: true,
        isLoading: false,
      }));
      return;
    }
    const controller = new AbortController();
    running.current = controller;
    setState(({ result }) => ({ ...(result !== undefined && { result }), isStale: true, isLoading: true }));
    callServer(name, parameters, controller.signal).then(
      (result) => setState({ result, isStale: false, isLoading: false }),
      (reason: unknown) => {
        const isCancelled = controller.signal.reason === cancelled;
        if (controller.signal.aborted && !isCancelled) return;
        const error = reason instanceof CallError ? reason : new CallError(textOf(reason), 0);
        setState(({ result }) => ({
          ...(result !== undefined && { result }),
          isStale: true,
          isLoading: false,
          ...(isCancelled ? { isCancelled } : { error }),
        }));
      },
    );
    return () => controller.abort();
  }, [name, key, sources, version]);
  return { ...state, cancel: () => running.current?.abort(cancelled) };
}

/** Operations that answer with how far they are, at last with their result. */
type Progressing = 'patterns' | 'investigate';

type ResultOf<N extends Progressing> = Extract<Streams[N]['result'], { readonly kind: 'result' }>['result'];

/** An answer that takes long: what was found so far is its result until it is whole. */
export interface ProgressingAnswer<R> extends ShownAnswer<R> {
  /** Number of logs read so far, of all; absent before the first, and once the answer is whole. */
  readonly progress?: { readonly logs: number; readonly of: number } | undefined;
}

/**
 * Calls an operation that takes long whenever its parameters change, and aborts the call before. An earlier answer
 * stays as a stale one until something is found.
 */
export function useProgressingAnswer<N extends Progressing>(
  name: N,
  parameters: Streams[N]['parameters'],
): ProgressingAnswer<ResultOf<N>> {
  const [state, setState] = useState<Omit<ProgressingAnswer<ResultOf<N>>, 'cancel'>>({
    isStale: false,
    isLoading: true,
  });
  const running = useRef<AbortController>(null);
  const key = JSON.stringify(parameters);
  const sources = sourcesQuery();
  useEffect(() => {
    const controller = new AbortController();
    running.current = controller;
    const add = (piece: Streams[N]['result']) =>
      setState((before) => ({ ...before, ...stateAfter<N>(piece) }));
    const read = async () => {
      let isWhole = false;
      for await (const piece of streamFromServer(name, parameters, controller.signal)) {
        add(piece);
        isWhole ||= piece.kind === 'result';
      }
      if (!isWhole) throw new CallError('The answer of the server is not whole.', 502);
    };
    setState(({ result }) => ({ ...(result !== undefined && { result }), isStale: true, isLoading: true }));
    read().catch((reason: unknown) => {
      const isCancelled = controller.signal.reason === cancelled;
      if (controller.signal.aborted && !isCancelled) return;
      const error = reason instanceof CallError ? reason : new CallError(textOf(reason), 0);
      setState((before) => ({ ...before, isLoading: false, ...(isCancelled ? { isCancelled } : { error }) }));
    });
    return () => controller.abort();
  }, [name, key, sources]);
  return { ...state, cancel: () => running.current?.abort(cancelled) };
}

/** What a piece of an answer changes. */
function stateAfter<N extends Progressing>(
  piece: Streams[N]['result'],
): Partial<Omit<ProgressingAnswer<ResultOf<N>>, 'cancel'>> {
  if (piece.kind === 'result')
    return { result: piece.result, isStale: false, isLoading: false, progress: undefined };
  const { logs, of, found } = piece.progress;
  return { progress: { logs, of }, ...(found && { result: found, isStale: false }) };
}

/** The reason of a call that the user ended. */
const cancelled = new Error('Cancelled');

function textOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}

const writeListeners = new Set<() => void>();

/** Returns the number of writes so far, so that lists of notes and searches are read again after each. */
export function useWritten(): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const listen = () => setCount((before) => before + 1);
    writeListeners.add(listen);
    return () => void writeListeners.delete(listen);
  }, []);
  return count;
}

/** Writing to a case, as a form shows it. */
interface Writer {
  /** Calls an operation that writes; resolves with true if it was done. */
  readonly write: <N extends keyof Writes>(name: N, parameters: Writes[N]['parameters']) => Promise<boolean>;
  readonly isWriting: boolean;
  /** Reason why the last write was refused. */
  readonly error?: string;
}

/** Writes to a case. A write is not aborted by another view: it is done or refused as a whole. */
export function useWriter(): Writer {
  const [state, setState] = useState<Omit<Writer, 'write'>>({ isWriting: false });
  const write: Writer['write'] = async (name, parameters) => {
    setState({ isWriting: true });
    try {
      await callServer(name, parameters, new AbortController().signal);
      setState({ isWriting: false });
      for (const listen of writeListeners) listen();
      return true;
    } catch (error) {
      const text = error instanceof CallError ? error.message : String(error);
      setState({ isWriting: false, error: text });
      return false;
    }
  };
  return { write, ...state };
}
