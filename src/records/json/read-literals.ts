/** A JSON value in which strings, numbers, `true`, `false` and `null` are of type `L`. */
export type Json<L> = L | readonly Json<L>[] | { readonly [key: string]: Json<L> };

/** Characters of a number, `true`, `false` or `null`. */
const literal = /[^\s,\]}]+/y;

/** An unfinished array or object. */
interface Open<L> {
  readonly items: Json<L>[];
  /** The members of an object so far; undefined for an array. */
  readonly members: [string, Json<L>][] | undefined;
  /** The key whose value is read next. */
  key: string | undefined;
}

/**
 * Reads a text known to be valid JSON, without recursion. `toValue` converts each number, `true`,
 * `false` and `null` from its written form; `key` is its member name, or empty within an array.
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

/** The offset behind the string that starts at `from`. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); 0 <= end; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text[before] === '\\') before--;
    if ((end - before) % 2 === 1) return end + 1;
  }
  return text.length;
}
