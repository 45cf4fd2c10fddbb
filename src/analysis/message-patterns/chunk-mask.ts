/** A part of a message that stands for a variable value, or `undefined` where it is literal text. */
type Rule = readonly [pattern: RegExp, mask: string];

/**
 * The masks of whole chunks, the most telling first. A chunk is a run of
 * characters without blanks, quotes, brackets and list separators.
 */
const rules: readonly Rule[] = [
  [/^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i, '<uuid>'],
  [/^[a-z][a-z\d+.-]*:\/\/\S+$/i, '<url>'],
  [/^[^@\s]+@[^@\s]+\.[a-z]{2,}$/i, '<email>'],
  [/^\d{4}[-/]\d\d?[-/]\d\d?(?:t\d\d?:\d\d(?::\d\d(?:[.,]\d+)?)?(?:z|[+-]\d\d:?\d\d)?)?$/i, '<date>'],
  [/^\d\d?:\d\d(?::\d\d(?:[.,]\d+)?)?(?:z|[+-]\d\d:?\d\d)?$/i, '<time>'],
  [/^\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5}|\/\d{1,2})?$/, '<ip>'],
  [/^(?=.*:.*:)[\da-f:]{3,}(?:%\w+)?$/i, '<ip>'],
  [/^(?:0x[\da-f]+|(?=\D*\d)(?=[^a-f]*[a-f])[\da-f]{8,})$/i, '<hex>'],
  [/^(?:[a-z]:)?[\\/](?!$)\S+$|^[^\\/]*(?:[\\/][^\\/]+){2,}[\\/]?$/i, '<path>'],
];

const number = /[+-]?\d+(?:[.,]\d+)*(?:e[+-]?\d+)?/gi;

/**
 * A name part that a program made up: letters and digits by turns, as in the names of pods. Beside a hyphen letters
 * and a number are one as well, as in `j21118754-fbec`; elsewhere they are a name with a number, as `CPU12`.
 */
const generated =
  /(?<![a-z\d])(?:(?=[a-z]+\d+[a-z]|\d+[a-z]+\d)|(?:(?<=-)|(?=[a-z\d]+-))(?=(?:[a-z]+\d+|\d+[a-z]+)[a-z\d]))[a-z\d]{5,}(?![a-z\d])/gi;

/** The end of the name of a pod as Kubernetes makes it: two texts of its alphabet, which may lack digits by chance. */
const podSuffix = /-[b-df-hj-np-tv-xz2456789]{8,10}-[b-df-hj-np-tv-xz2456789]{5}(?![a-z\d])/g;

/**
 * The mask of a chunk: of all of it where it is a value of a known shape, else
 * of the numbers and generated names in it. Chunks without digits, slashes,
 * hyphens and `@` are returned unchanged.
 */
export function maskOfChunk(chunk: string): string {
  for (const [pattern, mask] of rules) if (pattern.test(chunk)) return mask;
  const at = chunk.indexOf('@');
  // An object as Java writes it: its class, and a hash.
  if (0 < at && /^[\da-f]+$/i.test(chunk.slice(at + 1))) return `${maskOfChunk(chunk.slice(0, at))}@<hex>`;
  return chunk.replace(podSuffix, '-<id>-<id>').replace(generated, '<id>').replace(number, '<number>');
}
