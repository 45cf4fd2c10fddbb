import { useRef, useState } from 'preact/hooks';
import type { Completion } from '../../language/index.ts';
import { CompletionList } from '../query/completion-list.tsx';
import { insertText } from '../query/insert-text.ts';
import { completeSql, type SqlNames } from './complete-sql.ts';

interface SqlEditorProps {
  readonly text: string;
  readonly names: SqlNames;
  readonly change: (text: string) => void;
  readonly submit: () => void;
}

/** The field for a statement, with suggestions of views, columns, functions and keywords. */
export function SqlEditor({ text, names, change, submit }: SqlEditorProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [completion, setCompletion] = useState<Completion>();
  const [chosen, setChosen] = useState(-1);
  const close = () => {
    setCompletion(undefined);
    setChosen(-1);
  };
  const suggest = ({ value, selectionStart }: HTMLTextAreaElement) => {
    const found = completeSql(value, selectionStart, names);
    setCompletion(found.suggestions.length === 0 ? undefined : found);
    setChosen(-1);
  };
  const accept = (index: number) => {
    const suggestion = completion?.suggestions[index];
    if (!completion || !suggestion || !field.current) return;
    insertText(field.current, suggestion.insert, completion);
    change(field.current.value);
    close();
  };
  const move = (step: number) => {
    const count = completion?.suggestions.length ?? 0;
    if (0 < count) setChosen((chosen + step + count + (chosen < 0 && step < 0 ? 1 : 0)) % count);
    return 0 < count;
  };
  const keys: { readonly [key: string]: (event: KeyboardEvent) => boolean } = {
    Enter: ({ ctrlKey, metaKey }) => {
      if (ctrlKey || metaKey) submit();
      else if (completion && 0 <= chosen) accept(chosen);
      else return false;
      return true;
    },
    Tab: ({ shiftKey }) => {
      if (!completion || shiftKey) return false;
      accept(Math.max(0, chosen));
      return true;
    },
    Escape: () => {
      close();
      return completion !== undefined;
    },
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    ' ': ({ ctrlKey }) => {
      if (ctrlKey && field.current) suggest(field.current);
      return ctrlKey;
    },
  };
  return (
    <div class="editor">
      <textarea
        ref={field}
        class="sql-field"
        aria-label="SQL"
        rows={6}
        spellcheck={false}
        autocomplete="off"
        aria-autocomplete="list"
        aria-controls={completion ? 'sql-suggestions' : undefined}
        aria-activedescendant={completion && 0 <= chosen ? `sql-suggestions-${chosen}` : undefined}
        value={text}
        onInput={({ currentTarget }) => {
          change(currentTarget.value);
          suggest(currentTarget);
        }}
        onKeyDown={(event) => {
          if (!event.isComposing && keys[event.key]?.(event)) event.preventDefault();
        }}
        onBlur={close}
      />
      {completion && <CompletionList id="sql-suggestions" {...{ completion, chosen, accept }} />}
    </div>
  );
}
