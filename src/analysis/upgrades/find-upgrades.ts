import { type Case, streamLogs } from '../../case/index.ts';
import { parse, resolve } from '../../language/index.ts';
import { mergeLogs } from '../several-cases.ts';

/** An upgrade or a rollback by its messages. Times are milliseconds since the epoch. */
export interface KnownUpgrade {
  /** The message of its start. */
  readonly message: string;
  readonly from: number;
  /** The time of its last message. */
  readonly to: number;
}

/** All codes of upgrades, and those of a start: of an upgrade, of a rollback. */
const allCodes = 'logCode:[2010 TO 2299]';
const startCodes: readonly unknown[] = [2010, 2072];

/**
 * Finds the upgrades that some cases know of, the oldest first.
 *
 * ```ts
 * for (const { message, from, to } of await findUpgrades([incident])) console.log(message, to - from);
 * ```
 */
export async function findUpgrades(cases: readonly Case[]): Promise<readonly KnownUpgrade[]> {
  const filter = resolve(parse(allCodes).query, { now: 0 });
  const streams = cases.map((from) => streamLogs(from, filter, { order: 'oldest' }));
  const found: KnownUpgrade[] = [];
  for await (const { log } of mergeLogs(streams, 'oldest')) {
    if (log.time === undefined) continue;
    const last = found.at(-1);
    if (startCodes.includes(log.logCode))
      found.push({ message: log.msg ?? '', from: log.time, to: log.time });
    else if (last) found[found.length - 1] = { ...last, to: log.time };
  }
  return found;
}
