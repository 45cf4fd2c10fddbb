import { basename } from 'node:path';
import type { SealProblem, SealStatement } from '../../seal/index.ts';
import type { Action } from '../../store/index.ts';
import { version } from '../version.ts';

/** The counts of a case that a seal holds fast. */
export type CaseCounts = Pick<SealStatement, 'head' | 'actions' | 'files' | 'parts' | 'logs' | 'unreadable'>;

/** The statement of a seal that is made now. `path` is that of the case. */
export function statementOf(path: string, counts: CaseCounts, manifest?: string): SealStatement {
  const { head, actions, files, parts, logs, unreadable } = counts;
  return {
    of: manifest === undefined ? 'case' : 'hand-over',
    case: basename(path),
    ...{ head, actions, files, parts, logs, unreadable },
    ...(manifest !== undefined && { manifest }),
    made: new Date().toISOString(),
    tool,
  };
}

/** This program and its version. */
export const tool = `logquarry ${version}`;

const counted = ['files', 'parts', 'logs', 'unreadable'] as const;

/**
 * Compares the statement of a seal with a case: the action with its hash has its
 * number, and the counts are the same, or no smaller where actions came later.
 */
export function checkStatement(
  statement: SealStatement,
  { actions, ...counts }: Omit<CaseCounts, 'head' | 'actions'> & { readonly actions: readonly Action[] },
): readonly SealProblem[] {
  const sealed = actions.find(({ hash }) => hash === statement.head);
  if (!sealed) return [problem('The case holds no action with the sealed hash')];
  if (sealed.number !== statement.actions)
    return [
      problem(`The sealed hash is that of action ${sealed.number}, unlike ${statement.actions} in the seal`),
    ];
  const isLast = sealed.number === actions.length;
  return counted
    .filter((name) => (isLast ? counts[name] !== statement[name] : counts[name] < statement[name]))
    .map((name) =>
      problem(`The case has ${counts[name]} ${words[name]}, and the seal says ${statement[name]}`),
    );
}

const words = { files: 'originals', parts: 'parts', logs: 'logs', unreadable: 'unreadable records' } as const;

function problem(message: string): SealProblem {
  return { code: 'SEALED_OTHERWISE', message };
}
