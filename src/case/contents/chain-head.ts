import * as v from 'valibot';
import { type Case, readCase, readCaseSnapshot } from '../file/case.ts';
import { type Action, readActions } from '../file/chain.ts';

/**
 * The last action of a case, with the counts of its contents at that moment. A copy of it proves later what the
 * case contained.
 */
export interface ChainHead {
  /** Number of the last action. */
  readonly number: number;
  /** Its hash: 64 hexadecimal digits. `verifyCase` takes it as `head`. */
  readonly hash: string;
  /** Time of the action: milliseconds since the epoch. */
  readonly done: number;
  readonly files: number;
  readonly parts: number;
  readonly logs: number;
  readonly unreadable: number;
}

const row = v.object({
  number: v.number(),
  hash: v.string(),
  done: v.number(),
  files: v.number(),
  parts: v.number(),
  logs: v.number(),
  unreadable: v.number(),
});

/**
 * Reads the last action of a case and the counts of the same snapshot. Does not check them: `verifyCase` does.
 * Undefined if the record of actions is gone.
 *
 * ```ts
 * const head = await chainHead(incident);
 * ```
 */
export function chainHead(of: Case): Promise<ChainHead | undefined> {
  return readCaseSnapshot(of, async (connection) => {
    const result = await connection.runAndReadAll(
      `SELECT number::DOUBLE AS number, hash, epoch_ms(done)::DOUBLE AS done,
         (SELECT count(DISTINCT sha256) FROM stored.files)::DOUBLE AS files,
         (SELECT count(*) FROM stored.parts)::DOUBLE AS parts,
         (SELECT count(*) FROM stored.logs)::DOUBLE AS logs,
         (SELECT count(*) FROM stored.unreadable)::DOUBLE AS unreadable
       FROM stored.actions ORDER BY number DESC NULLS LAST LIMIT 1`,
    );
    const [found] = result.getRowObjectsJS();
    return found && v.parse(row, found);
  });
}

/**
 * Returns the actions of a case in order. The hash of the last one covers all of them.
 *
 * ```ts
 * for (const { done, action } of await findActions(incident)) console.log(new Date(done), action);
 * ```
 */
export function findActions(of: Case): Promise<readonly Action[]> {
  return readCase(of, readActions);
}
