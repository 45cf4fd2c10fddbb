import { type ExportRequest, logCountOf, toExportForm } from '../../protocol/index.ts';
import { type CallOptions, callReading } from '../calls/call.ts';
import type { Client } from '../calls/client.ts';
import { ClientError } from '../transport/client-error.ts';

/**
 * The number of logs that a request selects, as the deployment counts them
 * itself (`logs/search` with `countOnly`, field notes). Undefined where it has no
 * such operation, or answers something else: nothing may depend on it.
 *
 * ```ts
 * const count = await countAtDeployment(client, newestLogsRequest);
 * ```
 */
export async function countAtDeployment(
  client: Client,
  request: ExportRequest,
  options: CallOptions = {},
): Promise<number | undefined> {
  const body = toExportForm(request);
  body.set('num', '1');
  body.set('countOnly', 'true');
  const purpose = { failed: 'The logs were not counted', privilege: 'search logs' };
  try {
    const address = client.addresses.searchLogs;
    return logCountOf(await callReading(client, { ...options, address, body, purpose }));
  } catch (error) {
    options.signal?.throwIfAborted();
    if (error instanceof ClientError && error.code !== 'UNTRUSTED') return undefined;
    throw error;
  }
}
