import type { Log } from '../records/log.ts';
import type { SignIn } from './accounts.ts';
import type { ArchiveLayout } from './archive.ts';
import type { Jobs, Pace } from './jobs.ts';
import type { LogStore } from './log-store.ts';
import type { Tokens } from './tokens.ts';

/** What the operations of one deployment share. */
export interface Site {
  /** The path of the deployment, such as `/gis`. */
  readonly context: string;
  /** The path of its administrative interface: `{root}` of the interface document, without the host. */
  readonly root: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly signIn: SignIn;
  readonly tokens: Tokens;
  readonly jobs: Jobs;
  readonly logs: LogStore;
  /** Writes a log of the deployment's own activity, unless it is less severe than the current level. */
  readonly record: (log: Log) => void;
  readonly settings: Settings;
  /** Aborted when the deployment is closed. */
  readonly closed: AbortSignal;
}

/** What can be set about a deployment. */
export interface Settings {
  /** The organisation's current log level. */
  readonly logLevel: string;
  /** The longest life of a token, in minutes. */
  readonly tokenMinutes: number;
  readonly pace: Pace;
  readonly archive: ArchiveLayout;
}
