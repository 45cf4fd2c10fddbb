import type { Client } from '../../../client/index.ts';
import type { Case } from '../../../store/index.ts';
import type { ExportOrder, RequestPlan } from '../plan/order.ts';
import type { ExportState } from './export-state.ts';
import type { WindowsProgress } from './progress.ts';

/** Connections and callbacks of one run. */
export interface FetchContext {
  readonly client: Client;
  /** The case that receives the logs. */
  readonly into: Case;
  readonly signal: AbortSignal | undefined;
  /** Longest wait for one job, in milliseconds. */
  readonly maxWait: number;
  readonly onProgress: (progress: WindowsProgress) => void;
}

/** The export whose windows are fetched. */
export interface WindowedExport {
  readonly order: ExportOrder;
  readonly requestPlan: RequestPlan;
  readonly exportState: ExportState;
  /** True if the case may already hold logs of a window, from another export. */
  readonly mayRepeat: boolean;
}
