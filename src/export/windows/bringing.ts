import type { Client } from '../../client/index.ts';
import type { Case } from '../../store/index.ts';
import type { Ledger } from './ledger.ts';
import type { Asking, ExportOrder } from './order.ts';
import type { WindowsProgress } from './progress.ts';

/** What the windows of one export are brought with. */
export interface Bringing {
  readonly client: Client;
  readonly into: Case;
  readonly order: ExportOrder;
  readonly asking: Asking;
  readonly ledger: Ledger;
  readonly signal: AbortSignal | undefined;
  /** For one job, in milliseconds. */
  readonly maxWait: number;
  readonly onProgress: (progress: WindowsProgress) => void;
  /** Told of every submission. */
  readonly onCall: () => void;
  /** Whether logs of the window may be in the case already, from another export. */
  readonly mayRepeat: boolean;
  /** Whether someone is bringing the window of this number. */
  readonly isActive: (window: number) => boolean;
}
