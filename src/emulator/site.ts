import type { Profile } from '../protocol/index.ts';
import type { Log } from '../records/log.ts';
import type { SignInAttempt } from './access/sign-in-delay.ts';
import type { User } from './accounts.ts';
import type { ArchiveLayout } from './archive.ts';
import type { Pace } from './jobs/job.ts';
import type { JobQueue } from './jobs/job-queue.ts';
import type { LogStore } from './log-store.ts';
import type { Sessions } from './sessions.ts';
import type { StateStore } from './state/open-state.ts';
import type { Tokens } from './tokens.ts';

/** What the operations of one deployment share. */
export interface Site {
  /** The path of the deployment, such as `/gis`. */
  readonly context: string;
  /** The path of its administrative interface: `{root}` of the interface document, without the host. */
  readonly root: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The user of a name and a password; undefined for wrong ones, `too many` if they were not even checked. */
  readonly signIn: (attempt: PasswordAttempt) => Promise<User | undefined | 'too many'>;
  readonly tokens: Tokens;
  readonly sessions: Sessions;
  readonly jobs: JobQueue;
  /** Templates, upgrades and uploads. */
  readonly state: StateStore;
  readonly logs: LogStore;
  /** Writes a log of the deployment's own activity, unless it is less severe than the current level. */
  readonly record: (log: Log) => void;
  readonly settings: Settings;
  /** Aborted when the deployment is closed. */
  readonly closed: AbortSignal;
}

/** A sign-in by a password. Holds a secret. */
export interface PasswordAttempt extends SignInAttempt {
  readonly password: string;
}

/** What can be set about a deployment. */
export interface Settings {
  /** The organisation's log level until an edit sets another: see `currentLogLevel`. */
  readonly logLevel: string;
  /** The longest life of a token, in minutes. */
  readonly tokenMinutes: number;
  readonly pace: Pace;
  readonly archive: ArchiveLayout;
  readonly exports: ExportRules;
  /** The names that the catalog and the templates use. */
  readonly profile: Profile;
  /** Whether the catalog shows folders and services only to those who have a token. */
  readonly requiresTokens: boolean;
  readonly upgradePace: UpgradePace;
}

/** How long upgrades take, in milliseconds. */
export interface UpgradePace {
  readonly release: number;
  readonly patch: number;
}

/** What the interface document leaves open about exports, so that a client has to cope with any of it. */
export interface ExportRules {
  /** The most logs that one call returns; a request for more is refused. */
  readonly cap: number;
  /** The most logs that one call returns whatever it asks for; the others are left out without a word. */
  readonly silentCap?: number;
  /** Whether a log of the very time that bounds a window is in it. */
  readonly bounds: 'included' | 'excluded';
  /**
   * `sorted`: of too many logs the first in the order asked for are returned.
   * `cut first`: any of them, which are then put into the order. `unsorted`:
   * any of them, in any order.
   */
  readonly order: 'sorted' | 'cut first' | 'unsorted';
  /** Treatment of an export without a required parameter: it is refused, or takes the default of that parameter. */
  readonly missing: 'refused' | 'default';
  /** Whether the times of the query form are heeded when there is a search. */
  readonly windowWithSearch: boolean;
  /** Whether `sortOrder` is a parameter of searches only, so that the query form returns the newest logs whatever it says. */
  readonly sortOrderInSearchOnly: boolean;
  /** True if `logs/search` counts logs without listing them (`countOnly`). */
  readonly counts: boolean;
}
