import type { Cluster } from '../../cluster/index.ts';
import { otherDeployments } from '../../cluster/index.ts';
import { escapeUnsafe } from '../terminal/printable.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Says if the cluster has no logs of the deployment of the address: an answer of nothing would hide a misspelt name. */
export async function sayUnknownDeployment(cluster: Cluster, terminal: Pick<Terminal, 'say'>): Promise<void> {
  const others = await otherDeployments(cluster);
  if (!others) return;
  const shown = others.slice(0, 10).map((name) => `"${escapeUnsafe(name)}"`);
  const rest = others.length - shown.length;
  const known =
    others.length === 0
      ? 'it has no logs yet'
      : `it has those of ${shown.join(', ')}${rest === 0 ? '' : ` and ${rest} more`}`;
  terminal.say(
    `warning: The cluster has no logs of the deployment "${escapeUnsafe(cluster.address.deployment ?? '')}": ${known}.`,
  );
}
