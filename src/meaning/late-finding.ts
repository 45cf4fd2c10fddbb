import type { Finding, Fix, Severity } from '../language/finding.ts';

/** What a finding is made of. */
export interface FindingParts {
  readonly code: string;
  readonly severity: Severity;
  readonly from: number;
  readonly to: number;
  readonly message: () => string;
  readonly fixes: () => readonly Fix[];
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
  readonly #parts: FindingParts;
  #message: string | undefined;
  #fixes: readonly Fix[] | undefined;

  constructor(parts: FindingParts) {
    this.code = parts.code;
    this.severity = parts.severity;
    this.from = parts.from;
    this.to = parts.to;
    this.#parts = parts;
    // One by one takes half as long as both at once.
    Object.defineProperty(this, 'message', LateFinding.#lateMessage);
    Object.defineProperty(this, 'fixes', LateFinding.#lateFixes);
  }

  static readonly #lateMessage: PropertyDescriptor & ThisType<LateFinding> = {
    enumerable: true,
    get() {
      this.#message ??= this.#parts.message();
      return this.#message;
    },
  };

  static readonly #lateFixes: PropertyDescriptor & ThisType<LateFinding> = {
    enumerable: true,
    get() {
      this.#fixes ??= this.#parts.fixes();
      return this.#fixes;
    },
  };
}
