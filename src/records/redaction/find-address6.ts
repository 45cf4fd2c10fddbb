/** A half-open range of UTF-16 offsets. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Runs of the characters of IPv6 addresses with a colon. */
const runs = /[\da-f.]*:[\da-f:.]+/giu;

/** The text of an address; the number of its groups is checked apart. */
const shape =
  /(?:[\da-f]{1,4}(?::[\da-f]{1,4}){0,7})?(?:::(?:[\da-f]{1,4}:){0,6}(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f]{1,4})?|:\d{1,3}(?:\.\d{1,3}){3})?/iuy;

/** A time of day that ends right before an address: `12:34:56.789:`. */
const time = /(?<![\d:])\d{1,2}:[0-5]\d:[0-5]\d(?:[.,]\d{1,9})?Z?:(?=[\da-f:])/giu;

/** A time of day with its fraction and zone, and a point: an address may begin right behind it. */
const clock =
  /(?:(?<![\d:])\d{1,2}:[0-5]\d(?::[0-5]\d)?|(?<!\d)\d{8}T\d{6})(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d| ?[AP]M)?\.?/giu;

/** Digits of milliseconds and microseconds. */
const usualDigits = [3, 6];

const word = /[\p{L}\p{N}]/u;

/** First groups of allocated and local addresses, which also begin within a word. */
const usualStart = /[23][\da-f]{3}:|f[cde][\da-f]{2}:/iuy;

/**
 * Finds IPv6 addresses, in order. Wherever one can begin, the longest is reported, so that ranges may overlap: of
 * nine groups nobody knows which eight are the address. A time of day in front of an address belongs to none, with
 * or without a separator between them.
 */
export function findAddress6(text: string): readonly Span[] {
  if (!text.includes(':')) return [];
  const times = spansOf(text.matchAll(time)).filter(({ to }) => endOfAddress(text, to) !== undefined);
  const begins = beginsAtTimes(text);
  const found: Span[] = [];
  let next = 0;
  for (const run of spansOf(text.matchAll(runs)))
    for (let from = run.from; from < run.to; from += 1) {
      while ((times[next]?.to ?? Number.POSITIVE_INFINITY) <= from) next += 1;
      const isInTime = (times[next]?.from ?? Number.POSITIVE_INFINITY) <= from;
      if (!begins.has(from) && (isInTime || !canBegin(text, from))) continue;
      const to = endOfAddress(text, from);
      if (to !== undefined && (found.at(-1)?.to ?? 0) < to) found.push({ from, to });
    }
  return found;
}

function spansOf(matches: Iterable<RegExpExecArray>): readonly Span[] {
  return [...matches].map(({ index, 0: { length } }) => ({ from: index, to: index + length }));
}

/**
 * Returns the offsets at which a time of day ends and an address may begin without a separator. The digits of a
 * fraction and of the first group look alike: an address also begins behind the usual numbers of digits, and where its
 * first group is a usual one.
 */
function beginsAtTimes(text: string): ReadonlySet<number> {
  const begins = new Set<number>();
  for (const { from, to } of spansOf(text.matchAll(clock))) {
    begins.add(to);
    if (text[to - 1] === '.') begins.add(to - 1);
    const point = from + text.slice(from, to).search(/[.,]\d/);
    if (from <= point) for (const digits of usualDigits) begins.add(point + 1 + digits);
    for (let at = from + 1; at < to; at += 1) if (isUsualStart(text, at)) begins.add(at);
  }
  return begins;
}

function isUsualStart(text: string, at: number): boolean {
  usualStart.lastIndex = at;
  return usualStart.test(text);
}

function canBegin(text: string, at: number): boolean {
  const before = text[at - 1] ?? ' ';
  if (before === '.') return !/\d/.test(text[at - 2] ?? '');
  if (!word.test(before) || /^%[\da-f]{2}$/i.test(text.slice(at - 3, at))) return true;
  return /[g-z]/i.test(before) && isUsualStart(text, at);
}

/** Returns the end of the longest address that begins at an offset; undefined if there is none. */
function endOfAddress(text: string, from: number): number | undefined {
  shape.lastIndex = from;
  const longest = shape.exec(text)?.[0] ?? '';
  for (let length = longest.length; 1 < length; length -= 1) {
    const isWhole = !word.test(text[from + length] ?? '');
    if (isWhole && groupsOf(longest.slice(0, length))) return from + length;
  }
  return undefined;
}

/**
 * Returns the eight groups of an IPv6 address, so that all spellings of one are the same; undefined for other
 * texts with colons, such as a time of day.
 */
export function groupsOf(text: string): readonly number[] | undefined {
  const [head = '', tail, ...more] = text.split('::');
  if (0 < more.length || (head === '' && tail === '')) return undefined;
  const [first, second] = [parts(head), parts(tail ?? '')];
  if (!first || !second) return undefined;
  const missing = 8 - first.length - second.length;
  if (tail === undefined) return missing === 0 ? first : undefined;
  return missing < 1 ? undefined : [...first, ...Array.from({ length: missing }, () => 0), ...second];
}

/** Returns the IPv4 address that an IPv6 address maps, as in `::ffff:10.1.2.3`. */
export function mappedAddress4(text: string): string | undefined {
  const groups = groupsOf(text) ?? [];
  const [high = 0, low = 0] = groups.slice(6);
  const isMapped = groups[5] === 0xffff && groups.slice(0, 5).every((each) => each === 0);
  return isMapped ? [high >> 8, high & 255, low >> 8, low & 255].join('.') : undefined;
}

function parts(text: string): readonly number[] | undefined {
  if (text === '') return [];
  const groups: number[] = [];
  for (const each of text.split(':')) {
    const [a, b, c, d] = each.split('.').map(Number);
    if (/^[\da-f]{1,4}$/i.test(each)) groups.push(Number.parseInt(each, 16));
    else if (/^\d+(\.\d+){3}$/.test(each)) groups.push((a ?? 0) * 256 + (b ?? 0), (c ?? 0) * 256 + (d ?? 0));
    else return undefined;
  }
  return groups;
}
