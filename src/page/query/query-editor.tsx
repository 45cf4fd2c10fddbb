import type { RefObject } from 'preact';
import type { Finding } from '../../language/index.ts';
import { CompletionList } from './completion-list.tsx';
import { insertText } from './insert-text.ts';
import { paintQuery } from './paint.ts';
import type { CompletionState } from './use-completion.ts';

interface QueryEditorProps {
  readonly field: RefObject<HTMLTextAreaElement>;
  readonly text: string;
  readonly findings: readonly Finding[];
  readonly completion: CompletionState;
  readonly change: (text: string) => void;
  readonly submit: () => void;
  /** Applies the first fix, if there is one. */
  readonly fix: () => void;
  /** Writes the query as the server reads it, so that nobody can misread it. */
  readonly makeSafe: () => void;
}

/**
 * The field for a query: a text area whose letters are transparent, above the same text in colours.
 * So undo, composition, selection and screen readers are those of the browser.
 */
export function QueryEditor({ field, text, findings, change, submit, ...editor }: QueryEditorProps) {
  const { completion, chosen, choose, suggest, close } = editor.completion;
  const accept = (index: number) => {
    const suggestion = completion?.suggestions[index];
    const area = field.current;
    if (!completion || !suggestion || !area) return;
    insertText(area, suggestion.insert, completion);
    change(area.value);
    if (suggestion.kind === 'field') suggest(area.value, area.selectionStart);
    else close();
  };
  const count = completion?.suggestions.length ?? 0;
  const keys: { readonly [key: string]: (event: KeyboardEvent) => boolean } = {
    Enter: (event) => {
      if (event.altKey) (event.shiftKey ? editor.makeSafe : editor.fix)();
      else if (event.shiftKey) return false;
      else if (completion && 0 <= chosen) accept(chosen);
      else {
        close();
        submit();
      }
      return true;
    },
    Tab: (event) => {
      if (!completion || event.shiftKey) return false;
      accept(Math.max(0, chosen));
      return true;
    },
    Escape: () => {
      if (completion) close();
      return completion !== undefined;
    },
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    ' ': (event) => {
      if (event.ctrlKey && field.current) suggest(field.current.value, field.current.selectionStart);
      return event.ctrlKey;
    },
  };
  const move = (step: number) => {
    if (!completion) return false;
    choose((chosen + step + count + (chosen < 0 && step < 0 ? 1 : 0)) % count);
    return true;
  };
  return (
    <div class="editor">
      <pre class="editor-paint" aria-hidden="true">
        {paintQuery(text, findings).map(({ text: piece, look }, index) => (
          <span key={index} class={look}>
            {piece}
          </span>
        ))}
        {'\n'}
      </pre>
      <textarea
        ref={field}
        id="query"
        class="editor-field"
        rows={1}
        value={text}
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
        aria-label="Query"
        aria-describedby="findings"
        aria-autocomplete="list"
        aria-controls={completion ? 'suggestions' : undefined}
        aria-activedescendant={completion && 0 <= chosen ? `suggestions-${chosen}` : undefined}
        aria-invalid={findings.some(({ severity }) => severity === 'error')}
        placeholder="Search: words, field:value, &quot;a phrase&quot;, AND, OR, NOT"
        onInput={({ currentTarget }) => {
          change(currentTarget.value);
          suggest(currentTarget.value, currentTarget.selectionStart);
        }}
        onKeyDown={(event) => {
          if (!event.isComposing && keys[event.key]?.(event)) event.preventDefault();
        }}
        onBlur={close}
      />
      {completion && <CompletionList id="suggestions" {...{ completion, chosen, accept }} />}
    </div>
  );
}
