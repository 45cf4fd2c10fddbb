/** A pattern whose groups have names, as `RegExp` writes them. */
export interface NamedPattern {
  readonly test: (text: string) => boolean;
  /** Returns the groups that took part by their names, and the length of the match; undefined if there is none. */
  readonly read: (text: string) => NamedMatch | undefined;
}

/** A match of a pattern. */
export interface NamedMatch {
  /** Length of the match in UTF-16 units. */
  readonly length: number;
  readonly groups: Readonly<Record<string, string>>;
}

/** The start of a group with a name; an escape and a class may look like one. */
const groupStart = /\\.|\[(?:[^\]\\]|\\.)*\]|\(\?<(\w+)>/g;

/**
 * Creates a pattern of its text, which has no group without a name and no reference to one. The groups are read by their
 * numbers: V8 takes several times as long to give them by their names.
 */
export function namedPattern(source: string, flags = ''): NamedPattern {
  const names: string[] = [];
  const plain = source.replace(groupStart, (found, name?: string) => {
    if (name === undefined) return found;
    names.push(name);
    return '(';
  });
  const pattern = new RegExp(plain, flags);
  return { test: (text) => pattern.test(text), read };

  function read(text: string): NamedMatch | undefined {
    const found = pattern.exec(text);
    if (!found) return undefined;
    const groups: Record<string, string> = {};
    for (const [at, name] of names.entries()) {
      const group = found[at + 1];
      if (group !== undefined) groups[name] = group;
    }
    return { length: found[0].length, groups };
  }
}
