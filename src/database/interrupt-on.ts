import type { DuckDBConnection } from '@duckdb/node-api';

/** Milliseconds between interrupts: the driver drops one that arrives while no statement runs. */
const pause = 50;

/** Interrupts all statements of a connection from the moment a signal aborts. Returns the function that stops it. */
export function interruptOn(connection: DuckDBConnection, signal: AbortSignal | undefined): () => void {
  let repeated: NodeJS.Timeout | undefined;
  const begin = () => {
    connection.interrupt();
    repeated = setInterval(() => connection.interrupt(), pause);
  };
  signal?.addEventListener('abort', begin, { once: true });
  return () => {
    signal?.removeEventListener('abort', begin);
    clearInterval(repeated);
  };
}
