import type { Call } from '../command-line/command.ts';
import { UsageError } from '../command-line/usage-error.ts';
import type { exportSpec } from '../specs/logs.ts';

type Options = Call<typeof exportSpec>['options'];

/** What an export is for: something new, an export that was interrupted, or what came since the last one. */
export interface ExportTarget {
  readonly kind: 'new' | 'resume' | 'retry gaps' | 'since last';
  readonly path: string;
}

/** What the options of an export are for. */
export function targetOf(options: Options): ExportTarget {
  const { into, resume, retryGaps, sinceLast, plan, via, windowBy } = options;
  if (via === 'query' && windowBy === 'query')
    throw new UsageError(
      '"--via query" and "--window-by query" exclude each other: no query is sent that times could be in',
    );
  if (resume !== undefined) return { kind: 'resume', path: resume };
  if (retryGaps !== undefined) return { kind: 'retry gaps', path: retryGaps };
  if (sinceLast !== undefined) return { kind: 'since last', path: sinceLast };
  if (into !== undefined) return { kind: 'new', path: into };
  // A plan needs no case; one that is there takes away from it what it has.
  if (plan) return { kind: 'new', path: ':memory:' };
  throw new UsageError(
    '"--into CASE" is required, or "--resume CASE", "--retry-gaps CASE" or "--since-last CASE"',
  );
}
