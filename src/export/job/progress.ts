/** Progress of an export, for people and machines to follow. Data: the command line formats it. */
export type ExportProgress =
  | { readonly stage: 'submitting' }
  /** From here on the export can be resumed. */
  | { readonly stage: 'submitted'; readonly jobId: string; readonly jobsUrl: string }
  | {
      readonly stage: 'waiting';
      readonly jobId: string;
      /** Current or last known state of the job at the deployment. */
      readonly status: string;
      /** Milliseconds since the wait began. */
      readonly waited: number;
      /** Reason why the job could not be read this time. */
      readonly trouble?: string;
    }
  | { readonly stage: 'downloading'; readonly bytes: number }
  | { readonly stage: 'downloaded'; readonly bytes: number; readonly sha256: string }
  /** The zip was damaged and is downloaded again. */
  | { readonly stage: 'damaged'; readonly reason: string }
  | { readonly stage: 'loading'; readonly logs: number; readonly unreadable: number }
  | { readonly stage: 'loaded'; readonly logs: number; readonly unreadable: number };
