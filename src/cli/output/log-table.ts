import { openStart } from '../../export/windows/decide/window.ts';
import type { StoredLog } from '../../store/index.ts';
import type { Column } from './table.ts';

/** The columns in which logs are shown to people, the message last. */
export const logColumns: readonly Column[] = [
  { name: 'id', align: 'right' },
  { name: 'time (UTC)' },
  { name: 'level' },
  { name: 'code', align: 'right' },
  { name: 'source', canShrink: true },
  { name: 'user', canShrink: true },
  { name: 'message' },
];

/** The cells of a log; a field that it does not have is empty. */
export function toLogRow({ id, log }: StoredLog): string[] {
  return [
    String(id),
    log.time === undefined ? '' : shownTime(log.time),
    log.logLevel ?? '',
    log.logCode === undefined ? '' : String(log.logCode),
    log.source ?? '',
    log.username ?? '',
    log.msg ?? '',
  ];
}

/** A time in UTC for people: `2025-03-12 08:24:10.123`, or that there is no bound. */
export function shownTime(time: number): string {
  if (time <= openStart) return 'the beginning';
  return new Date(time).toISOString().replace('T', ' ').replace('Z', '');
}
