import { refuseRule } from './refusal.ts';

/** Comparison of a field with a value. */
export type FieldComparison =
  | 'equals'
  | 'contains'
  | 'startswith'
  | 'endswith'
  | 're'
  | 'cidr'
  | 'exists'
  | 'lt'
  | 'lte'
  | 'gt'
  | 'gte';

/** The meaning of the modifiers behind the name of a field. */
export interface Modifiers {
  readonly comparison: FieldComparison;
  /** All values must match, not any of them. */
  readonly all: boolean;
  readonly cased: boolean;
  readonly negated: boolean;
  readonly expand: boolean;
  readonly flags: { readonly i: boolean; readonly m: boolean; readonly s: boolean };
  /** Converts the text of a value to the texts to look for, in the order of the modifiers. */
  readonly transform: (text: string) => readonly string[];
}

/** The comparisons that are modifiers. */
const comparisons: readonly FieldComparison[] = [
  'contains',
  'startswith',
  'endswith',
  're',
  'cidr',
  'exists',
  'lt',
  'lte',
  'gt',
  'gte',
];

/** Modifiers of the specification without an equivalent here, with the reason. */
const unsupported: Readonly<Record<string, string>> = {
  fieldref: 'fields cannot be compared with each other',
  ...Object.fromEntries(
    ['minute', 'hour', 'day', 'week', 'month', 'year'].map((part) => [
      part,
      'parts of a time cannot be compared',
    ]),
  ),
};

/** Conversions to bytes; one must be followed by Base64, as texts of logs hold no such bytes. */
const encodings: Readonly<Record<string, (text: string) => Uint8Array>> = {
  wide: (text) => utf16(text, {}),
  utf16le: (text) => utf16(text, {}),
  utf16be: (text) => utf16(text, { bigEndian: true }),
  utf16: (text) => utf16(text, { mark: true }),
};

type Transformation = (texts: readonly string[]) => readonly string[];

/** Reads the modifiers behind a field (modifiers appendix 2.1). Throws `RuleRefusal` for one without an equivalent. */
export function readModifiers(names: readonly string[]): Modifiers {
  const known = new Set([
    'all',
    'cased',
    'neq',
    'expand',
    'i',
    'm',
    's',
    'ignorecase',
    'multiline',
    'dotall',
  ]);
  const comparison = comparisons.filter((name) => names.includes(name));
  if (1 < comparison.length)
    refuseRule(`The modifiers ${comparison.map(quoted).join(' and ')} exclude each other`);
  const transformations: Transformation[] = [];
  let encode = utf8;
  for (const name of names) {
    const encoding = Object.hasOwn(encodings, name) ? encodings[name] : undefined;
    if (encoding) encode = encoding;
    else if (name === 'base64' || name === 'base64offset') {
      const bytesOf = encode;
      const isOffset = name === 'base64offset';
      transformations.push((texts) =>
        texts.flatMap((text) => (isOffset ? base64Offsets(bytesOf(text)) : [base64(bytesOf(text))])),
      );
      encode = utf8;
    } else if (name === 'windash') transformations.push((texts) => texts.flatMap(dashVariants));
    else if (!known.has(name) && !comparisons.some((each) => each === name)) refuseModifier(name);
  }
  if (encode !== utf8) refuseRule('A modifier for UTF-16 must be followed by "base64" or "base64offset"');
  return {
    comparison: comparison[0] ?? 'equals',
    all: names.includes('all'),
    cased: names.includes('cased'),
    negated: names.includes('neq'),
    expand: names.includes('expand'),
    flags: {
      i: names.includes('i') || names.includes('ignorecase'),
      m: names.includes('m') || names.includes('multiline'),
      s: names.includes('s') || names.includes('dotall'),
    },
    transform: (text) => transformations.reduce<readonly string[]>((texts, each) => each(texts), [text]),
  };
}

function refuseModifier(name: string): never {
  const reason = Object.hasOwn(unsupported, name) ? unsupported[name] : undefined;
  return refuseRule(
    reason === undefined
      ? `The modifier "${name}" is unknown`
      : `The modifier "${name}" is not supported: ${reason}`,
  );
}

function quoted(name: string): string {
  return `"${name}"`;
}

/** Encodes a text in UTF-8. */
function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Encodes a text in UTF-16, with the byte order mark of little endian if asked for. */
function utf16(text: string, { bigEndian = false, mark = false }): Uint8Array {
  const units = mark ? `\ufeff${text}` : text;
  const bytes = new Uint8Array(2 * units.length);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < units.length; at += 1) view.setUint16(2 * at, units.charCodeAt(at), !bigEndian);
  return bytes;
}

/** Encodes bytes in Base64. */
function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/**
 * The three texts that Base64 can contain for bytes in the middle of others, by their offset: the
 * characters that depend on the neighbours are left out.
 */
function base64Offsets(bytes: Uint8Array): readonly string[] {
  return [0, 1, 2].map((offset) => {
    const shifted = base64(new Uint8Array([...Array.from({ length: offset }, () => 0), ...bytes]));
    const rest = (bytes.length + offset) % 3;
    return shifted.slice([0, 2, 3][offset], rest === 0 ? undefined : [0, -3, -2][rest]);
  });
}

/** Dashes and slashes that begin an option on a command line of Windows. */
const dashes = ['-', '/', '\u2013', '\u2014', '\u2015'];

/** The value with every combination of these characters before its options. Throws `RuleRefusal` for over 625. */
function dashVariants(text: string): readonly string[] {
  const pieces = text.split(/(?<!\w)[-/\u2013\u2014\u2015](?=\w)/u);
  if (5 < pieces.length)
    refuseRule('The modifier "windash" is supported for at most four options in a value');
  return pieces.reduce<readonly string[]>(
    (variants, piece, index) =>
      index === 0 ? [piece] : variants.flatMap((before) => dashes.map((dash) => `${before}${dash}${piece}`)),
    [],
  );
}
