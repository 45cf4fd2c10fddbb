import { logLevels } from '../meaning/fields.ts';

const levels: readonly string[] = logLevels;

/** The level and all more severe ones (field notes); none for a level that is not known. */
export function levelsFrom(level: string): readonly string[] {
  return levels.slice(0, levels.indexOf(level) + 1);
}
