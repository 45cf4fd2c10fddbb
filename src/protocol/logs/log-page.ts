import * as v from 'valibot';
import { optionalMember } from '../lenient.ts';

/** One page of a list of logs, as `logs/query` and `logs/search` answer it (field notes). */
export interface LogPage {
  /** The logs as the deployment writes them: their members are not documented. */
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  /** Number of items that are no logs and are left out. */
  readonly unreadable: number;
  /** Number of logs that the request selects; absent where the deployment does not say. */
  readonly total?: number | undefined;
  /** Position of the first log of the next page, counted from 1; absent on the last page. */
  readonly nextStart?: number | undefined;
}

const page = v.object({
  messages: v.fallback(v.nullish(v.array(v.unknown())), undefined),
  total: optionalMember.number,
  nextStart: optionalMember.number,
});

/** Reads the page in a body: it has a list of messages, or their number. Undefined if the body is none. */
export function logPageOf(body: unknown): LogPage | undefined {
  const result = v.safeParse(page, body);
  if (!result.success) return undefined;
  const { messages, total, nextStart } = result.output;
  if (!messages && total === undefined) return undefined;
  const items = messages ?? [];
  const logs = items.filter(isRecord);
  return {
    messages: logs,
    unreadable: items.length - logs.length,
    ...(isCount(total) && { total }),
    ...(isCount(nextStart) && 0 < nextStart && { nextStart }),
  };
}

function isCount(value: number | undefined): value is number {
  return Number.isSafeInteger(value) && value !== undefined && 0 <= value;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
