/** Hands an item to the consumer. Resolves when there is room for another; rejects if nobody wants more. */
export type Put<Item> = (item: Item, weight: number) => Promise<void>;

/** Ends work whose results nobody wants. */
class Unwanted extends Error {
  override readonly name = 'Unwanted';
}

/**
 * Yields in order what `produce` puts, while `produce` goes on: a bounded queue between two kinds of work. There is room
 * while the items weigh less than `limit` together. An item counts until the one after it is requested, so one of the
 * weight `limit` holds `produce` until the consumer is done with everything up to it.
 *
 * A failure of `produce` is thrown behind what it put. It has ended when the consumer has.
 */
export async function* readAhead<Item>(
  limit: number,
  produce: (put: Put<Item>) => Promise<void>,
): AsyncGenerator<Item, void, undefined> {
  const waiting: { readonly item: Item; readonly weight: number }[] = [];
  let [total, isEnded, isUnwanted] = [0, false, false];
  /** Wakes whichever side waits for the other: never do both. */
  let wake = () => {};
  const woken = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  const producing = produce(put).finally(() => {
    isEnded = true;
    wake();
  });
  // It is thrown when its turn comes; no unhandled rejection until then.
  producing.catch(() => undefined);
  try {
    while (0 < waiting.length || !isEnded) {
      const next = waiting.shift();
      if (!next) {
        await woken();
        continue;
      }
      yield next.item;
      total -= next.weight;
      wake();
    }
    await producing;
  } finally {
    isUnwanted = true;
    wake();
    await producing.catch(() => undefined);
  }

  async function put(item: Item, weight: number): Promise<void> {
    waiting.push({ item, weight });
    total += weight;
    wake();
    while (limit <= total && !isUnwanted) await woken();
    if (isUnwanted) throw new Unwanted('Nobody wants what is read');
  }
}
