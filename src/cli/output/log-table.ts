import { openStart } from '../../export/windows/decide/window.ts';
import type { StoredLog } from '../../store/index.ts';
import type { Column } from './table.ts';

/** The columns of logs in tables, the message last. */
export const logTableColumns: readonly Column[] = [
  { name: 'id', align: 'right' },
  { name: 'time (UTC)' },
  { name: 'level' },
  { name: 'code', align: 'right' },
  { name: 'source', canShrink: true },
  { name: 'user', canShrink: true },
  { name: 'message' },
];

/** The cells of a log; missing fields are empty. */
export function toLogRow({ id, log }: StoredLog): string[] {
  return [
    String(id),
    log.time === undefined ? '' : formatTime(log.time),
    log.logLevel ?? '',
    log.logCode === undefined ? '' : String(log.logCode),
    log.source ?? '',
    log.username ?? '',
    log.msg ?? '',
  ];
}

/** Formats a time in UTC: `2025-03-12 08:24:10.123`, or "the beginning" without a bound. */
export function formatTime(time: number): string {
  if (time <= openStart) return 'the beginning';
  return new Date(time).toISOString().replace('T', ' ').replace('Z', '');
}
