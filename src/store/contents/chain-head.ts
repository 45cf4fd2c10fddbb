import * as v from 'valibot';
import { type Case, readingState } from '../case/case.ts';

/** The last link of the chain of a case, and how much the case holds at that moment. Whoever keeps it can prove later what was there. */
export interface ChainHead {
  /** The number of the last action. */
  readonly number: number;
  /** Its hash: 64 hexadecimal digits. `verifyCase` takes it as `head`. */
  readonly hash: string;
  /** When it was done: milliseconds since the epoch. */
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
 * The last link of the chain of a case with the counts of one and the same state. It is read, and not checked: `verifyCase` does
 * that. Undefined where the record of actions is gone.
 */
export function chainHead(of: Case): Promise<ChainHead | undefined> {
  return readingState(of, async (connection) => {
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
