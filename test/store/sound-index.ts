import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { indexDamage } from '../../src/word-index/stored-segments.ts';

/**
 * Fails each test of a file in which a search did without the index because it was damaged. It answers all the same, so
 * a mistake in reading the index would not be noticed.
 */
export function requireSoundIndex(): void {
  const damage: unknown[] = [];
  const onDamage = (error: unknown) => damage.push(error);
  beforeAll(() => indexDamage.subscribe(onDamage));
  afterEach(() => expect(damage.splice(0)).toEqual([]));
  afterAll(() => {
    indexDamage.unsubscribe(onDamage);
  });
}
