/** Values that callbacks add and one reader takes, in order. */
export interface EventQueue<T> extends AsyncIterable<T> {
  readonly add: (value: T) => void;
  /** Ends the values, with an error if one is given. */
  readonly end: (error?: unknown) => void;
}

/** Makes an empty queue. */
export function makeEventQueue<T>(): EventQueue<T> {
  const waiting: T[] = [];
  let ending: { readonly error: unknown } | undefined;
  let wake = () => {};
  return {
    add(value) {
      waiting.push(value);
      wake();
    },
    end(error) {
      ending ??= { error };
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        yield* waiting.splice(0);
        if (0 < waiting.length) continue;
        if (ending?.error !== undefined) throw ending.error;
        if (ending) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
