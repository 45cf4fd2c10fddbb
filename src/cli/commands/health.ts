import {
  type Client,
  ClientError,
  openClient,
  readMicroserviceStatus,
  readMicroservices,
} from '../../client/index.ts';
import { isReady, type Microservice, type MicroserviceStatus } from '../../protocol/index.ts';
import type { RunCommand } from '../command-line/command.ts';
import { exitCodes } from '../command-line/exit-code.ts';
import { readConnection } from '../deployment/connection.ts';
import { formatTable } from '../output/table.ts';
import type { healthSpec } from '../specs/deployment-specs.ts';
import { formatCount, formatNumber } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { toJson } from '../terminal/text.ts';

/** A microservice with its status, or the problem of reading it. */
type Checked = Microservice &
  MicroserviceStatus & { readonly ready: boolean; readonly problem?: string | undefined };

/** Shows the status of the microservices. */
export const healthCommand: RunCommand<typeof healthSpec> = async ({ options, terminal }) => {
  const signal = terminal.interruption();
  await using client = openClient(await readConnection(options, terminal));
  const checked: Checked[] = [];
  // Sequential, to spare a deployment in trouble.
  for (const microservice of await readMicroservices(client, { signal }))
    checked.push(await check(client, microservice, signal));
  const unready = checked.filter(({ ready }) => !ready);
  const shown = options.unready ? unready : checked;
  await terminal.print(options.json ? `${toJson(shown, 2)}\n` : statusText(shown, terminal));
  terminal.message(
    unready.length === 0
      ? `${formatCount(checked.length, 'microservice')}, all ready.`
      : `${formatNumber(unready.length)} of ${formatCount(checked.length, 'microservice')} not ready.`,
  );
  return unready.length === 0 ? exitCodes.done : exitCodes.no;
};

/**
 * Reads the status of a microservice. A refusal becomes its `problem`, so that the others are still
 * shown.
 */
async function check(client: Client, microservice: Microservice, signal: AbortSignal): Promise<Checked> {
  try {
    const status = await readMicroserviceStatus(client, microservice.id, { signal });
    return { ...microservice, ...status, ready: isReady(status) };
  } catch (error) {
    signal.throwIfAborted();
    const isOfOne =
      error instanceof ClientError && ['BAD_REPLY', 'REFUSED', 'SERVER_ERROR'].includes(error.code);
    if (!isOfOne) throw error;
    return { ...microservice, ready: false, problem: error.message };
  }
}

function statusText(checked: readonly Checked[], { stdout }: Terminal): string {
  if (checked.length === 0) return '';
  const columns = [
    ...[{ name: 'name' }, { name: 'state' }, { name: 'pods' }],
    ...[{ name: 'type' }, { name: 'id' }, { name: 'workload', canShrink: true }],
  ];
  const rows = checked.map((service) => [
    service.name ?? '',
    service.problem === undefined ? (service.currentState ?? 'unknown') : 'no answer',
    podsText(service),
    service.type ?? '',
    service.id,
    service.kubernetesResourceName ?? '',
  ]);
  return `${formatTable(columns, rows, stdout).join('\n')}\n`;
}

function podsText({ readyReplicas, totalReplicas }: MicroserviceStatus): string {
  if (readyReplicas === undefined && totalReplicas === undefined) return '';
  return `${readyReplicas ?? '?'} of ${totalReplicas ?? '?'}`;
}
