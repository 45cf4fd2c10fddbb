import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * Seed of all random inputs of a run: `PROPERTY_SEED`, else that of the version, so that a change fails by what it
 * changes and not by its draw. `npm run test:full` draws others.
 */
export const runSeed = given() ?? createHash('sha256').update(version()).digest().readUInt32BE() >>> 1;

function given(): number | undefined {
  const text = process.env.PROPERTY_SEED;
  if (text === undefined) return undefined;
  const seed = Number(text);
  if (!Number.isInteger(seed)) throw new Error(`PROPERTY_SEED must be a whole number, got "${text}"`);
  return seed;
}

function version(): string {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}

/**
 * `count` of the values in their order, chosen by the seed. The choice depends on nothing but the seed and the number of
 * values, so it is the same in whatever order files and processes come.
 */
export function drawn<const T>(values: readonly T[], count: number): readonly T[] {
  const rank = (index: number) =>
    createHash('sha256').update(`${runSeed} ${values.length} ${index}`).digest().readUInt32BE();
  const chosen = [...values.keys()].map((index) => ({ index, rank: rank(index) }));
  const indexes = new Set(
    chosen
      .toSorted((a, b) => a.rank - b.rank)
      .slice(0, count)
      .map(({ index }) => index),
  );
  return values.filter((_, index) => indexes.has(index));
}

/** A number from 0 up to 1 for a name, the same in each run of a version. */
export function fractionOf(name: string): number {
  return createHash('sha256').update(`${runSeed} ${name}`).digest().readUInt32BE() / 2 ** 32;
}
