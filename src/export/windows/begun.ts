import type { StoredExport, StoredWindow } from '../../store/index.ts';

/** An export with what is to be done for it. */
export interface Begun {
  readonly kept: StoredExport;
  readonly windows: readonly StoredWindow[];
  /** Whether an earlier run had begun it. */
  readonly resumed: boolean;
}
