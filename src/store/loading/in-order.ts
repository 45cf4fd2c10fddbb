/**
 * What work on items comes to, in their order, while so many of them are worked
 * on or wait to be taken. Items are asked for ahead, also while whoever takes
 * the results is busy.
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  work: (item: Item) => Promise<Result>,
  atOnce: number,
): AsyncGenerator<Result, void, undefined> {
  let isOver = false;
  const wanted = each();
  const underWay = Array.from({ length: atOnce }, begin);
  try {
    for (let first = underWay.shift(); first; first = underWay.shift()) {
      const taken = await first;
      if (!taken) return;
      underWay.push(begin());
      yield taken.result;
    }
  } finally {
    isOver = true;
    await wanted.return(undefined);
  }

  /** An asynchronous generator may be asked for several at once: it gives one after the other. */
  async function* each(): AsyncGenerator<Item, void, undefined> {
    for await (const item of items) {
      if (isOver) return;
      yield item;
    }
  }

  /** Works on the next item, once it is there. Undefined behind the last. */
  function begin(): Promise<{ readonly result: Result } | undefined> {
    const begun = wanted
      .next()
      .then(async ({ done, value }) => (done ? undefined : { result: await work(value) }));
    // A failure is met when its turn comes; nobody has missed it until then.
    begun.catch(() => undefined);
    return begun;
  }
}
