/**
 * Maps items concurrently and yields results in input order; at most `atOnce` are in progress or
 * wait to be taken. Items are requested in advance, also while the consumer is busy.
 */
export async function* mapConcurrently<Item, Result>(
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

  /** An asynchronous generator queues concurrent requests: it yields one item after the other. */
  async function* each(): AsyncGenerator<Item, void, undefined> {
    for await (const item of items) {
      if (isOver) return;
      yield item;
    }
  }

  /** Starts work on the next item when it arrives. Resolves with undefined after the last. */
  function begin(): Promise<{ readonly result: Result } | undefined> {
    const begun = wanted
      .next()
      .then(async ({ done, value }) => (done ? undefined : { result: await work(value) }));
    // A failure is thrown when its result is due; no unhandled rejection until then.
    begun.catch(() => undefined);
    return begun;
  }
}
