import type { Filter } from '../meaning/filter.ts';

/** Something that a target cannot say exactly. */
export interface Loss {
  /** The part that is not said as it is meant. */
  readonly filter: Filter;
  /** What is lost, in plain words, no final stop. */
  readonly reason: string;
}
