import { type ClusterVerification, verifyCluster } from '../../cluster/index.ts';
import { temporaryFolder } from '../files/temporary-folder.ts';
import { displayProgress } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { openNamedCluster } from './open-named-cluster.ts';
import { sayUnknownDeployment } from './unknown-deployment.ts';

/** Checks the logs of a cluster against their originals and the record of what was loaded, and shows the progress. */
export async function verifyNamedCluster(
  address: string,
  { originals, terminal }: { readonly originals: string | undefined; readonly terminal: Terminal },
): Promise<ClusterVerification> {
  await using cluster = await openNamedCluster(address, terminal);
  await sayUnknownDeployment(cluster, terminal);
  await using folder = await temporaryFolder();
  const display = displayProgress(terminal);
  let files = 0;
  return await verifyCluster(cluster, {
    ...{ folder: folder.path, originals, signal: terminal.interruption() },
    onFile: (file) => {
      files += 1;
      display.update({ doing: `Checking ${file}`, done: files, unit: 'originals' });
    },
  }).finally(() => display.end());
}
