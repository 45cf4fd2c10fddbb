import { Interrupted } from './endings.ts';

/** How often the parent is looked at, in milliseconds. */
const pause = 200;

/**
 * A signal that is aborted when the process that started this one is gone. npm
 * passes a signal on to the shell that it runs a script in, and the shell ends
 * without passing it on.
 */
export function orphaned(): AbortSignal {
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
