import type { Finding, Fix, Severity } from '../language/finding.ts';

/** What a finding is made of: a message that takes long to write, and fixes, may be worked out later. */
export interface FindingParts {
  readonly code: string;
  readonly severity: Severity;
  readonly from: number;
  readonly to: number;
  readonly message: string | (() => string);
  readonly fixes: (() => readonly Fix[]) | undefined;
}

/**
 * A finding whose message and fixes are worked out when somebody reads them,
 * once: they take longer than all the rest and are often not looked at.
 *
 * To its reader it is an object like any other, so both are members of its own.
 * Their getters are the same functions for all findings: with functions of its
 * own each finding would get a hidden class of its own, which holds all that it
 * was made from until the next full collection.
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
    // A getter takes longer to define than anything else here, and is not needed for what is there. One by one takes half as long as both at once.
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
