import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
import { streamRows } from '../../database/index.ts';
import { type Action, actionHash } from '../chain/actions.ts';
import type { ReportDeviation } from './deviation.ts';
import { parseDetails } from './recorded-parts.ts';

const row = v.object({
  number: v.pipe(v.number(), v.safeInteger()),
  done: v.number(),
  action: v.string(),
  details: v.string(),
  version: v.nullable(v.string()),
  previous: v.string(),
  hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
});

/**
 * Yields the valid actions of a case, in order; reports the others. A case can have hundreds of thousands of
 * actions, so they are not all in memory. The connection is busy until the end.
 */
export async function* streamSoundActions(
  connection: DuckDBConnection,
  report: ReportDeviation,
): AsyncGenerator<Action, void, undefined> {
  // Times are recorded in whole milliseconds.
  const sql = `SELECT * REPLACE (number::DOUBLE AS number,
       CASE WHEN isfinite(done) AND epoch_us(done) % 1000 = 0 THEN epoch_ms(done)::DOUBLE END AS done)
     FROM stored.actions ORDER BY number`;
  const result = await streamRows(connection, { sql });
  for await (const rows of result.yieldRowObjectJs())
    for (const each of rows) yield* soundAction(each, report);
}

/** Returns an action, if it is valid; reports it otherwise. */
function soundAction(each: Readonly<Record<string, unknown>>, report: ReportDeviation): readonly Action[] {
  const { success, output, issues } = v.safeParse(row, each);
  if (success) {
    const { version, ...rest } = output;
    return [{ ...rest, ...(version !== null && { version }) }];
  }
  const number = each.number ?? 'without a number';
  const names = issues.map((issue) => v.getDotPath(issue) ?? '').join(', ');
  report({ code: 'CHAIN_BROKEN', message: `Action ${number} was altered: invalid values (${names})` });
  return [];
}

/** A check of actions in their order. */
export interface ChainCheck {
  readonly check: (action: Action) => void;
  /** Ends the check; returns the number of actions and the hash of the last one. */
  readonly end: () => { readonly actions: number; readonly head?: string };
}

/**
 * Starts a check that each action has its hash and contains that of the one before, and that a hash
 * recorded elsewhere is one of them.
 */
export function startChainCheck(report: ReportDeviation, head: string | undefined): ChainCheck {
  let [actions, number, previous] = [0, 1, ''];
  let isHeadFound = head === undefined;
  return { check, end };

  function check(action: Action): void {
    const problem = problemOf(action, { number, previous });
    if (problem !== undefined)
      report({ code: 'CHAIN_BROKEN', message: `Action ${action.number} (${nameOf(action)}) ${problem}` });
    isHeadFound ||= action.hash === head?.toLowerCase();
    [actions, number, previous] = [actions + 1, action.number + 1, action.hash];
  }

  function end(): ReturnType<ChainCheck['end']> {
    if (actions === 0) report({ code: 'CHAIN_BROKEN', message: 'The record of actions is empty' });
    if (!isHeadFound)
      report({
        code: 'HEAD_UNKNOWN',
        message: `No action has the hash ${head}: later ones were removed or altered`,
      });
    return { actions, ...(0 < actions && { head: previous }) };
  }
}

const noted = v.object({ note: v.number() });

/** Names an action, and the note that it adds, changes or removes. */
function nameOf({ action, details }: Action): string {
  const { success, output } = v.safeParse(noted, parseDetails(details));
  return success ? `"${action}" ${output.note}` : `"${action}"`;
}

function problemOf(
  action: Action,
  expected: { readonly number: number; readonly previous: string },
): string | undefined {
  if (action.number !== expected.number)
    return `stands where number ${expected.number} should: some are missing`;
  if (action.previous !== expected.previous) return 'does not contain the hash of its predecessor';
  return actionHash(action) === action.hash ? undefined : 'does not have its hash: it was altered';
}
