import { logLevels } from '../../language/index.ts';

const levels: readonly string[] = logLevels;

/** The level and all more severe ones (field notes); none for an unknown level. */
export function levelsFrom(level: string): readonly string[] {
  return levels.slice(0, levels.indexOf(level) + 1);
}
