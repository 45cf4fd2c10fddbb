import { StoreError } from '../database/store-error.ts';

/** How far the files that are added may inflate. */
export interface Limits {
  /** All entries of a file together, inflated: 20 GiB by default. */
  readonly totalBytes: number;
  /** Inflated bytes for each byte of the file, from `ratioFrom` on: 200 by default. */
  readonly ratio: number;
  /** Up to so many inflated bytes any ratio is fine: 128 MiB by default. */
  readonly ratioFrom: number;
}

const gibibyte = 1024 ** 3;

/** Logs were seen to shrink to a fifth, very monotonous ones to a hundredth; bombs to a thousandth and less. */
const defaults: Limits = { totalBytes: 20 * gibibyte, ratio: 200, ratioFrom: gibibyte / 8 };

/** Rejects bytes beyond the limits: it is told how many there are so far, and throws `TOO_BIG`. */
export type CheckSize = (inflatedBytes: number) => void;

/** A check of how far a file inflates. */
export function sizeCheck(name: string, fileBytes: number, limits: Partial<Limits> = {}): CheckSize {
  const { totalBytes, ratio, ratioFrom } = { ...defaults, ...limits };
  return (inflated) => {
    if (totalBytes < inflated)
      throw tooBig(name, `it inflates to more than the limit of ${totalBytes} bytes`);
    if (ratioFrom < inflated && ratio * fileBytes < inflated)
      throw tooBig(name, `it inflates to more than ${ratio} times its ${fileBytes} bytes, as no logs do`);
  };
}

function tooBig(name: string, reason: string): StoreError {
  return new StoreError('TOO_BIG', `"${name}" was not read to its end: ${reason}`);
}
