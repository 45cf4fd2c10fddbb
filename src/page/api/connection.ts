import { useEffect, useState } from 'preact/hooks';

/** If the server answers: `another run` if it was started again and does not know the cookie of the page. */
export type ServerConnection = 'there' | 'lost' | 'another run';

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
