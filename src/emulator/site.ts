import type { VendorProfile } from '../protocol/index.ts';
import type { Log } from '../records/index.ts';
import type { Sessions, SignInAttempt, Tokens, User } from './access.ts';
import type { ArchiveLayout } from './archive.ts';
import type { JobQueue, Pace } from './jobs.ts';
import type { LogStore } from './log-store.ts';
import type { StateStore } from './state.ts';

/** State and services that the operations of a deployment share. */
export interface Site {
  /** The path of the deployment, such as `/gis`. */
  readonly context: string;
  /** The path of its administrative interface: `{root}` of the interface document, without the host. */
  readonly root: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Signs a user in. Returns undefined for a wrong name or password, `too many` if they were not checked. */
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

/** Settings of a deployment. */
export interface Settings {
  /** The organisation's initial log level; see `currentLogLevel`. */
  readonly logLevel: string;
  /** The longest life of a token, in minutes. */
  readonly tokenMinutes: number;
  readonly pace: Pace;
  readonly archive: ArchiveLayout;
  readonly exports: ExportRules;
  /** Vendor names in the catalog and the templates. */
  readonly profile: VendorProfile;
  /** True if the catalog requires a token for folders and services. */
  readonly requiresTokens: boolean;
  readonly upgradePace: UpgradePace;
  /** Milliseconds by which the header `Date` is ahead of the clock of the deployment; negative if it is behind. */
  readonly dateAhead: number;
}

/** Duration of upgrades, in milliseconds. */
export interface UpgradePace {
  readonly release: number;
  readonly patch: number;
}

/** Orders of exported logs. */
export const exportOrders = ['sorted', 'cut first', 'unsorted', 'oldest first', 'changing'] as const;

/** Choices of exports that the interface document leaves open. A client has to accept all of them. */
export interface ExportRules {
  /** Most logs of one call; a request for more is refused. */
  readonly cap: number;
  /** Most logs of one call; further ones are left out without a notice. */
  readonly silentCap?: number;
  /** Most bytes of the logs of one call, as lines of JSON; further logs are left out without a notice. */
  readonly byteCap?: number;
  /** Most logs of each level in one call; further ones are left out without a notice. */
  readonly levelCap?: number;
  /** Logs that are found late: this share of them, so many milliseconds after their time. */
  readonly late?: { readonly share: number; readonly milliseconds: number };
  /**
   * Address below which replies name jobs and their zips, such as one that only its own network knows. Default: that
   * of the administrative interface, by the host that was called.
   */
  readonly jobBase?: string;
  /** Defines if logs at the exact bounds of a window are in it. */
  readonly bounds: 'included' | 'excluded';
  /**
   * Choice among too many logs. `sorted`: the first in the requested order. `cut first`: any of them, sorted
   * afterwards. `unsorted`: any of them, in any order. `oldest first`: the oldest, whatever is requested. `changing`:
   * the first in the requested order and in the reverse one, by turns.
   */
  readonly order: (typeof exportOrders)[number];
  /** Treatment of a missing required parameter: refusal, or the default of that parameter. */
  readonly missing: 'refused' | 'default';
  /** True if the times of the query form apply beside a search. */
  readonly windowWithSearch: boolean;
  /** True if `sortOrder` works in searches only, so that the query form always returns the newest logs. */
  readonly sortOrderInSearchOnly: boolean;
  /**
   * True if a count (`countOnly` of `logs/search`) keeps to the times and filters of an export; otherwise it is the
   * number of logs that the search alone selects.
   */
  readonly counts: boolean;
  /** True if times may have up to six digits of a second behind a comma, as a public client sends them. */
  readonly commaTimes: boolean;
  /** True if `users` is a list with commas between; otherwise it is one user, whatever characters the name has. */
  readonly userLists: boolean;
}

/** The organisation's current log level: the one of the last edit, else the initial one. */
export function currentLogLevel({ state, settings }: Pick<Site, 'state' | 'settings'>): string {
  return state.read().logSettings?.logLevel ?? settings.logLevel;
}
