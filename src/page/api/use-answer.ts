import { useEffect, useRef, useState } from 'preact/hooks';
import type { Answers } from '../../server/index.ts';
import { CallError, callServer, sourcesQuery } from './call.ts';

/** An answer of the server as a view shows it. */
export interface ShownAnswer<R> {
  /** The last good answer, also while the next one is on its way. */
  readonly result?: R;
  /** The answer is of earlier parameters. */
  readonly isStale: boolean;
  readonly isLoading: boolean;
  readonly error?: CallError;
  /** Ends a running call. */
  readonly cancel: () => void;
}

/**
 * Calls an operation whenever its parameters change, and aborts the call before. Undefined
 * parameters ask nothing and keep the last answer as a stale one. Another version calls it again.
 */
export function useAnswer<N extends keyof Answers>(
  name: N,
  parameters: Answers[N]['parameters'] | undefined,
  version = 0,
): ShownAnswer<Answers[N]['result']> {
  const [state, setState] = useState<Omit<ShownAnswer<Answers[N]['result']>, 'cancel'>>({
    isStale: false,
    isLoading: parameters !== undefined,
  });
  const running = useRef<AbortController>(null);
  const key = JSON.stringify(parameters);
  const sources = sourcesQuery();
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
    setState(({ result }) => ({ ...(result !== undefined && { result }), isStale: true, isLoading: true }));
    callServer(name, parameters, controller.signal).then(
      (result) => setState({ result, isStale: false, isLoading: false }),
      (reason: unknown) => {
        if (controller.signal.aborted && controller.signal.reason !== cancelled) return;
        const error = reason instanceof CallError ? reason : new CallError(textOf(reason), 0);
        setState(({ result }) => ({
          ...(result !== undefined && { result }),
          ...{ isStale: true, isLoading: false, error },
        }));
      },
    );
    return () => controller.abort();
  }, [name, key, sources, version]);
  return { ...state, cancel: () => running.current?.abort(cancelled) };
}

/** The reason of a call that the user ended. */
const cancelled = new CallError('Cancelled.', 499);

function textOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}
