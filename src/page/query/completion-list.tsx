import type { Completion } from '../../language/index.ts';
import { visible } from '../format/visible.ts';

interface CompletionListProps {
  readonly id: string;
  readonly completion: Completion;
  /** Index of the chosen suggestion; -1 for none. */
  readonly chosen: number;
  readonly accept: (index: number) => void;
}

/** The suggestions below the query. */
export function CompletionList({ id, completion, chosen, accept }: CompletionListProps) {
  return (
    <ul id={id} class="completion" role="listbox" aria-label="Suggestions">
      {completion.suggestions.map(({ kind, label, detail }, index) => (
        <li
          key={`${kind}${label}`}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === chosen}
          class={`completion-item completion-${kind}`}
          ref={(item) => {
            if (index === chosen) item?.scrollIntoView({ block: 'nearest' });
          }}
          onMouseDown={(event) => {
            event.preventDefault();
            accept(index);
          }}
        >
          <span class="completion-label">{visible(label)}</span>
          <span class="completion-detail">{visible(detail)}</span>
        </li>
      ))}
    </ul>
  );
}
