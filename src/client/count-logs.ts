import * as v from 'valibot';
import { type ExportRequest, toExportForm } from '../protocol/index.ts';
import { ask, type CallOptions } from './call.ts';
import type { Client } from './client.ts';
import { ClientError } from './client-error.ts';

const whole = v.pipe(v.number(), v.integer(), v.minValue(0));
const counted = v.union([v.object({ total: whole }), v.object({ count: whole })]);

/**
 * The number of logs that a request selects, as the deployment counts them
 * itself (`logs/search` with `countOnly`, field notes). Undefined where it has no
 * such operation, or answers something else: nothing may depend on it.
 */
export async function countAtDeployment(
  client: Client,
  request: ExportRequest,
  options: CallOptions = {},
): Promise<number | undefined> {
  const body = toExportForm(request);
  body.delete('num');
  body.set('countOnly', 'true');
  const purpose = { failed: 'The logs were not counted', privilege: 'search logs' };
  try {
    const address = client.addresses.searchLogs;
    const result = v.safeParse(counted, await ask(client, { ...options, address, body, purpose }));
    if (!result.success) return undefined;
    return 'total' in result.output ? result.output.total : result.output.count;
  } catch (error) {
    options.signal?.throwIfAborted();
    if (error instanceof ClientError && error.code !== 'UNTRUSTED') return undefined;
    throw error;
  }
}
