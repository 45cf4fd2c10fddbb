import { upgradeLog } from '../administration-logs.ts';
import type { Site } from '../site.ts';
import { messagesOf } from './progress.ts';

/**
 * A function that logs what upgrades have written since it was called last. How
 * an upgrade stands only follows from the clock, so it is to be called before
 * anyone can look at the logs. What was written before it was made is not logged
 * again.
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
