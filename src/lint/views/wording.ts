/** So many UTF-16 units of a text are repeated in a message; more would bury what it says. */
const longest = 40;

/** A text as a message names it: in quotes, unless it has some; of a long one the beginning and the end. */
export function named(text: string): string {
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
 * Texts as a list: `"a"`, `"a" and "b"`, `"a", "b", "c" and 5 more`. Where only
 * the first four were made, `count` says how many there are.
 */
export function listed(texts: readonly string[], conjunction: 'and' | 'or', count = texts.length): string {
  const shown = texts.slice(0, count <= 4 ? 4 : 3).map(named);
  const last = count <= 4 ? shown.pop() : `${count - 3} more`;
  return shown.length === 0 ? `${last}` : `${shown.join(', ')} ${conjunction} ${last}`;
}
