import type { StoredLog } from '../../case/index.ts';
import type { Highlight } from '../../language/index.ts';
import type { TimeZone } from '../../records/index.ts';
import { type Log, textFields } from '../../records/index.ts';
import type { ColumnField } from '../command-line/field-option.ts';
import { toJson } from '../terminal/printable.ts';
import type { Cell } from './csv.ts';
import { logTable } from './log-table.ts';
import type { Rows } from './output-format.ts';

/** A log to print, with its origin if there are several sources. */
export type PrintedLog = StoredLog & {
  readonly case?: string;
  readonly isHit?: boolean;
  /** Relevance score, if sorted by it. */
  readonly score?: number;
};

const fields = ['time', 'logLevel', 'logCode', 'source', 'msg'] as const;

/** The columns of CSV: all fields. */
const allNames = [
  ...fields,
  ...textFields.filter((field) => !fields.some((first) => first === field)),
  ...(['elapsed', 'id', 'part', 'entry', 'position', 'extra'] as const),
];

/** Additional columns of logs. */
interface LogRowsOptions {
  readonly hasCases: boolean;
  readonly marksHits?: boolean;
  readonly hasScores?: boolean;
  /** Chosen fields. Default: the usual ones of tables, all of CSV and JSON. */
  readonly chosen?: readonly ColumnField[] | undefined;
  /** Zone of the times of tables; CSV has UTC. Default: UTC. */
  readonly zone?: TimeZone;
  /** Returns the spans of a log to mark in tables. Default: none. */
  readonly highlight?: ((log: Log) => readonly Highlight[]) | undefined;
}

/** Rows of logs for every output format. */
export function logRows<L extends PrintedLog>(
  items: AsyncIterable<L>,
  { hasCases, marksHits = false, hasScores = false, chosen, zone, highlight }: LogRowsOptions,
): Rows<L> {
  const table = logTable(chosen, { zone });
  const names = chosen ?? allNames;
  const before = (log: L) => [
    ...(marksHits ? [log.isHit ? '>' : ''] : []),
    ...(hasScores ? [(log.score ?? 0).toFixed(3)] : []),
    ...(hasCases ? [log.case ?? ''] : []),
  ];
  return {
    items,
    value: chosen && ((log: L) => withFields(log, chosen)),
    columns: [
      ...(marksHits ? [{ name: '' }] : []),
      ...(hasScores ? [{ name: 'score', align: 'right' } as const] : []),
      ...(hasCases ? [{ name: 'case', canShrink: true }] : []),
      ...table.columns,
    ],
    shown: (log) => [...before(log), ...table.cells(highlight ? { ...log, hits: highlight(log.log) } : log)],
    names: [
      ...(marksHits ? ['hit'] : []),
      ...(hasScores ? ['score'] : []),
      ...(hasCases ? ['case'] : []),
      ...names,
    ],
    cells: (log) => [
      ...(marksHits ? [log.isHit === true] : []),
      ...(hasScores ? [log.score] : []),
      ...(hasCases ? [log.case] : []),
      ...names.map((name) => cellOf(log, name)),
    ],
  };
}

/** A log with the chosen fields only, each where it is without a choice, besides what is no field. */
function withFields<L extends PrintedLog>(
  { id, log, part, entry, position, extra, ...rest }: L,
  chosen: readonly ColumnField[],
): object {
  const fieldsOf = chosen.flatMap((name) =>
    name === 'id' || log[name] === undefined ? [] : [[name, log[name]]],
  );
  return { ...(chosen.includes('id') && { id }), log: Object.fromEntries(fieldsOf), ...rest };
}

function cellOf(stored: StoredLog, name: (typeof allNames)[number]): Cell {
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
