import type { Site } from '../site/site.ts';
import { messagesOf } from '../upgrade/progress.ts';
import { upgradeLog } from './administration-logs.ts';

/**
 * Creates a function that logs the messages of upgrades since its last call. The progress of an upgrade follows
 * from the clock, so it has to run before each read of the logs. Messages from before its creation are not
 * logged again.
 */
export function createUpgradeRecorder(site: Site): () => void {
  const dueNow = () =>
    site.state.read().upgrades.map((run) => messagesOf(run).filter(({ when }) => when <= site.now()));
  let logged: readonly number[] = dueNow().map(({ length }) => length);
  return () => {
    const due = dueNow();
    site.state.read().upgrades.forEach((run, index) => {
      const all = messagesOf(run).length;
      due[index]?.slice(logged[index] ?? 0).forEach((message, at) => {
        const last = (logged[index] ?? 0) + at === all - 1;
        site.record(upgradeLog(message, run, last));
      });
    });
    logged = due.map(({ length }) => length);
  };
}
