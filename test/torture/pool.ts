/** Maps items to results with at most `limit` in flight; the results come in the order of the items. */
export async function mapInPool<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const left = items.entries();
  const worker = async () => {
    for (const [index, item] of left) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: limit }, worker));
  return results;
}
