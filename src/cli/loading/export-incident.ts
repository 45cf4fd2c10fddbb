import { openCase } from '../../case/index.ts';
import { openClient } from '../../client/index.ts';
import { createDeployment, incidentLogs, type Served, serveDeployment } from '../../emulator/index.ts';
import { type ExportOrder, exportWindows, type WindowsResult } from '../../export/index.ts';
import { addressesOf, newestLogsRequest } from '../../protocol/index.ts';
import { showWindowsProgress } from '../output/export-report.ts';
import { displayProgress } from '../terminal/progress.ts';
import { rejectOnAbort, type Terminal } from '../terminal/terminal.ts';

/** The hours of the incident, all exported: both ends in milliseconds since the epoch. */
interface IncidentHours {
  readonly from: number;
  readonly to: number;
}

/** The hours of an incident that ends at `to`. */
function incidentHoursUntil(to: number): IncidentHours {
  return { from: to - incidentLength * 3_600_000, to };
}

/** Duration of the incident in hours. */
export const incidentLength = 36;

/** The result of exporting the incident. */
export interface ExportedIncident {
  readonly url: string;
  /** Number of logs of the deployment. */
  readonly held: number;
  /** The requested hours. */
  readonly hours: IncidentHours;
  readonly export: WindowsResult;
}

interface IncidentWork {
  readonly signal: AbortSignal;
  readonly terminal: Terminal;
}

/** Durations of jobs in milliseconds: noticeable, but short enough for a demo. */
const pace = { queued: 50, running: 100, perLog: 0.02 } as const;

/**
 * Exports an invented incident, whose last hours are the present ones, from the reference deployment into a new
 * case. Starts and ends that deployment.
 */
export async function exportIncident(path: string, work: IncidentWork): Promise<ExportedIncident> {
  const display = displayProgress(work.terminal);
  try {
    display.update({ doing: 'Starting the reference deployment' });
    const hours = incidentHoursUntil(Date.now());
    const logs = [...incidentLogs({ until: hours.to })];
    await using deployment = await createDeployment({ logs, pace });
    work.signal.throwIfAborted();
    await using served = await serveDeployment(deployment);
    const credentials = { kind: 'password', ...deployment.account } as const;
    await using client = openClient({ addresses: addressesAt(served), credentials });
    await rejectOnAbort(client.signIn(), work.signal);
    await using into = await openCase(path, { access: 'write', create: true });
    const result = await exportWindows({
      client,
      into,
      order: orderAt(client.addresses.root, hours),
      signal: work.signal,
      onProgress: showWindowsProgress(work.terminal, display),
    });
    return { url: served.url, held: logs.length, hours, export: result };
  } finally {
    display.end();
  }
}

/** The export order for all logs of the incident. */
function orderAt(deployment: string, { from, to }: IncidentHours): ExportOrder {
  return {
    deployment,
    request: { ...newestLogsRequest, logLevel: 'DEBUG' },
    ...({ via: 'search', windowBy: 'auto', timeField: 'time' } as const),
    from,
    to,
    oldest: from,
    newest: to,
    given: Date.now(),
  };
}

function addressesAt({ url }: Served) {
  const addresses = addressesOf(url);
  if ('problem' in addresses) throw new Error(addresses.problem);
  return addresses;
}
