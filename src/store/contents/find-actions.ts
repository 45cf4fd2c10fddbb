import { type Case, reading } from '../case/case.ts';
import { type Action, readActions } from '../chain/actions.ts';

/** Returns the actions of a case in order. The hash of the last one covers all of them. */
export function findActions(of: Case): Promise<readonly Action[]> {
  return reading(of, readActions);
}
