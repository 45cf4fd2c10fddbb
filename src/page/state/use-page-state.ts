import { createContext } from 'preact';
import { useCallback, useContext, useEffect, useState } from 'preact/hooks';
import { firstState, type PageState, readState, writeState } from './page-state.ts';

/** A change of the state; an undefined member is removed. */
export type StateChange = { readonly [K in keyof PageState]?: PageState[K] | undefined };

/** The state of the page, and the way to change it. */
export interface PageAccess {
  readonly state: PageState;
  /** Changes the state as a new entry of the browser's history. */
  readonly go: (change: StateChange) => void;
}

const Context = createContext<PageAccess>({ state: firstState, go: () => {} });

/** Provides the state to all below. */
export const StateProvider = Context.Provider;

/** The state of the page, for any part of it. */
export function usePage(): PageAccess {
  return useContext(Context);
}

/** Keeps the state and the address of the page in step, both ways. */
export function usePageState(): PageAccess {
  const [state, setState] = useState(() => readState(location.search));
  useEffect(() => {
    // The secret of the first address is a cookie now.
    history.replaceState(null, '', writeState(readState(location.search)));
    const read = () => setState(readState(location.search));
    addEventListener('popstate', read);
    return () => removeEventListener('popstate', read);
  }, []);
  const go = useCallback((change: StateChange) => {
    const next = withChange(readState(location.search), change);
    const address = writeState(next);
    if (address !== location.pathname + location.search) history.pushState(null, '', address);
    setState(next);
  }, []);
  return { state, go };
}

/** Returns a state with a change. */
export function withChange(state: PageState, change: StateChange): PageState {
  const entries = Object.entries({ ...state, ...change }).filter(([, value]) => value !== undefined);
  // Only optional members can be undefined in a change that this page makes.
  return { ...firstState, ...Object.fromEntries(entries) };
}
