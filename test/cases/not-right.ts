/** Files of `expected.ndjson` whose answer is wrong today. A file that has become right must leave the list. */
export const notRight: ReadonlySet<string> = new Set([]);
