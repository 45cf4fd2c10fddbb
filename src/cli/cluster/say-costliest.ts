import { costliestPart, queryParts } from '../../analysis/index.ts';
import { isClusterAddress } from '../../cluster/index.ts';
import type { WrittenCall } from '../command-line/command.ts';
import { engineOption } from '../specs/query-options.ts';
import { escapeUnsafe } from '../terminal/printable.ts';
import { formatCount } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type OpenClusterLogs, openClusterLogs } from './open-cluster-logs.ts';

/** After a call exceeded a limit of a cluster, reports the clause of its query that costs most. */
export async function sayCostliest(written: WrittenCall, terminal: Terminal): Promise<void> {
  const [query] = written.arguments.query ?? written.options.search ?? [];
  // The address stands in the place of the query if a search has none.
  if (query === undefined || isClusterAddress(query)) return;
  const engine = engineOption.read(written.options.engine ?? [], 'engine');
  const addresses = new Set(Object.values(written.arguments).flat().filter(isClusterAddress));
  const clusters: OpenClusterLogs[] = [];
  try {
    // What opening says was said before.
    for (const address of addresses)
      clusters.push(await openClusterLogs(address, { ...terminal, say: () => undefined }));
    const costliest = await costliestPart(
      clusters.map(({ logs }) => logs),
      queryParts(query, engine),
    );
    if (costliest)
      terminal.say(
        `The clause ${escapeUnsafe(costliest.text)} costs most: alone it reads ${formatCount(costliest.logs, 'log')} at each server.`,
      );
  } catch {
    // The limit remains the failure that is reported.
  } finally {
    for (const each of clusters) await each[Symbol.asyncDispose]();
  }
}
