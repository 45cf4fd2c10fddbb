import type { DuckDBConnection } from '@duckdb/node-api';

/** Milliseconds between interrupts: the driver forgets one that comes while no statement runs. */
const pause = 50;

/**
 * Interrupts the statements of a connection from the moment a signal aborts,
 * each that begins later too. Gives back what ends that.
 */
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
