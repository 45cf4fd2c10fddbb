import { type JobResource, jobResourceOf, reachableAddress } from '../../protocol/index.ts';
import type { Client } from '../calls/client.ts';
import { readResource } from '../calls/read-resource.ts';
import { jsonOf, unexpectedReplyError } from '../transport/answer.ts';
import { ClientError } from '../transport/client-error.ts';
import { withOwnSignal } from '../transport/own-signal.ts';
import { hideIn } from '../transport/secrets.ts';

/**
 * The job at an address, as it is now. A job that failed is a job too: its `status` says so.
 *
 * ```ts
 * const job = await readJob(client, jobAddress(client, 'j1'));
 * ```
 */
export async function readJob(
  client: Client,
  jobsUrl: string,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<JobResource> {
  const address = reachableAddress(jobsUrl, client.addresses.root);
  if (!address) throw new ClientError('BAD_REPLY', 'The job has no address at which it could be asked for');
  const purpose = {
    failed: 'The job could not be read',
    privilege: 'see jobs',
    whenMissing: 'where the deployment has forgotten the job, the export can only be started anew',
  };
  const asked = { address, purpose, hide: client.hide };
  const form = new URLSearchParams({ f: 'json' });
  const response = await withOwnSignal(signal, (own) => readResource(client, address, { form, signal: own }));
  const body = hideIn(await jsonOf(response, asked), client.hide);
  const job = jobResourceOf(body);
  if (!job) throw unexpectedReplyError(body, 'a job', asked);
  return job;
}
