import {
  type ExportRequest,
  introducedIn,
  reachableAddress,
  type SubmittedJob,
  submittedJobOf,
  toExportForm,
} from '../../protocol/index.ts';
import type { Client } from '../calls/client.ts';
import { jsonOf, sinceVersion, unexpectedReplyError } from '../transport/answer.ts';
import { ClientError } from '../transport/client-error.ts';
import { withOwnSignal } from '../transport/own-signal.ts';
import { hideIn } from '../transport/secrets.ts';

/**
 * Submits an export and returns its job, with the address of its status. Never submits it twice: if
 * the connection breaks before the reply, the error says that the job may exist.
 *
 * ```ts
 * const { jobsUrl } = await submitExport(client, { ...newestLogsRequest, num: 1000 });
 * const job = await readJob(client, jobsUrl);
 * ```
 */
export async function submitExport(
  client: Client,
  request: ExportRequest,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<SubmittedJob> {
  const address = client.addresses.exportLogs;
  const purpose = {
    failed: 'The export was not accepted',
    privilege: 'export logs',
    whenMissing: sinceVersion(introducedIn.exportLogs),
  };
  const asked = { address, purpose, hide: client.hide };
  // A login that fails here fails before the export: there is no doubt then whether a job exists.
  await client.signIn();
  const form = { method: 'POST', body: toExportForm(request) };
  const response = await withOwnSignal(signal, (own) =>
    send(client, new Request(address, { ...form, signal: own })),
  );
  const body = hideIn(await jsonOf(response, asked), client.hide);
  const job = submittedJobOf(body);
  const jobsUrl = job && reachableAddress(job.jobsUrl, client.addresses.root);
  if (!jobsUrl) throw unexpectedReplyError(body, 'a submitted job', asked);
  return { ...job, jobsUrl };
}

async function send(client: Client, request: Request): Promise<Response> {
  try {
    return await client.submit(request);
  } catch (error) {
    if (!(error instanceof ClientError && error.arrived)) throw error;
    const { code, message, cause } = error;
    const doubt = 'The export may have been started all the same, but its job is not known';
    throw new ClientError(code, `${message}. ${doubt}`, { cause });
  }
}
