/** The token of a template at which the merged masks differ. */
export const maskWildcard = '<*>';

/** Masks that were merged, and what they have in common. */
export interface Merged {
  /** The text of each template: a mask, with `<*>` at each place where merged masks differ. */
  readonly templates: readonly string[];
  /** The template of each mask, by their indexes. */
  readonly templateOf: Int32Array;
}

/** A template under construction: its tokens and the masks that belong to it. */
interface Cluster {
  tokens: readonly string[];
  /** The sum of the hashes of its tokens, each with its position. */
  hash: number;
  readonly masks: number[];
}

/** Number of different words that makes a position a variable; fewer may be a choice that matters, as `started` and `stopped`. */
const fewestVariants = 6;

/** Names of operations and classes, as `GetFolders`, are values even where few are seen. */
const fewestIdentifiers = 2;

/** A word of several parts in camel case. The name of an exception tells kinds of failures apart, and is none. */
const identifier = /^(?!.*(?:Exception|Error)\b)[A-Z]?[a-z\d]+(?:[A-Z]+[a-z\d]+)+[.,;]?$/;

/** A variable first word is rarer: a name in front of what it did. */
const fewestFirstVariants = 12;

/** The share of a template that has to stay literal, as in Drain (He et al., 2017). */
const leastLiteral = 0.4;

/** Masks with two variable words are merged word by word; more rounds find nothing new in practice. */
const rounds = 4;

/**
 * Merges masks of equal length that differ in one word, where many different
 * words are seen there. Deterministic: the result depends on the set of masks
 * alone, not on their order or number.
 */
export function mergeMasks(masks: readonly string[]): Merged {
  const clusters = masks.map((mask, index): Cluster => toCluster(maskTokens(mask), [index]));
  const byLength = new Map<number, Cluster[]>();
  for (const cluster of clusters) listIn(byLength, cluster.tokens.length).push(cluster);
  const merged = [...byLength.values()].flatMap(mergeRounds);
  const templateOf = new Int32Array(masks.length);
  for (const [template, cluster] of merged.entries())
    for (const mask of cluster.masks) templateOf[mask] = template;
  return { templates: merged.map(({ tokens }) => tokens.join(' ')), templateOf };
}

/** A value behind a label and in front of another one, as in `user: Anonymous user, Service: a/b`, or a word. */
const token = /(?<=[^ ]: )[^ ,:][^,:]*,(?= [^ ]+:(?: |$))|[^ ]+/g;

/** Splits a mask or a template into its words; a value between two labels is one, whatever blanks it has. */
export function maskTokens(mask: string): readonly string[] {
  return mask.match(token) ?? [''];
}

function toCluster(tokens: readonly string[], masks: number[]): Cluster {
  return {
    tokens,
    hash: tokens.reduce((sum, token, position) => add(sum, hashAt(token, position)), 0),
    masks,
  };
}

/** Merges the clusters of one length until nothing more is merged. */
function mergeRounds(all: readonly Cluster[]): readonly Cluster[] {
  let clusters = all;
  for (let round = 0; round < rounds; round++) {
    const next = mergeOnce(clusters);
    if (next.length === clusters.length) return next;
    clusters = next;
  }
  return clusters;
}

function mergeOnce(clusters: readonly Cluster[]): readonly Cluster[] {
  const length = clusters[0]?.tokens.length ?? 0;
  if (length < 2 || clusters.length < 2) return clusters;
  const candidates = Array.from({ length }, (_, position) => groupsAt(clusters, position)).flat();
  candidates.sort(
    (first, second) => second.members.length - first.members.length || compare(first.key, second.key),
  );
  const taken = new Set<Cluster>();
  const merged: Cluster[] = [];
  for (const { position, members } of candidates) {
    const free = members.filter((member) => !taken.has(member));
    if (!isVariable(free, position)) continue;
    for (const member of free) taken.add(member);
    merged.push(join(free, position));
  }
  return [...clusters.filter((cluster) => !taken.has(cluster)), ...merged];
}

/** Clusters that are equal but for one position. */
interface Group {
  readonly position: number;
  /** Their tokens with the wildcard at the position. */
  readonly key: string;
  readonly members: readonly Cluster[];
}

function groupsAt(clusters: readonly Cluster[], position: number): readonly Group[] {
  const byRest = new Map<number, Cluster[]>();
  for (const cluster of clusters) {
    const rest = add(cluster.hash, modulus - hashAt(cluster.tokens[position] ?? '', position));
    listIn(byRest, rest).push(cluster);
  }
  return [...byRest.values()]
    .filter((members) => isVariable(members, position))
    .map((members) => ({ position, key: keyOf(members[0], position), members }));
}

function keyOf(cluster: Cluster | undefined, position: number): string {
  return cluster ? cluster.tokens.with(position, maskWildcard).join(' ') : '';
}

function isVariable(members: readonly Cluster[], position: number): boolean {
  const [first] = members;
  if (!first || members.length < 2) return false;
  const literal = first.tokens.filter((token, index) => index !== position && token !== maskWildcard).length;
  if (literal < leastLiteral * first.tokens.length || !isSameRest(members, position)) return false;
  const variants = new Set(members.map(({ tokens }) => tokens[position]));
  return variants.has(maskWildcard) || fewestAt(position, variants) <= variants.size;
}

/** Returns how many different words make a place variable. */
function fewestAt(position: number, variants: ReadonlySet<string | undefined>): number {
  if (position === 0) return fewestFirstVariants;
  return [...variants].every((word = '') => identifier.test(word)) ? fewestIdentifiers : fewestVariants;
}

/** Guards against equal hashes of different texts. */
function isSameRest(members: readonly Cluster[], position: number): boolean {
  const [first] = members;
  return members.every(({ tokens }) =>
    tokens.every((token, index) => index === position || token === first?.tokens[index]),
  );
}

function join(members: readonly Cluster[], position: number): Cluster {
  const tokens = (members[0]?.tokens ?? []).with(position, maskWildcard);
  return toCluster(
    tokens,
    members.flatMap(({ masks }) => masks),
  );
}

/** Hashes are added below this, so that one can be taken out again. */
const modulus = 2 ** 48;

function add(first: number, second: number): number {
  return (first + second) % modulus;
}

/** A hash of 48 bits of a token and its position. */
function hashAt(token: string, position: number): number {
  let [high, low] = [0x811c9dc5 ^ position, 0x1b873593 + position];
  for (let index = 0; index < token.length; index++) {
    const code = token.charCodeAt(index);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x85ebca6b) ^ (low >>> 13);
  }
  return (high >>> 0) * 2 ** 16 + (low >>> 16);
}

function compare(first: string, second: string): number {
  return first < second ? -1 : first > second ? 1 : 0;
}

function listIn<K>(map: Map<K, Cluster[]>, key: K): Cluster[] {
  const list = map.get(key) ?? [];
  map.set(key, list);
  return list;
}
