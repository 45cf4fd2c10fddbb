import { type Action, hashOf } from '../actions.ts';
import type { Report } from './deviation.ts';

/** Checks that each action has its hash and holds that of the one before, and that a hash noted elsewhere is among them. */
export function checkActions(
  actions: readonly Action[],
  report: Report,
  { head }: { readonly head?: string | undefined } = {},
): void {
  let [number, previous] = [1, ''];
  for (const action of actions) {
    const problem = problemOf(action, { number, previous });
    if (problem !== undefined)
      report({ code: 'CHAIN_BROKEN', message: `Action ${action.number} ("${action.action}") ${problem}` });
    [number, previous] = [action.number + 1, action.hash];
  }
  if (actions.length === 0)
    report({ code: 'CHAIN_BROKEN', message: 'There is no record of actions: not even of making the case' });
  if (head !== undefined && !actions.some(({ hash }) => hash === head.toLowerCase()))
    report({
      code: 'HEAD_UNKNOWN',
      message: `No action has the hash ${head}: later ones were taken away or altered`,
    });
}

function problemOf(
  action: Action,
  expected: { readonly number: number; readonly previous: string },
): string | undefined {
  if (action.number !== expected.number)
    return `stands where number ${expected.number} should: some are missing`;
  if (action.previous !== expected.previous) return 'does not hold the hash of the one before';
  return hashOf(action) === action.hash ? undefined : 'does not have its hash: it was altered';
}
