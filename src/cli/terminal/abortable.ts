/** The outcome of a promise, or the reason of the signal when that is aborted first; the work itself then goes on. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    // Also after an abort: a failure of the work that nobody waits for any more must not end the process.
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
