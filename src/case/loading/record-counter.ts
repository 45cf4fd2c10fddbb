import type { ReadRecord, UnreadableRecord } from '../../records/index.ts';
import type { RemarkCount } from '../file/parts.ts';

/** Counts of records. */
export interface RecordCounts {
  readonly logs: number;
  readonly unreadable: number;
  readonly remarks: readonly RemarkCount[];
  /** The first unreadable record. */
  readonly first?: UnreadableRecord;
}

/** Counts records. */
export interface RecordCounter {
  readonly count: (record: ReadRecord) => void;
  /** Counts logs without remarks. */
  readonly countLogs: (count: number) => void;
  /** Adds counts from elsewhere. */
  readonly add: (counts: RecordCounts) => void;
  readonly counts: () => RecordCounts;
}

/** Creates a counter at zero. */
export function recordCounter(): RecordCounter {
  const remarks = new Map<string, RemarkCount>();
  let [logs, unreadable] = [0, 0];
  let first: UnreadableRecord | undefined;
  return { count, countLogs, add, counts };

  function count(record: ReadRecord): void {
    if (record.kind === 'log') {
      logs++;
      for (const remark of record.remarks ?? []) countRemark(remark, 1);
    } else {
      unreadable++;
      first ??= record;
    }
  }

  function countLogs(count: number): void {
    logs += count;
  }

  function add(more: RecordCounts): void {
    logs += more.logs;
    unreadable += more.unreadable;
    first ??= more.first;
    for (const remark of more.remarks) countRemark(remark, remark.count);
  }

  function countRemark({ code, field }: Omit<RemarkCount, 'count'>, more: number): void {
    const key = `${code} ${field}`;
    remarks.set(key, { code, field, count: (remarks.get(key)?.count ?? 0) + more });
  }

  function counts(): RecordCounts {
    return { logs, unreadable, remarks: [...remarks.values()], ...(first && { first }) };
  }
}
