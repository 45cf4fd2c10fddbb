/** What an export tells while it goes on, for people and machines to follow. Data: the command line draws it. */
export type ExportProgress =
  | { readonly stage: 'submitting' }
  /** From here on the export can be resumed. */
  | { readonly stage: 'submitted'; readonly jobId: string; readonly jobsUrl: string }
  | {
      readonly stage: 'waiting';
      readonly jobId: string;
      /** The state that the deployment gives, or the last one it gave. */
      readonly status: string;
      /** Milliseconds since the waiting began. */
      readonly waited: number;
      /** Why the job could not be read this time. */
      readonly trouble?: string;
    }
  | { readonly stage: 'downloading'; readonly bytes: number }
  | { readonly stage: 'downloaded'; readonly bytes: number; readonly sha256: string }
  /** The zip was damaged and is downloaded again. */
  | { readonly stage: 'damaged'; readonly reason: string }
  | { readonly stage: 'loading'; readonly logs: number; readonly unreadable: number }
  | { readonly stage: 'loaded'; readonly logs: number; readonly unreadable: number };
