import { basename } from 'node:path';
import type { Action } from '../../case/index.ts';
import { packageVersion } from '../../database/index.ts';
import type { SealProblem, SealStatement } from '../../seal/index.ts';

/** The sealed counts of a case. */
export type CaseCounts = Pick<SealStatement, 'head' | 'actions' | 'files' | 'parts' | 'logs' | 'unreadable'>;

/** Creates the statement of a new seal. `path` is the path of the case. */
export function makeStatement(path: string, counts: CaseCounts, manifest?: string): SealStatement {
  const { head, actions, files, parts, logs, unreadable } = counts;
  return {
    of: manifest === undefined ? 'case' : 'hand-over',
    case: basename(path),
    ...(head !== undefined && { head, actions }),
    ...{ files, parts, logs, unreadable },
    ...(manifest !== undefined && { manifest }),
    made: new Date().toISOString(),
    tool: toolName,
  };
}

/** Name and version of this program. */
export const toolName = `logquarry ${packageVersion}`;

const counted = ['files', 'parts', 'logs', 'unreadable'] as const;

/**
 * Compares the statement of a seal with a case. The action with the sealed hash must have the sealed
 * number, and the counts must be equal, or not smaller if actions were added later.
 */
export function checkStatement(
  statement: SealStatement,
  { actions, ...counts }: Omit<CaseCounts, 'head' | 'actions'> & { readonly actions: readonly Action[] },
): readonly SealProblem[] {
  const sealed = actions.find(({ hash }) => hash === statement.head);
  if (!sealed) return [problem('The case holds no action with the sealed hash')];
  if (sealed.number !== statement.actions)
    return [
      problem(`The sealed hash belongs to action ${sealed.number}, and the seal says ${statement.actions}`),
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
