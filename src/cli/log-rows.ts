import { textFields } from '../records/log.ts';
import type { StoredLog } from '../store/index.ts';
import type { Cell } from './csv.ts';
import { logColumns, toLogRow } from './log-table.ts';
import type { Rows } from './output-format.ts';
import { toJson } from './printable.ts';

/** A log as it is printed: with what it is from, where there are several sources. */
export type PrintedLog = StoredLog & { readonly case?: string; readonly isHit?: boolean };

const fields = ['time', 'logLevel', 'logCode', 'source', 'msg'] as const;

/** The columns of CSV: all that is known of a log. */
const names = [
  ...fields,
  ...textFields.filter((field) => !fields.some((first) => first === field)),
  ...(['elapsed', 'id', 'part', 'entry', 'position', 'extra'] as const),
];

/** How logs are shown in every form. */
export function logRows<L extends PrintedLog>(
  items: AsyncIterable<L>,
  { hasCases, marksHits = false }: { readonly hasCases: boolean; readonly marksHits?: boolean },
): Rows<L> {
  const before = (log: L) => [
    ...(marksHits ? [log.isHit ? '>' : ''] : []),
    ...(hasCases ? [log.case ?? ''] : []),
  ];
  return {
    items,
    columns: [
      ...(marksHits ? [{ name: '' }] : []),
      ...(hasCases ? [{ name: 'case', canShrink: true }] : []),
      ...logColumns,
    ],
    shown: (log) => [...before(log), ...toLogRow(log)],
    names: [...(marksHits ? ['hit'] : []), ...(hasCases ? ['case'] : []), ...names],
    cells: (log) => [
      ...(marksHits ? [log.isHit === true] : []),
      ...(hasCases ? [log.case] : []),
      ...names.map((name) => cellOf(log, name)),
    ],
  };
}

function cellOf(stored: StoredLog, name: (typeof names)[number]): Cell {
  switch (name) {
    case 'time':
      return stored.log.time === undefined ? undefined : new Date(stored.log.time).toISOString();
    case 'id':
    case 'part':
    case 'entry':
    case 'position':
      return stored[name];
    case 'extra':
      return stored.extra && toJson(stored.extra);
    default:
      return stored.log[name];
  }
}
