import { StoreError } from '../../database/index.ts';

/** Limits on the inflated size of added files. */
export interface Limits {
  /** Maximum inflated bytes of all entries of a file. Default: 20 GiB. */
  readonly totalBytes: number;
  /** Maximum inflated bytes per byte of the file, above `ratioFrom`. Default: 200. */
  readonly ratio: number;
  /** Inflated bytes up to which any ratio is allowed. Default: 128 MiB. */
  readonly ratioFrom: number;
}

const gibibyte = 1024 ** 3;

/** Logs shrink to a fifth, very uniform ones to a hundredth; bombs to a thousandth and less. */
const defaults: Limits = { totalBytes: 20 * gibibyte, ratio: 200, ratioFrom: gibibyte / 8 };

/** Receives the number of inflated bytes so far, and throws `TOO_BIG` beyond the limits. */
export type CheckSize = (inflatedBytes: number) => void;

/** Creates a check of the inflated size of a file. */
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
