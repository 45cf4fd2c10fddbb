import { createContext } from 'preact';
import { useCallback, useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { documentedSchema, type Schema, toSchema } from '../language/index.ts';
import type { Answers } from '../server/index.ts';
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

const SchemaContext = createContext<Schema>(documentedSchema);

/** Provides the schema of the query bar to all below. */
export const SchemaProvider = SchemaContext.Provider;

/** The schema of the query bar, for any part of it. */
export function useSchema(): Schema {
  return useContext(SchemaContext);
}

/** Returns the schema that the server names; the documented one unless it names fields. */
export function useSchemaOf(about: Answers['about']['result'] | undefined): Schema {
  return useMemo(() => {
    const { queryFields } = about ?? {};
    return queryFields ? toSchema(queryFields.fields, queryFields.defaults) : documentedSchema;
  }, [about]);
}

/** The logs that a state shows, as operations of the server take them. */
export interface SelectionParameters {
  readonly query: string;
  readonly from?: number;
  readonly to?: number;
  readonly now: number;
}

/** Returns the selection of a state; the same object as long as the state selects the same logs. */
export function useSelection({ q, from, to }: PageState): SelectionParameters {
  return useMemo(
    () => ({
      query: q,
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
      now: Date.now(),
    }),
    [q, from, to],
  );
}
