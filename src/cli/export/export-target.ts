import type { CommandCall } from '../command-line/command.ts';
import { UsageError } from '../command-line/usage-error.ts';
import type { exportSpec } from '../specs/logs.ts';

type Options = CommandCall<typeof exportSpec>['options'];

/** Purpose of an export, and the path of the case. */
export interface ExportTarget {
  readonly kind: 'new' | 'resume' | 'retry gaps' | 'since last';
  readonly path: string;
}

/** Derives the purpose of an export from its options. */
export function exportTargetFrom(options: Options): ExportTarget {
  const { into, resume, retryGaps, sinceLast, plan, via, windowBy } = options;
  if (via === 'query' && windowBy === 'query')
    throw new UsageError(
      '--via query and --window-by query exclude each other: without a sent query there is none to put times into',
    );
  if (resume !== undefined) return { kind: 'resume', path: resume };
  if (retryGaps !== undefined) return { kind: 'retry gaps', path: retryGaps };
  if (sinceLast !== undefined) return { kind: 'since last', path: sinceLast };
  if (into !== undefined) return { kind: 'new', path: into };
  // A plan needs no case; an existing one reduces what is left to export.
  if (plan) return { kind: 'new', path: ':memory:' };
  throw new UsageError('--into CASE is required, or --resume CASE, --retry-gaps CASE or --since-last CASE');
}
