/** So many answers are kept: they are asked for again soon, or not at all. */
const mostKept = 1000;

/** A function that keeps its answers for a while. */
export function recentAnswers<K, V extends {}>(work: (key: K) => V): (key: K) => V {
  // Most queries have one level: for one answer a map is not worth making.
  let first: { readonly key: K; readonly answer: V } | undefined;
  let others: Map<K, V> | undefined;
  return (key) => {
    const before = first?.key === key ? first.answer : others?.get(key);
    if (before !== undefined) return before;
    const answer = work(key);
    if (first) keep(key, answer);
    else first = { key, answer };
    return answer;
  };

  function keep(key: K, answer: V): void {
    if (!others || others.size === mostKept) others = new Map();
    others.set(key, answer);
  }
}
