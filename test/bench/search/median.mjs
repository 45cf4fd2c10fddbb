/** Returns the median duration of some work over a number of rounds, in milliseconds; `prepare` is not counted. */
export async function median(rounds, prepare, work) {
  const times = [];
  for (let round = 0; round < rounds; round++) {
    prepare();
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[Math.floor(rounds / 2)];
}
