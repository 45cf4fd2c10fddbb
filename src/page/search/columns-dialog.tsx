import { Dialog } from '../parts/dialog.tsx';
import { usualColumns } from '../state/page-state.ts';
import { usePage } from '../state/use-page-state.ts';
import { allColumns, titleOf } from './columns.ts';

/** Chooses the columns of the table and their order. */
export function ColumnsDialog({ close }: { readonly close: () => void }) {
  const { state, go } = usePage();
  const { columns } = state;
  const others = allColumns.filter((each) => !columns.includes(each));
  const swap = (index: number, step: number) => {
    const next = [...columns];
    const [moved = ''] = next.splice(index, 1);
    next.splice(index + step, 0, moved);
    go({ columns: next });
  };
  return (
    <Dialog title="Columns" close={close}>
      <ul class="choices">
        {columns.map((column, index) => (
          <li key={column} class="column-choice">
            <label>
              <input
                type="checkbox"
                checked
                disabled={columns.length === 1}
                onChange={() => go({ columns: columns.filter((each) => each !== column) })}
              />{' '}
              {titleOf(column)}
            </label>
            <button
              type="button"
              class="small"
              disabled={index === 0}
              aria-label={`Move ${titleOf(column)} to the left`}
              onClick={() => swap(index, -1)}
            >
              ↑
            </button>
            <button
              type="button"
              class="small"
              disabled={index === columns.length - 1}
              aria-label={`Move ${titleOf(column)} to the right`}
              onClick={() => swap(index, 1)}
            >
              ↓
            </button>
          </li>
        ))}
        {others.map((column) => (
          <li key={column} class="column-choice">
            <label>
              <input type="checkbox" checked={false} onChange={() => go({ columns: [...columns, column] })} />{' '}
              {titleOf(column)}
            </label>
          </li>
        ))}
      </ul>
      <button type="button" onClick={() => go({ columns: usualColumns })}>
        Usual columns
      </button>
    </Dialog>
  );
}
