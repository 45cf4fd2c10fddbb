import type { Reporter } from 'vitest/node';

/** Names the files that had not ended when the process that ran them did, and their tests: nothing else tells which they were. */
export const unfinished: Reporter = {
  onTestRunEnd(modules) {
    for (const module of modules) {
      if (!['queued', 'pending'].includes(module.state())) continue;
      console.error(`Not finished: ${module.relativeModuleId}`);
      for (const { fullName } of module.children.allTests('pending')) console.error(`  ${fullName}`);
    }
  },
};
