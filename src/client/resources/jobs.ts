import { introducedIn, jobIdsOf, jobsPath } from '../../protocol/index.ts';
import { addressBelow, type CallOptions, plainForm, readJson } from '../calls/call.ts';
import type { Client } from '../calls/client.ts';
import { sinceVersion, unexpectedReplyError } from '../transport/answer.ts';

/**
 * The address of a job by its identifier, for `readJob`.
 *
 * ```ts
 * const job = await readJob(client, jobAddress(client, 'j1'));
 * ```
 */
export function jobAddress(client: Client, id: string): string {
  return addressBelow(client.addresses.root + jobsPath, id);
}

/**
 * The identifiers of the jobs that the deployment remembers, in its order (public documentation of `jobs`).
 *
 * ```ts
 * const ids = await readJobIds(client);
 * ```
 */
export async function readJobIds(client: Client, options: CallOptions = {}): Promise<readonly string[]> {
  const address = client.addresses.root + jobsPath;
  const purpose = {
    failed: 'The jobs could not be listed',
    privilege: 'see jobs',
    whenMissing: sinceVersion(introducedIn.jobs),
  };
  const body = await readJson(client, { ...options, address, body: plainForm(), purpose });
  const ids = jobIdsOf(body);
  if (!ids) throw unexpectedReplyError(body, 'a list of jobs', { address, purpose, hide: client.hide });
  return ids;
}
