import { useRef, useState } from 'preact/hooks';
import { type Completion, complete } from '../../language/index.ts';
import { useSchema } from '../state/use-schema.ts';
import { fetchValuesAt } from './fetch-values.ts';

/** Most suggestions in the list. */
const limit = 30;

/** The suggestions at the cursor, and the chosen one. */
export interface CompletionState {
  readonly completion: Completion | undefined;
  readonly chosen: number;
  readonly choose: (index: number) => void;
  /** Suggests what can stand at a cursor. */
  readonly suggest: (text: string, cursor: number) => void;
  readonly close: () => void;
}

/** Keeps the suggestions; an answer for an earlier text is dropped. */
export function useCompletion(): CompletionState {
  const schema = useSchema();
  const [completion, setCompletion] = useState<Completion>();
  const [chosen, choose] = useState(-1);
  const last = useRef(0);
  const close = () => {
    last.current += 1;
    setCompletion(undefined);
    choose(-1);
  };
  const suggest = (text: string, cursor: number) => {
    last.current += 1;
    const own = last.current;
    void fetchValuesAt(text, cursor, schema).then((values) => {
      if (own !== last.current) return;
      const found = complete(text, cursor, { schema, dialect: 'lucene', values, limit });
      setCompletion(found.suggestions.length === 0 ? undefined : found);
      choose(-1);
    });
  };
  return { completion, chosen, choose, suggest, close };
}
