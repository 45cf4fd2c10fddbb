/** A value of JSON, with these for its texts, numbers, `true`, `false` and `null`. */
export type Json<L> = L | readonly Json<L>[] | { readonly [key: string]: Json<L> };

/** Characters of a number, `true`, `false` or `null`. */
const literal = /[^\s,\]}]+/y;

/** A list or an object under way. */
interface Open<L> {
  readonly items: Json<L>[];
  /** The members of an object so far; undefined for a list. */
  readonly members: [string, Json<L>][] | undefined;
  /** The key of which the value is read next. */
  key: string | undefined;
}

/**
 * Reads a text that is known to be JSON, without recursion. Each number, `true`,
 * `false` and `null` is given to `toValue` as it is written, with the key that
 * it is the value of, which is empty within a list.
 */
export function readLiterals<L>(
  text: string,
  toValue: (written: string, key: string) => L,
): Json<L | string> {
  const open: Open<L | string>[] = [];
  let result: Json<L | string> = '';
  for (let at = 0; at < text.length; ) {
    const sign = text[at];
    if (sign === '"') {
      const end = endOfString(text, at);
      put(JSON.parse(text.slice(at, end)));
      at = end;
    } else if (sign === '{' || sign === '[') {
      open.push({ items: [], members: sign === '{' ? [] : undefined, key: undefined });
      at++;
    } else if (sign === '}' || sign === ']') {
      const { members, items } = open.pop() ?? { items: [] };
      put(members ? Object.fromEntries(members) : items);
      at++;
    } else if (sign === ',' || sign === ':' || sign === undefined || /\s/.test(sign)) at++;
    else {
      literal.lastIndex = at;
      const [written = ''] = literal.exec(text) ?? [];
      put(toValue(written, open.at(-1)?.key ?? ''));
      at += written.length;
    }
  }
  return result;

  function put(value: Json<L | string>): void {
    const parent = open.at(-1);
    if (!parent) result = value;
    else if (!parent.members) parent.items.push(value);
    else if (parent.key === undefined) parent.key = String(value);
    else {
      parent.members.push([parent.key, value]);
      parent.key = undefined;
    }
  }
}

/** The place behind the string that begins at a place. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); 0 <= end; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text[before] === '\\') before--;
    if ((end - before) % 2 === 1) return end + 1;
  }
  return text.length;
}
