/** A function that works out the answer for each key once. Lives as long as the view of one query. */
export function memoize<K, V>(work: (key: K) => V): (key: K) => V {
  const answers = new Map<K, { readonly value: V }>();
  return (key) => {
    let answer = answers.get(key);
    if (!answer) {
      answer = { value: work(key) };
      answers.set(key, answer);
    }
    return answer.value;
  };
}
