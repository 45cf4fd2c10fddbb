import type { Client } from '../client/index.ts';
import { type ExportRequest, everything } from '../protocol/index.ts';
import type { AddedFile, Case, StoredLog } from '../store/index.ts';
import { exportedLogs } from '../store/index.ts';
import { mayPass } from './windows/may-pass.ts';
import { probe } from './windows/probe.ts';
import { mayBeCut } from './windows/reply-size.ts';
import { openStart } from './windows/window.ts';

/** A zip that was loaded, and what it was asked for with. */
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

/** Logs of a zip. Where an earlier job brought the same bytes, they are stored as those of that job. */
async function logsOf(into: Case, { parts }: AddedFile): Promise<readonly StoredLog[]> {
  const jobs = new Set(parts.flatMap(({ job }) => job ?? []));
  const logs = [...jobs].map((job) => exportedLogs(into, { oldest: openStart, newest: -openStart, job }));
  return (await Promise.all(logs)).flat();
}

/**
 * Says why a zip with fewer logs than were asked for may lack some; undefined
 * where it lacks none. A deployment may return fewer a call without a word, or
 * a zip without any entry, so it is asked again for a few of these logs.
 */
export async function shortOf(options: AskOptions, zip: LoadedZip): Promise<string | undefined> {
  try {
    return zip.file.parts.length === 0 ? await bareReason(options, zip) : await cutReason(options, zip);
  } catch (error) {
    options.signal?.throwIfAborted();
    if (!mayPass(error)) throw error;
    return `Fewer logs came than were asked for, and whether there are more could not be found out: ${error.message}`;
  }
}

async function bareReason(options: AskOptions, { request }: LoadedZip): Promise<string | undefined> {
  const ask = (wanted: ExportRequest) => probe({ ...options, maxWait, signal: options.signal }, wanted);
  const again = await ask({ ...request, num: 1 });
  if (again.length > 0) return 'The zip has no entry, though the deployment has logs of these times';
  // A deployment that can write the entries of other logs has none to write for these.
  const others = await ask({ ...everything, num: 1, logLevel: 'DEBUG' });
  if (others.length > 0) return undefined;
  return 'The zip has no entry, nor has one of all logs, so that nothing shows whether there are any';
}

async function cutReason(options: AskOptions, { request, file }: LoadedZip): Promise<string | undefined> {
  const records = file.parts.reduce((sum, part) => sum + part.logs + part.unreadable, 0);
  if (request.num <= records || !mayBeCut(records, { num: request.num, largest: 0 })) return undefined;
  const logs = await logsOf(options.into, file);
  const times = logs.flatMap(({ log }) => log.time ?? []);
  const isAscending = request.sortOrder === 'asc';
  // What a deployment cuts off lies beyond the last log in the order that was asked for.
  const others = isAscending ? 'newer' : 'older';
  if (request.sortBy !== 'time')
    return 'Fewer logs came than were asked for, in no order of time, so that nothing shows whether others are missing';
  if (times.length < records || times.length === 0)
    return `Not all logs have a time, so that nothing shows whether ${others} ones are missing`;
  const last = times.reduce((edge, time) => (isAscending ? Math.max(edge, time) : Math.min(edge, time)));
  // A deployment may include the bound or not, so a millisecond more is asked for.
  const bound = isAscending ? { oldest: last - 1 } : { newest: last + 1 };
  const beside = times.filter((time) => Math.abs(time - last) <= 1).length;
  // Only a reply below the size of one that came is surely not cut.
  if (beside === records)
    return `All logs have the same time, so that nothing shows whether ${others} ones are missing`;
  const beyond = { ...request, ...bound, num: beside + 1 };
  const found = await probe({ ...options, maxWait, signal: options.signal }, beyond);
  if (found.length === beside) return undefined;
  return found.length < beside
    ? `The deployment returned ${found.length} of ${beside} logs when asked again, so that nothing shows whether ${others} ones are missing`
    : `The deployment returned ${records} of the ${request.num} logs asked for, though it has ${others} ones`;
}
