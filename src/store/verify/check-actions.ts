import type { DuckDBConnection } from '@duckdb/node-api';
import * as v from 'valibot';
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

/** Returns the valid actions of a case, in order; reports the others. */
export async function readSoundActions(
  connection: DuckDBConnection,
  report: ReportDeviation,
): Promise<readonly Action[]> {
  // Times are recorded in whole milliseconds.
  const result = await connection.run(
    `SELECT * REPLACE (number::DOUBLE AS number,
       CASE WHEN isfinite(done) AND epoch_us(done) % 1000 = 0 THEN epoch_ms(done)::DOUBLE END AS done)
     FROM stored.actions ORDER BY number`,
  );
  const actions: Action[] = [];
  // Rows of a chunk at a time: a case can have hundreds of thousands of actions.
  for await (const rows of result.yieldRowObjectJs())
    for (const each of rows) actions.push(...soundAction(each, report));
  return actions;
}

/** Returns an action, if it is valid; reports it otherwise. */
function soundAction(each: Readonly<Record<string, unknown>>, report: ReportDeviation): readonly Action[] {
  const { success, output, issues } = v.safeParse(row, each);
  if (success) {
    const { version, ...rest } = output;
    return [{ ...rest, ...(version !== null && { version }) }];
  }
  const number = each['number'] ?? 'without a number';
  const names = issues.map((issue) => v.getDotPath(issue) ?? '').join(', ');
  report({ code: 'CHAIN_BROKEN', message: `Action ${number} was altered: invalid values (${names})` });
  return [];
}

/**
 * Checks that each action has its hash and contains that of the one before, and that a hash
 * recorded elsewhere is one of them.
 */
export function checkActions(
  actions: readonly Action[],
  report: ReportDeviation,
  { head }: { readonly head?: string | undefined } = {},
): void {
  let [number, previous] = [1, ''];
  for (const action of actions) {
    const problem = problemOf(action, { number, previous });
    if (problem !== undefined)
      report({ code: 'CHAIN_BROKEN', message: `Action ${action.number} (${nameOf(action)}) ${problem}` });
    [number, previous] = [action.number + 1, action.hash];
  }
  if (actions.length === 0) report({ code: 'CHAIN_BROKEN', message: 'The record of actions is empty' });
  if (head !== undefined && !actions.some(({ hash }) => hash === head.toLowerCase()))
    report({
      code: 'HEAD_UNKNOWN',
      message: `No action has the hash ${head}: later ones were removed or altered`,
    });
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
