import { basename } from 'node:path';
import type { AnyLogSource } from '../../analysis/index.ts';
import { isClusterAddress } from '../../cluster/index.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Open case files and clusters with their names. */
export interface OpenCases extends AsyncDisposable {
  readonly cases: readonly AnyLogSource[];
  readonly names: readonly string[];
}

/** One open case file or cluster, with its name. */
export interface OpenSource extends AsyncDisposable {
  readonly source: AnyLogSource;
  readonly name: string;
}

/** Opens a case file or a cluster for reading. */
export async function openSource(path: string, terminal: Terminal): Promise<OpenSource> {
  const opened = await openCases([path], terminal);
  const [source] = opened.cases;
  if (!source) throw new Error(`"${path}" is not open`);
  const { names } = opened;
  return { source, name: names[0] ?? path, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
}

/** Opens case files and clusters for reading; loads their clients only if there are any. */
export async function openCases(paths: readonly string[], terminal: Terminal): Promise<OpenCases> {
  const cases: AnyLogSource[] = [];
  const opened: AsyncDisposable[] = [];
  const close = async () => {
    for (const resource of opened.toReversed()) await resource[Symbol.asyncDispose]();
  };
  try {
    const names: string[] = [];
    for (const path of new Set(paths)) {
      if (isClusterAddress(path)) {
        const { openClusterLogs } = await import('../cluster/open-cluster.ts');
        const cluster = await openClusterLogs(path, terminal);
        opened.push(cluster);
        cases.push(cluster.logs);
        names.push(cluster.name);
        continue;
      }
      const { refuseFolder } = await import('./case-folder.ts');
      refuseFolder(path);
      const { openCase } = await import('../../case/file/case.ts');
      const openedCase = await openCase(path, { access: 'read' });
      opened.push(openedCase);
      cases.push(openedCase);
      names.push(basename(path));
    }
    return { cases, names, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}
