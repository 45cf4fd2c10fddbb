import { useRef } from 'preact/hooks';
import { sourcesQuery } from '../api/call.ts';
import { usePage } from '../state/use-page-state.ts';
import type { SelectionParameters } from './use-search.ts';

/** Writes the selected logs to a file, all of them. */
export function DownloadMenu({ selection }: { readonly selection: SelectionParameters }) {
  const { state } = usePage();
  const form = useRef<HTMLFormElement>(null);
  const parameters = useRef<HTMLInputElement>(null);
  return (
    <>
      <form ref={form} action={`/download${sourcesQuery()}`} method="post" hidden>
        <input ref={parameters} name="parameters" type="hidden" />
      </form>
      <select
        aria-label="Download the logs"
        value=""
        onChange={({ currentTarget }) => {
          const { value: format } = currentTarget;
          currentTarget.value = '';
          if (format === '' || !parameters.current) return;
          parameters.current.value = JSON.stringify({ ...selection, order: state.order, format });
          form.current?.submit();
        }}
      >
        <option value="">Download …</option>
        <option value="csv">CSV</option>
        <option value="ndjson">NDJSON</option>
        <option value="parquet">Parquet</option>
      </select>
    </>
  );
}
