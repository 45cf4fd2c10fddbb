import { useRef } from 'preact/hooks';
import { sourcesQuery } from '../api/call.ts';
import { visible } from '../format/visible.ts';
import { usePage } from '../state/use-page-state.ts';
import type { SelectionParameters } from './use-search.ts';

interface DownloadMenuProps {
  readonly selection: SelectionParameters;
  /** Number of selected logs. */
  readonly total: number;
  /** Names of the cases. */
  readonly names: readonly string[];
}

/** Formats of all selected logs. */
const formats = [
  ['csv', 'CSV'],
  ['ndjson', 'NDJSON'],
  ['parquet', 'Parquet'],
  ['xlsx', 'XLSX'],
] as const;

/** Most logs of a workbook. */
const mostOfWorkbook = 100_000;

/** Takes away all selected logs as a file, or their report. */
export function DownloadMenu({ selection, total, names }: DownloadMenuProps) {
  const { state } = usePage();
  const form = useRef<HTMLFormElement>(null);
  const parameters = useRef<HTMLInputElement>(null);
  const send = (path: string, asked: object) => {
    if (!parameters.current || !form.current) return;
    parameters.current.value = JSON.stringify({ ...selection, ...asked });
    form.current.action = path + sourcesQuery();
    form.current.submit();
  };
  const choose = (choice: string) => {
    const [kind = '', format = '', ofCase] = choice.split(' ');
    if (kind === 'logs') send('/download', { order: state.order, format });
    else if (kind === 'report') send('/report', { ofCase: Number(ofCase), format, zone: state.zone });
  };
  return (
    <>
      <form ref={form} action="/download" method="post" hidden>
        <input ref={parameters} name="parameters" type="hidden" />
      </form>
      <select
        aria-label="Download the logs"
        value=""
        onChange={({ currentTarget }) => {
          const { value } = currentTarget;
          currentTarget.value = '';
          choose(value);
        }}
      >
        <option value="">Download …</option>
        <optgroup label="Logs">
          {formats.map(([format, title]) => {
            const isTooLong = format === 'xlsx' && mostOfWorkbook < total;
            return (
              <option key={format} value={`logs ${format}`} disabled={isTooLong}>
                {title}
                {isTooLong ? ' (at most 100,000 logs)' : ''}
              </option>
            );
          })}
        </optgroup>
        {names.map((name, ofCase) => (
          <optgroup key={name} label={names.length === 1 ? 'Report' : `Report of ${visible(name)}`}>
            <option value={`report html ${ofCase}`}>Report, a page of one file</option>
            <option value={`report xlsx ${ofCase}`}>Report, XLSX</option>
          </optgroup>
        ))}
      </select>
    </>
  );
}
