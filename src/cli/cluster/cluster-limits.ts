import type { ClusterLimits } from '../../cluster/index.ts';
import { UsageError } from '../command-line/usage-error.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Limits on queries to clusters, and on the logs that are copied for one question. */
type Limits = Required<Pick<ClusterLimits, 'time' | 'memory'>> & { readonly logs: number };

/** Limits unless the environment has others. */
const usual: Limits = { time: 60_000, memory: 4_000_000_000, logs: 1_000_000 };

const units: Readonly<Record<string, number>> = { B: 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

/**
 * Reads the limits from `LOGQUARRY_CLUSTER_TIME` (seconds), `LOGQUARRY_CLUSTER_MEMORY` (such as `8GB`) and
 * `LOGQUARRY_CLUSTER_LOGS`. Throws a `UsageError` for anything else.
 */
export function clusterLimits(environment: Terminal['environment']): Limits {
  const {
    LOGQUARRY_CLUSTER_TIME: time,
    LOGQUARRY_CLUSTER_MEMORY: memory,
    LOGQUARRY_CLUSTER_LOGS: logs,
  } = environment;
  return {
    time: time === undefined ? usual.time : 1000 * readNumber('LOGQUARRY_CLUSTER_TIME', time, /^(\d+)s?$/),
    memory: memory === undefined ? usual.memory : readMemory(memory),
    logs: logs === undefined ? usual.logs : readNumber('LOGQUARRY_CLUSTER_LOGS', logs, /^(\d+)$/),
  };
}

function readNumber(name: string, written: string, form: RegExp): number {
  const value = Number(form.exec(written)?.[1]);
  if (Number.isSafeInteger(value) && 0 < value) return value;
  throw new UsageError(`${name} must be a whole number of at least 1, got "${written}"`);
}

function readMemory(written: string): number {
  const [, digits, unit = 'B'] = /^([1-9]\d{0,11})([KMGT]?B)?$/.exec(written) ?? [];
  if (digits === undefined)
    throw new UsageError(`LOGQUARRY_CLUSTER_MEMORY must be a size such as 8GB, got "${written}"`);
  return Number(digits) * (units[unit] ?? 1);
}
