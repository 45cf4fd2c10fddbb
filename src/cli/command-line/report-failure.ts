import { diskFailureOf } from '../../database/index.ts';
import { ClosedPipe, Interrupted, type Terminal, UnknownOutcome } from '../terminal/terminal.ts';
import { escapeUnsafeLines } from '../terminal/text.ts';
import { type ExitCode, exitCodes, UsageError } from './exit-code.ts';

/**
 * Exit codes for the errors of lower layers, by name: importing the classes would load modules that
 * most commands do not need.
 */
const exitCodeOf: ReadonlyMap<string, (code: string) => ExitCode> = new Map<
  string,
  (code: string) => ExitCode
>([
  ['StoreError', exitCodeOfStore],
  ['ClientError', () => exitCodes.deploymentFailed],
  ['ClusterError', exitCodeOfCluster],
  ['CollectError', () => exitCodes.deploymentFailed],
  [
    'SealError',
    (code) => (code === 'TIME_STAMP_REFUSED' ? exitCodes.deploymentFailed : exitCodes.wrongUsage),
  ],
  [
    'ExportError',
    (code) => (code === 'NOTHING_TO_RESUME' ? exitCodes.wrongUsage : exitCodes.deploymentFailed),
  ],
]);

/** Codes of the store for a wrong file in the command line. */
const misnamed: ReadonlySet<string> = new Set([
  'CASE_NOT_FOUND',
  'NOT_A_CASE',
  'CASE_VERSION',
  'FILE_NOT_FOUND',
  'FILE_UNREADABLE',
  'BAD_HEAD',
  'NO_SUCH_LOG',
  'NO_SUCH_NOTE',
]);

/** Advice on disk failures. */
const adviceOn = {
  full: 'The disk is full: free some space, then repeat the command. Finished work is kept.',
  broken: 'The disk failed: repair it, then repeat the command. Finished work is kept.',
} as const;

function exitCodeOfCluster(code: string): ExitCode {
  if (code === 'CLUSTER_ADDRESS') return exitCodes.wrongUsage;
  if (code === 'CLUSTER_TIMEOUT') return exitCodes.timedOut;
  return code === 'CLUSTER_SQL' ? exitCodes.no : exitCodes.deploymentFailed;
}

function exitCodeOfStore(code: string): ExitCode {
  if (code === 'SQL_TIMEOUT') return exitCodes.timedOut;
  return misnamed.has(code) ? exitCodes.wrongUsage : exitCodes.no;
}

/** Reports an error and returns the exit code. */
export function reportFailure(error: unknown, terminal: Pick<Terminal, 'message' | 'stderr'>): ExitCode {
  if (error instanceof ClosedPipe) return exitCodes.done;
  if (error instanceof Interrupted) {
    terminal.message('Interrupted.');
    return exitCodes.interrupted;
  }
  if (error instanceof UnknownOutcome) {
    reportFailure(error.cause, terminal);
    return exitCodes.incomplete;
  }
  const { message, stderr } = terminal;
  if (error instanceof UsageError) {
    message(`${stderr.style.red('error')}: ${escapeUnsafeLines(error.message)}`);
    return exitCodes.wrongUsage;
  }
  const diskFailure = diskFailureOf(error);
  const code = codeOf(error) ?? (diskFailure && 'STORE_FAILED');
  if (error instanceof Error && code !== undefined) {
    message(`${stderr.style.red('error')}: ${escapeUnsafeLines(error.message)} [${code}]`);
    if (diskFailure) message(adviceOn[diskFailure]);
    return exitCodeOf.get(error.name)?.(code) ?? exitCodes.no;
  }
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  message(`${stderr.style.red('error')}: This is a bug in logquarry: ${escapeUnsafeLines(details)}`);
  return exitCodes.no;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
