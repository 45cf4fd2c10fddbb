import type { Cluster } from '../../cluster/index.ts';
import { checkSchema, type MissingShard, missingShards } from '../../cluster/index.ts';
import { escapeUnsafe } from '../terminal/printable.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type OpenOptions, openNamedCluster } from './open-named-cluster.ts';
import { sayUnknownDeployment } from './unknown-deployment.ts';

/**
 * Opens a cluster for reading its logs. If its address allows that shards are missing, those are named, and the
 * command ends as incomplete. Without one that is missing at first, no query skips any: one that fails later is an error.
 */
export async function openReadableCluster(
  text: string,
  terminal: Pick<Terminal, 'environment' | 'say' | 'noteIncomplete'>,
  options: OpenOptions = {},
): Promise<Cluster> {
  const cluster = await openNamedCluster(text, terminal, options);
  let missing: readonly MissingShard[] = [];
  try {
    if (cluster.address.mayLackShards) missing = await missingShards(cluster);
    if (missing.length === 0) {
      await checkSchema(cluster);
      await sayUnknownDeployment(cluster, terminal);
      return cluster;
    }
  } catch (error) {
    await cluster[Symbol.asyncDispose]();
    throw error;
  }
  await cluster[Symbol.asyncDispose]();
  sayMissing(missing, terminal);
  // The version and the deployments may be at a shard that is missing.
  const rest = await openNamedCluster(
    text,
    { ...terminal, say: () => {} },
    { ...options, skipsShards: true },
  );
  const known = new Set(missing.map(({ number }) => number));
  return {
    ...rest,
    [Symbol.asyncDispose]: async () => {
      // The answer is known as incomplete if the cluster does not say what else it lacks.
      const later = await missingShards(rest).catch(() => []);
      sayMissing(
        later.filter(({ number }) => !known.has(number)),
        terminal,
      );
      await rest[Symbol.asyncDispose]();
    },
  };
}

function sayMissing(
  missing: readonly MissingShard[],
  { say, noteIncomplete }: Pick<Terminal, 'say' | 'noteIncomplete'>,
): void {
  if (missing.length === 0) return;
  const names = missing.map(
    ({ number, servers }) => `shard ${number} (${servers.map(escapeUnsafe).join(', ')})`,
  );
  say(
    `warning: No answer from ${names.join(' and ')}: the answer lacks its logs, and those of parts whose record is there.`,
  );
  noteIncomplete?.();
}
