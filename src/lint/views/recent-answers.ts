/** So many answers are kept: they are asked for again soon, or not at all. */
const mostKept = 1000;

/** So many are found sooner by looking at each of them than in a map. */
const mostInChain = 8;

interface Answer<K, V> {
  readonly key: K;
  readonly answer: V;
  readonly before: Answer<K, V> | undefined;
}

/** A function that keeps its answers for a while. */
export function recentAnswers<K, V extends {}>(work: (key: K) => V): (key: K) => V {
  // Most queries have a few levels: for them a map is not worth making, and neither is a list.
  let last: Answer<K, V> | undefined;
  let length = 0;
  let others: Map<K, V> | undefined;
  return (key) => {
    for (let each = last; each; each = each.before) if (each.key === key) return each.answer;
    const known = others?.get(key);
    if (known !== undefined) return known;
    const answer = work(key);
    if (length < mostInChain) {
      last = { key, answer, before: last };
      length += 1;
    } else {
      if (!others || others.size === mostKept) others = new Map();
      others.set(key, answer);
    }
    return answer;
  };
}
