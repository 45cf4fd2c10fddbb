import type { Answers, Streams, Writes } from '../../ui/api/operations.ts';

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

/** Calls an operation of the server. Rejects with a `CallError`, or the reason of the signal. */
export async function call<N extends keyof Calls>(
  name: N,
  parameters: Calls[N]['parameters'],
  signal: AbortSignal,
): Promise<Calls[N]['result']> {
  const response = await send(name, parameters, signal);
  // Server and page are built together: the types of the operation hold.
  return (await response.json()) as Calls[N]['result'];
}

/** Calls an operation that answers line by line. Rejects as `call` does. */
export async function* stream<N extends keyof Streams>(
  name: N,
  parameters: Streams[N]['parameters'],
  signal: AbortSignal,
): AsyncGenerator<Streams[N]['line'], void, undefined> {
  const { body } = await send(name, parameters, signal);
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

async function send(name: string, parameters: unknown, signal: AbortSignal): Promise<Response> {
  const response = await fetch(`/api/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(parameters),
    signal,
  }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw new CallError('The server does not answer.', 0);
  });
  if (response.ok) return response;
  const failed: { error?: string } = await response.json().catch(() => ({}));
  throw new CallError(failed.error ?? `The server answered ${response.status}.`, response.status);
}
