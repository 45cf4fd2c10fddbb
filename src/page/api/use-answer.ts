import { useEffect, useRef, useState } from 'preact/hooks';
import type { Answers } from '../../ui/api/operations.ts';
import { CallError, call } from './call.ts';

/** An answer of the server as a view shows it. */
export interface Answer<R> {
  /** The last good answer, also while the next one is on its way. */
  readonly result?: R;
  /** The answer is of earlier parameters. */
  readonly isStale: boolean;
  readonly isLoading: boolean;
  readonly error?: CallError;
  /** Ends a running call. */
  readonly cancel: () => void;
}

/** Pause before a server that did not answer is asked again, in milliseconds. */
const pause = 1500;

/**
 * Calls an operation whenever its parameters change, and aborts the call before. Undefined
 * parameters ask nothing and keep the last answer as a stale one. Another version calls it again.
 */
export function useAnswer<N extends keyof Answers>(
  name: N,
  parameters: Answers[N]['parameters'] | undefined,
  version = 0,
): Answer<Answers[N]['result']> {
  const [state, setState] = useState<Omit<Answer<Answers[N]['result']>, 'cancel'>>({
    isStale: false,
    isLoading: parameters !== undefined,
  });
  const [attempt, setAttempt] = useState(0);
  const running = useRef<AbortController>(null);
  const key = JSON.stringify(parameters);
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
    let timer: ReturnType<typeof setTimeout> | undefined;
    setState(({ result }) => ({ ...(result !== undefined && { result }), isStale: true, isLoading: true }));
    call(name, parameters, controller.signal).then(
      (result) => setState({ result, isStale: false, isLoading: false }),
      (reason: unknown) => {
        if (controller.signal.aborted && controller.signal.reason !== cancelled) return;
        const error = reason instanceof CallError ? reason : new CallError(textOf(reason), 0);
        setState(({ result }) => ({
          ...(result !== undefined && { result }),
          ...{ isStale: true, isLoading: false, error },
        }));
        if (error.status === 0 && reason !== cancelled)
          timer = setTimeout(() => setAttempt((n) => n + 1), pause);
      },
    );
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [name, key, attempt, version]);
  return { ...state, cancel: () => running.current?.abort(cancelled) };
}

/** The reason of a call that the user ended. */
const cancelled = new CallError('Cancelled.', 499);

function textOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}
