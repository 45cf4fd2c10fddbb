/** The most UTF-16 units of a text that a message repeats. */
const longest = 40;

/** A text in quotes, unless it has some; a long one is shortened to its beginning and its end. */
export function quoteName(text: string): string {
  if (text.length <= longest && /^".*"$/s.test(text)) return text;
  return `"${text.length <= longest ? text : `${head(text)}…${tail(text)}`}"`;
}

function head(text: string): string {
  return text.slice(0, longest / 2).replace(/[\ud800-\udbff]$/, '');
}

function tail(text: string): string {
  return text.slice(1 - longest / 2).replace(/^[\udc00-\udfff]/, '');
}

/**
 * Texts as a list: `"a"`, `"a" and "b"`, `"a", "b", "c" and 5 more`. `count` is
 * the number of all texts, the first four of which are enough.
 */
export function joinNames(texts: readonly string[], conjunction: 'and' | 'or', count = texts.length): string {
  const shown = texts.slice(0, count <= 4 ? 4 : 3).map(quoteName);
  const last = count <= 4 ? shown.pop() : `${count - 3} more`;
  return shown.length === 0 ? `${last}` : `${shown.join(', ')} ${conjunction} ${last}`;
}
