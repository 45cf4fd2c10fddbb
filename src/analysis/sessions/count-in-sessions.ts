import { type Case, streamGroupBlocks } from '../../case/index.ts';
import { boolFilter, type Filter } from '../../language/index.ts';
import type { LogField } from '../../records/index.ts';
import { type FieldRow, fieldEnd, fieldStart, forEachRow, integerIn } from '../field-rows.ts';
import { internBytes } from '../message-patterns/interned-bytes.ts';
import { type OpenSession, sessionAt } from './split-at-pauses.ts';

/** Sessions by user in order of time, and the logs to count in them. */
export interface Counting {
  readonly sessionsOf: ReadonlyMap<string, readonly OpenSession[]>;
  /** Selects logs of users alone. */
  readonly filter: Filter;
  /** The longest pause within a session, milliseconds. */
  readonly idle: number;
  readonly signal?: AbortSignal | undefined;
}

/** Counts the logs of each session by source, and those of level SEVERE. */
export async function addServices(cases: readonly Case[], counting: Counting): Promise<void> {
  const fields = ['username', 'source', 'logLevel'] as const;
  await forEachGroup(cases, { ...counting, fields }, ({ session, logs, textOf }) => {
    const [source, level] = [textOf(1), textOf(2)];
    if (level.toUpperCase() === 'SEVERE') session.errors += logs;
    if (source !== '') session.services.set(source, (session.services.get(source) ?? 0) + logs);
  });
}

const hasRequest: Filter = {
  kind: 'exists',
  field: { name: 'requestID', type: 'keyword', about: 'The request' },
};

/** Collects the different requests of each session. */
export async function addRequests(cases: readonly Case[], counting: Counting): Promise<void> {
  const requests = internBytes();
  const options = {
    ...counting,
    filter: boolFilter({ must: [counting.filter, hasRequest] }),
    fields: ['username', 'requestID'] as const,
  };
  await forEachGroup(cases, options, ({ session, block, row }) => {
    const [start, end] = [fieldStart(row, 1), fieldEnd(row, 1)];
    if (start < end) session.requests.add(requests.intern(block, start, end));
  });
}

/** Logs of one session with equal fields. */
interface SessionGroup {
  readonly session: OpenSession;
  readonly logs: number;
  readonly block: Uint8Array;
  readonly row: FieldRow;
  /** Returns the text of a field. */
  readonly textOf: (field: number) => string;
}

/**
 * Calls a function for groups of logs with equal fields, the first of which is the user. Logs are grouped by slots of
 * time: none of the pauses within a slot ends a session, so a slot of a user belongs to one.
 */
async function forEachGroup(
  cases: readonly Case[],
  { sessionsOf, filter, idle, fields, signal }: Counting & { readonly fields: readonly LogField[] },
  visit: (group: SessionGroup) => void,
): Promise<void> {
  const tables = fields.map(() => internBytes());
  const texts: string[][] = fields.map(() => []);
  const options = { fields, intervals: [{ start: 0, length: Math.max(1, idle) }], signal };
  for (const from of cases)
    for await (const block of streamGroupBlocks(from, filter, options))
      forEachRow(block, (row) => {
        const textOf = (field: number) => {
          const [table, known] = [tables[field], texts[field]];
          if (!table || !known) return '';
          const number = table.intern(block, fieldStart(row, field), fieldEnd(row, field));
          known[number] ??= table.text(number);
          return known[number];
        };
        const first = integerIn(block, row, fields.length + 1);
        if (first === undefined) return;
        const session = sessionAt(sessionsOf.get(textOf(0)) ?? [], first);
        const logs = integerIn(block, row, fields.length) ?? 0;
        if (session) visit({ session, logs, block, row, textOf });
      });
}
