/** So many answers are kept: they are asked for again soon, or not at all. */
const mostKept = 1000;

/** So many are found sooner by looking at each of them than in a map. */
const mostInList = 8;

/** A function that keeps its answers for a while. */
export function recentAnswers<K, V extends {}>(work: (key: K) => V): (key: K) => V {
  // Most queries have a few levels: for them a map is not worth making.
  const list: { readonly key: K; readonly answer: V }[] = [];
  let map: Map<K, V> | undefined;
  return (key) => {
    for (const known of list) if (known.key === key) return known.answer;
    const before = map?.get(key);
    if (before !== undefined) return before;
    const answer = work(key);
    if (list.length < mostInList) {
      list.push({ key, answer });
    } else {
      if (!map || map.size === mostKept) map = new Map();
      map.set(key, answer);
    }
    return answer;
  };
}
