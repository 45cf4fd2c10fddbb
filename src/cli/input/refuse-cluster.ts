import { isClusterAddress } from '../../cluster/address.ts';
import { UsageError } from '../command-line/usage-error.ts';

/** Commands that take the address of a cluster as `CASE` or `SOURCE`, in the order of the help. */
const commandsOfClusters = [
  ...['check', 'explain', 'complete', 'verify', 'overview', 'ui', 'investigate', 'search', 'show', 'trace'],
  ...['histogram', 'top', 'patterns', 'diff', 'gaps', 'services', 'sessions', 'detect', 'sql'],
];

/** Throws a `UsageError` if a command that reads case files gets the address of a cluster as its case. */
export function refuseCluster(command: string, given: object): void {
  const isGiven =
    'case' in given && [given.case].flat().some((each) => typeof each === 'string' && isClusterAddress(each));
  if (isGiven && !commandsOfClusters.includes(command))
    throw new UsageError(
      `${command} reads case files. Of a cluster, these commands do: ${commandsOfClusters.join(', ')}`,
    );
}
