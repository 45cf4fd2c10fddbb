/**
 * Makes a call with a signal of its own, which follows the caller's. A `Request` references its signal
 * until garbage collection, so a signal shared by thousands of calls would gather thousands of listeners.
 */
export async function withOwnSignal<T>(
  signal: AbortSignal | undefined,
  call: (own: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const own = new AbortController();
  const abort = () => own.abort(signal?.reason);
  signal?.addEventListener('abort', abort);
  try {
    return await call(own.signal);
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}
