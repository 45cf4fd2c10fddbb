import { type AddedFile, type Case, exportedLogs, type StoredLog } from '../../case/index.ts';
import type { Client } from '../../client/index.ts';
import { type ExportRequest, newestLogsRequest } from '../../protocol/index.ts';
import { mayBeTruncated } from '../decide/observed-behaviour.ts';
import { openStart } from '../decide/window.ts';
import { probeLogs } from '../job/probe.ts';
import { isRetryable } from '../job/retryable.ts';

/** A loaded zip and its request. */
export interface LoadedZip {
  readonly request: ExportRequest;
  readonly file: AddedFile;
}

/** Milliseconds: a call for a few logs. */
const maxWait = 300_000;

interface AskOptions {
  readonly client: Client;
  readonly into: Case;
  readonly signal?: AbortSignal | undefined;
}

/** Reads the logs of a zip. If an earlier job loaded the same bytes, they are stored under that job. */
async function readStoredLogs(into: Case, { parts }: AddedFile): Promise<readonly StoredLog[]> {
  const jobs = new Set(parts.flatMap(({ job }) => job ?? []));
  const logs = [...jobs].map((job) => exportedLogs(into, { oldest: openStart, newest: -openStart, job }));
  return (await Promise.all(logs)).flat();
}

/**
 * Explains why a zip with fewer logs than requested may lack some; undefined if
 * it lacks none. A deployment may cap a reply without reporting it, or return a
 * zip without entries, so a few of these logs are requested again.
 */
export async function explainShortReply(options: AskOptions, zip: LoadedZip): Promise<string | undefined> {
  try {
    return zip.file.parts.length === 0
      ? await explainEmptyZip(options, zip)
      : await explainTruncation(options, zip);
  } catch (error) {
    options.signal?.throwIfAborted();
    if (!isRetryable(error)) throw error;
    return `Fewer logs came than were asked for, and whether there are more could not be found out: ${error.message}`;
  }
}

async function explainEmptyZip(options: AskOptions, { request }: LoadedZip): Promise<string | undefined> {
  const probeFor = (wanted: ExportRequest) =>
    probeLogs({ ...options, maxWait, signal: options.signal }, wanted);
  const again = await probeFor({ ...request, num: 1 });
  if (again.length > 0) return 'The zip has no entry, though the deployment has logs of these times';
  // A deployment that writes entries for other logs has none to write for these.
  const others = await probeFor({ ...newestLogsRequest, num: 1, logLevel: 'DEBUG' });
  if (others.length > 0) return undefined;
  return 'The zip has no entry, nor has one of all logs, so that nothing shows whether there are any';
}

async function explainTruncation(
  options: AskOptions,
  { request, file }: LoadedZip,
): Promise<string | undefined> {
  const records = file.parts.reduce((sum, part) => sum + part.logs + part.unreadable, 0);
  if (request.num <= records || !mayBeTruncated(records, { num: request.num, largest: 0 })) return undefined;
  const logs = await readStoredLogs(options.into, file);
  const times = logs.flatMap(({ log }) => log.time ?? []);
  const isAscending = request.sortOrder === 'asc';
  // Truncation removes the logs at the end of the requested order.
  const others = isAscending ? 'newer' : 'older';
  if (request.sortBy !== 'time')
    return 'Fewer logs came than were asked for, in no order of time, so that nothing shows whether others are missing';
  if (times.length < records || times.length === 0)
    return `Not all logs have a time, so that nothing shows whether ${others} ones are missing`;
  const last = times.reduce((edge, time) => (isAscending ? Math.max(edge, time) : Math.min(edge, time)));
  // A deployment may include the bound or not, so the request has a margin of a millisecond.
  const bound = isAscending ? { oldest: last - 1 } : { newest: last + 1 };
  const atEdge = times.filter((time) => Math.abs(time - last) <= 1).length;
  // Only a reply smaller than an earlier one is certainly not truncated.
  if (atEdge === records)
    return `All logs have the same time, so that nothing shows whether ${others} ones are missing`;
  const beyond = { ...request, ...bound, num: atEdge + 1 };
  const found = await probeLogs({ ...options, maxWait, signal: options.signal }, beyond);
  if (found.length === atEdge) return undefined;
  return found.length < atEdge
    ? `The deployment returned ${found.length} of ${atEdge} logs when asked again, so that nothing shows whether ${others} ones are missing`
    : `The deployment returned ${records} of the ${request.num} logs asked for, though it has ${others} ones`;
}
