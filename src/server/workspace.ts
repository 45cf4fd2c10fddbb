import type { OpenedCases } from './call-context.ts';

/** Open cases for one call. The caller must release them. */
export interface LentCases {
  readonly opened: OpenedCases;
  readonly release: () => void;
}

/** A file that the page can open. */
export interface OfferedFile {
  readonly name: string;
  readonly kind: 'case' | 'logs';
  /** Size in bytes. */
  readonly bytes: number;
  /** Last change, milliseconds since the epoch. */
  readonly changed: number;
  /** True if it is open already. */
  readonly isOpen: boolean;
}

/** All that the page can open, and the profiles that it can export with. */
export interface Offers {
  /** The folder of the files, as a person knows it. */
  readonly folder: string;
  readonly files: readonly OfferedFile[];
  /** True if the folder has more files than are listed. */
  readonly hasMore: boolean;
  /** Name of the source with the demo's incident. */
  readonly demo: string;
  /** Names of the sources that were given at the start. */
  readonly given: readonly string[];
  /** Names of profiles, the default one first; an empty name stands for the settings of the environment. */
  readonly profiles: readonly string[];
}

/** Progress of opening a source: a status that replaces the one before, or a lasting message. */
export type OpenProgress =
  | { readonly kind: 'status'; readonly text: string }
  | { readonly kind: 'message'; readonly text: string }
  /** Its logs can be asked for, by this name. */
  | { readonly kind: 'opened'; readonly name: string };

/** A file that a browser sends, and the case to store its logs in. */
export interface ReceivedFile {
  readonly name: string;
  /** Name of a new case file in the folder; absent for a temporary case. */
  readonly into?: string | undefined;
  readonly bytes: ReadableStream<Uint8Array>;
  readonly signal: AbortSignal;
}

/** The sources that a page can show: those given at the start, and files of one folder. */
export interface Workspace extends AsyncDisposable {
  /**
   * Lends the open cases of some sources, those of the start if none is named. Opens what is not open
   * yet. Rejects with a `PageRefusal` for a name that the workspace does not offer.
   */
  readonly acquire: (names: readonly string[]) => Promise<LentCases>;
  readonly offers: () => Promise<Offers>;
  /** Opens a source, and reports the progress. Rejects as `lend` does, and with errors of the store. */
  readonly open: (name: string, signal: AbortSignal) => AsyncIterable<OpenProgress>;
  /** Stores a file that a browser sends, for `open`. Resolves with its name in the workspace. */
  readonly receive: (file: ReceivedFile) => Promise<string>;
  readonly exports: PageExports;
}

/** An export that a person orders in the page; texts as the command line takes them. */
export interface OrderedExport {
  readonly profile: string;
  /** Name of the case file in the folder. */
  readonly case: string;
  readonly kind: 'new' | 'resume' | 'retry gaps' | 'since last';
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly search?: string | undefined;
  readonly logLevel?: string | undefined;
}

/** The last export of a page, running or not. */
export interface ExportStatus {
  readonly order: OrderedExport;
  /** The same export as a command line. */
  readonly command: string;
  readonly state: 'running' | 'complete' | 'incomplete' | 'stopped' | 'failed';
  readonly started: number;
  readonly totals?: ExportTotals;
  /** Messages of the command, oldest first; the last ones of many. */
  readonly messages: readonly string[];
}

/** Amounts of a running export, as the command reports them. */
export interface ExportTotals {
  readonly calls: number;
  readonly windows: number;
  readonly underWay: number;
  readonly logs: number;
  readonly bytes: number;
  readonly remaining?: number | undefined;
}

/** Exports that the page starts; one at a time. */
export interface PageExports {
  /** Starts an export. Throws a `PageRefusal` while another one runs. */
  readonly start: (order: OrderedExport) => Promise<ExportStatus>;
  /** The last export; undefined before the first. */
  readonly status: () => ExportStatus | undefined;
  /** Stops the running export in order and waits for its end; what came is kept. */
  readonly stop: () => Promise<void>;
}
