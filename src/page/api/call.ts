import type { Answers, Streams, Writes } from '../../server/index.ts';
import { reportConnection } from './connection.ts';

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
): AsyncGenerator<Streams[N]['line'], void, undefined> {
  const { body } = await send(`/api/${name}${sourcesQuery()}`, parameters, signal);
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const piece = await reader?.read();
    if (!piece || piece.done) return;
    const lines = (rest + piece.value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const parsed = JSON.parse(line) as { value: Streams[N]['line'] } | { error: string };
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
