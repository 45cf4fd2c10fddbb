import type { Finding, Fix, Severity } from '../parse/finding.ts';

/** The parts of a finding. A message given as a function, and fixes, are computed when they are first read. */
export interface FindingParts {
  readonly code: string;
  readonly severity: Severity;
  readonly from: number;
  readonly to: number;
  readonly message: string | (() => string);
  readonly fixes: (() => readonly Fix[]) | undefined;
}

/**
 * A finding whose message and fixes are computed when they are first read, once:
 * they take longer than all the rest and are often not read.
 *
 * Both are own members, so that a finding can be spread, compared and serialised.
 * All findings share the getter functions. With functions of its own each finding
 * would have a hidden class, which keeps its parts alive until the next full
 * garbage collection.
 */
export class LateFinding implements Finding {
  readonly code: string;
  readonly severity: Severity;
  readonly from: number;
  readonly to: number;
  declare readonly message: string;
  declare readonly fixes: readonly Fix[];
  #message: FindingParts['message'];
  #fixes: FindingParts['fixes'] | readonly Fix[];

  constructor({ code, severity, from, to, message, fixes }: FindingParts) {
    this.code = code;
    this.severity = severity;
    this.from = from;
    this.to = to;
    this.#message = message;
    this.#fixes = fixes;
    // Defining a getter is the slowest step here. Two calls take half as long as `defineProperties`.
    if (typeof message === 'string') this.message = message;
    else Object.defineProperty(this, 'message', LateFinding.#lateMessage);
    Object.defineProperty(this, 'fixes', LateFinding.#lateFixes);
  }

  static readonly #lateMessage: PropertyDescriptor & ThisType<LateFinding> = {
    enumerable: true,
    get() {
      if (typeof this.#message === 'function') this.#message = this.#message();
      return this.#message;
    },
  };

  static readonly #lateFixes: PropertyDescriptor & ThisType<LateFinding> = {
    enumerable: true,
    get() {
      if (typeof this.#fixes === 'function') this.#fixes = this.#fixes();
      return this.#fixes ?? noFixes;
    },
  };
}

const noFixes: readonly Fix[] = [];
