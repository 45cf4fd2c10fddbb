import type { Reporter } from 'vitest/node';
import { isFull } from './effort.ts';
import { runSeed } from './run-seed.ts';

/** Prints the command that repeats what failed with the same random inputs; `command` runs the tests of the files behind it. */
export function repeatBy(command = 'npx vitest run'): Reporter {
  return {
    onTestRunEnd(modules) {
      const failed = modules.filter((module) => module.state() === 'failed');
      if (failed.length === 0) return;
      const effort = isFull ? 'TEST_EFFORT=full ' : '';
      const files = failed.map((module) => module.relativeModuleId).join(' ');
      console.error(`To repeat: ${effort}PROPERTY_SEED=${runSeed} ${command} ${files}`);
    },
  };
}
