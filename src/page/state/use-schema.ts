import { createContext } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import { documentedSchema, type Schema, toSchema } from '../../language/index.ts';
import type { Answers } from '../../server/index.ts';

const Context = createContext<Schema>(documentedSchema);

/** Provides the schema of the query bar to all below. */
export const SchemaProvider = Context.Provider;

/** The schema of the query bar, for any part of it. */
export function useSchema(): Schema {
  return useContext(Context);
}

/** Returns the schema that the server names; the documented one unless it names fields. */
export function useSchemaOf(about: Answers['about']['result'] | undefined): Schema {
  return useMemo(() => {
    const { queryFields } = about ?? {};
    return queryFields ? toSchema(queryFields.fields, queryFields.defaults) : documentedSchema;
  }, [about]);
}
