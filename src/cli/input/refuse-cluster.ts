import { isClusterAddress, parseClusterAddress } from '../../cluster/index.ts';
import { UsageError } from '../command-line/exit-code.ts';

/** Commands that have no answer for a cluster, each with the reason and what to do instead. */
const reasons: Readonly<Record<string, string>> = {
  index: 'ClickHouse keeps the index of words of a cluster itself: there is nothing to build',
  seal: 'a cluster has no chain of hashes: seal the cases that are pushed, or use "hand-over --key" on the cluster',
  'cluster push': 'the logs of a cluster are copied by ClickHouse itself, with BACKUP and RESTORE',
  ...Object.fromEntries(
    ['note add', 'note list', 'note edit', 'note remove', 'saved add', 'saved list', 'saved remove'].map(
      (name) => [name, 'notes and saved searches are in the chain of a case: use the case that was pushed'],
    ),
  ),
};

/** Throws a `UsageError` if a command that reads case files alone gets the address of a cluster as its case. */
export function refuseCluster(command: string, values: object): void {
  const reason = reasons[command];
  if (reason === undefined) return;
  const isGiven =
    'case' in values &&
    [values.case].flat().some((value) => typeof value === 'string' && isClusterAddress(value));
  if (isGiven) throw new UsageError(`${command} takes a case file, not a cluster: ${reason}`);
}

/** Throws a `UsageError` if a command on evidence gets the address of a cluster that may lack shards. */
export function requireAllShards(command: string, source: string): void {
  if (isClusterAddress(source) && parseClusterAddress(source).mayLackShards)
    throw new UsageError(
      `${command} needs the logs of all shards: leave "shards=available" out of the address`,
    );
}
