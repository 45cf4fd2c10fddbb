import { useEffect, useState } from 'preact/hooks';
import type { Writes } from '../../server/index.ts';
import { CallError, callServer } from './call.ts';

const listeners = new Set<() => void>();

/** Returns the number of writes so far, so that lists of notes and searches are read again after each. */
export function useWritten(): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const listen = () => setCount((before) => before + 1);
    listeners.add(listen);
    return () => void listeners.delete(listen);
  }, []);
  return count;
}

/** Writing to a case, as a form shows it. */
export interface Writer {
  /** Calls an operation that writes; resolves with true if it was done. */
  readonly write: <N extends keyof Writes>(name: N, parameters: Writes[N]['parameters']) => Promise<boolean>;
  readonly isWriting: boolean;
  /** Reason why the last write was refused. */
  readonly error?: string;
}

/** Writes to a case. A write is not aborted by another view: it is done or refused as a whole. */
export function useWriter(): Writer {
  const [state, setState] = useState<Omit<Writer, 'write'>>({ isWriting: false });
  const write: Writer['write'] = async (name, parameters) => {
    setState({ isWriting: true });
    try {
      await callServer(name, parameters, new AbortController().signal);
      setState({ isWriting: false });
      for (const listen of listeners) listen();
      return true;
    } catch (error) {
      const text = error instanceof CallError ? error.message : String(error);
      setState({ isWriting: false, error: text });
      return false;
    }
  };
  return { write, ...state };
}
