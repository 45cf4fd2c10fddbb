/** So many answers are kept: they are asked for again soon, or not at all. */
const mostKept = 1000;

/** A function that keeps its answers for a while. */
export function recentAnswers<K, V extends {}>(work: (key: K) => V): (key: K) => V {
  let known: Map<K, V> | undefined;
  return (key) => {
    const before = known?.get(key);
    if (before !== undefined) return before;
    const answer = work(key);
    if (!known || known.size === mostKept) known = new Map();
    known.set(key, answer);
    return answer;
  };
}
