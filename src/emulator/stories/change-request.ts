import type { Log } from '../../records/index.ts';
import type { Service } from '../incident/cast.ts';
import { toSeconds } from '../incident/moment.ts';

/** Codes of the last logs of a request: in the service, and in front of it. */
const [doneCode, answeredCode] = [100004, 9999];

/** The last log of a request in a service; undefined if the logs are of another event or service. */
export function doneBy({ name }: Service, logs: readonly Log[]): Log | undefined {
  return logs.find(({ logCode, source }) => logCode === doneCode && source === name);
}

/** Multiplies the time of a request. Its last logs are as much later. */
export function slowRequest(logs: readonly Log[], factor: number): Log[] {
  return logs.map((log) => {
    if (log.logCode !== doneCode && log.logCode !== answeredCode) return log;
    const elapsed = toSeconds((log.elapsed ?? 0) * factor);
    return { ...log, elapsed, time: (log.time ?? 0) + Math.round((elapsed - (log.elapsed ?? 0)) * 1000) };
  });
}

/** Replaces the success of a request by a failure in the service and in front of it. */
export function failRequest(
  logs: readonly Log[],
  failure: Pick<Log, 'logCode' | 'msg' | 'stackTraces'>,
): Log[] {
  const done = logs.find(({ logCode }) => logCode === doneCode);
  const arrival = logs.find(({ logCode }) => logCode === 9029);
  if (!done || !arrival) return [...logs];
  const { elapsed: _, ...failed } = done;
  const time = (done.time ?? 0) + 1;
  const refused = `Error performing '${done.methodName}' operation on '${done.source}': the service failed.`;
  return [
    ...logs.filter(({ logCode }) => logCode !== doneCode && logCode !== answeredCode),
    { ...failed, logLevel: 'SEVERE', ...failure },
    { ...arrival, time, logLevel: 'SEVERE', logCode: 9004, msg: refused },
  ];
}
