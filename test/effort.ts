const effort = process.env.TEST_EFFORT;
if (effort !== undefined && effort !== 'full')
  throw new Error(`TEST_EFFORT must be "full" or not set, got "${effort}"`);

/**
 * Rounds of a random or repeated test: all of them where `TEST_EFFORT` is
 * `full`, a tenth otherwise, but at least ten. Nothing is left out, only repeated less often.
 */
export function rounds(full: number): number {
  return effort === 'full' ? full : Math.min(full, Math.max(10, Math.ceil(full / 10)));
}
