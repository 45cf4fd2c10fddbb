import { Interrupted } from './endings.ts';

/**
 * Settles like a promise, or rejects with the reason of the signal if that is aborted first. The work
 * itself continues.
 */
export function rejectOnAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    // Also after an abort, so that a late failure does not end the process.
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** Interval of checking the parent process, in milliseconds. */
const pause = 200;

/**
 * Returns a signal that aborts when the parent process has ended. This is for npm: it passes a signal
 * to the shell of a script, and the shell ends without passing it on.
 */
export function parentExitSignal(): AbortSignal {
  const controller = new AbortController();
  const parent = process.ppid;
  const look = () => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    controller.abort(new Interrupted('Interrupted'));
  };
  const timer = setInterval(look, pause).unref();
  return controller.signal;
}
