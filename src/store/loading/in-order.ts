/** What work on items comes to, in their order, while so many of them are worked on at once. */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  work: (item: Item) => Promise<Result>,
  atOnce: number,
): AsyncGenerator<Result, void, undefined> {
  const underWay: Promise<Result>[] = [];
  for await (const item of items) {
    const result = work(item);
    // A failure is met when its turn comes; nobody has missed it until then.
    result.catch(() => undefined);
    underWay.push(result);
    const first = underWay.length < atOnce ? undefined : underWay.shift();
    if (first !== undefined) yield await first;
  }
  for (const result of underWay) yield await result;
}
