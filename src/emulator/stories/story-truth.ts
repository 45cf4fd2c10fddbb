/** A code of logs that a story adds, and the time of its earliest possible log: milliseconds since the epoch. */
export interface StoryCode {
  readonly logCode: number;
  readonly since: number;
}

/** An event that precedes the failures of a story: an act of an administrator, an upgrade, a warning. */
export interface StoryEvent {
  readonly time: number;
  readonly logCode: number;
  /** Absent for a log of the deployment itself. */
  readonly username?: string;
}

/** The facts of a story, from which tests take the expected answers. Times are milliseconds since the epoch. */
export interface StoryTruth {
  /** The earliest possible log of a failure or, for a leak, of a longer request. */
  readonly began: number;
  /** The end of the failures; absent if they last to the end of the logs. */
  readonly ended?: number;
  /** Codes that no log has before, the severe ones first. */
  readonly codes: readonly StoryCode[];
  /** Values of `source` whose requests fail. */
  readonly services: readonly string[];
  /** Values of `username` whose requests fail. */
  readonly users: readonly string[];
  /** The events before, in order of time; empty if the failures come without one. */
  readonly before: readonly StoryEvent[];
  /** The service whose requests take longer, and since when. */
  readonly slower?: { readonly source: string; readonly since: number };
}
