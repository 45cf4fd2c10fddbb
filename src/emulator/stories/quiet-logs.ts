import { fromPod } from '../incident/origin.ts';
import type { Random } from '../incident/random.ts';
import { storyOffset } from '../incident/rhythm.ts';
import { singleLogs } from '../incident/single-logs.ts';
import type { ScriptedLog } from '../incident/story.ts';

/** Codes of the routine of any day: backups. */
const routine = new Set([1450, 1451]);

/** The logs of the routine: a backup every night. */
export function quietLogs(random: Random): ScriptedLog[] {
  return singleLogs
    .filter(({ logCode }) => routine.has(Number(logCode)))
    .map(({ at, pod, ...log }) => ({
      offset: storyOffset(at),
      log: { ...log, ...fromPod(pod, random) },
    }));
}
