/**
 * Milliseconds of processor time that something takes. For work that must not grow with the square of its input:
 * a bound on it has a wide margin, and other work of the machine does not count.
 */
export async function processorTime(run: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
