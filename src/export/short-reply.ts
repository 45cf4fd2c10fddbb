import type { Client } from '../client/index.ts';
import type { ExportRequest } from '../protocol/index.ts';
import type { AddedFile, Case } from '../store/index.ts';
import { exportedLogs } from '../store/index.ts';
import { mayPass } from './windows/may-pass.ts';
import { probe } from './windows/probe.ts';
import { mayBeCut } from './windows/reply-size.ts';
import { openStart } from './windows/window.ts';

/** A zip that was loaded, and what it was asked for with. */
export interface LoadedZip {
  readonly request: ExportRequest;
  readonly job: string;
  readonly file: AddedFile;
}

/** Milliseconds: a call for a few logs. */
const maxWait = 300_000;

/**
 * Why a zip with fewer logs than were asked for may lack some; undefined where
 * it does not. The deployment may return fewer a call without a word, so it is
 * asked for one log more than came at the oldest time of the zip and before.
 */
export async function shortOf(
  options: { readonly client: Client; readonly into: Case; readonly signal?: AbortSignal | undefined },
  { request, job, file }: LoadedZip,
): Promise<string | undefined> {
  const records = file.parts.reduce((sum, part) => sum + part.logs + part.unreadable, 0);
  if (request.num <= records || !mayBeCut(records, { num: request.num, largest: 0 })) return undefined;
  const logs = await exportedLogs(options.into, { oldest: openStart, newest: -openStart, job });
  const times = logs.flatMap(({ log }) => log.time ?? []);
  const oldest = times.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY);
  if (times.length < records || times.length === 0)
    return 'Not all logs have a time, so that nothing shows whether older ones are missing';
  // A deployment may include the bound or not, so a millisecond more is asked for.
  const beside = times.filter((time) => time <= oldest + 1).length;
  const older = { ...request, newest: oldest + 1, num: Math.min(request.num, beside + 1) };
  try {
    const found = await probe({ ...options, maxWait, signal: options.signal }, older);
    if (found.length <= beside) return undefined;
    return `The deployment returned ${records} of the ${request.num} logs asked for, though it has older ones`;
  } catch (error) {
    options.signal?.throwIfAborted();
    if (!mayPass(error)) throw error;
    return `Fewer logs came than were asked for, and whether there are older ones could not be found out: ${error.message}`;
  }
}
