import type { Reporter } from 'vitest/node';

/** Names the tests that had not ended when the process that ran them did: nothing else tells which they were. */
export const unfinished: Reporter = {
  onTestRunEnd(modules) {
    for (const { children, relativeModuleId } of modules)
      for (const { fullName } of children.allTests('pending'))
        console.error(`Not finished: ${relativeModuleId} > ${fullName}`);
  },
};
