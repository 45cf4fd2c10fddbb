import { refuseRule } from './refusal.ts';

/** Encodes a text in UTF-8. */
export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Encodes a text in UTF-16, with the byte order mark of little endian if asked for. */
export function utf16(text: string, { bigEndian = false, mark = false }): Uint8Array {
  const units = mark ? `\ufeff${text}` : text;
  const bytes = new Uint8Array(2 * units.length);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < units.length; at += 1) view.setUint16(2 * at, units.charCodeAt(at), !bigEndian);
  return bytes;
}

/** Encodes bytes in Base64. */
export function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/**
 * The three texts that Base64 can contain for bytes in the middle of others, by their offset: the
 * characters that depend on the neighbours are left out.
 */
export function base64Offsets(bytes: Uint8Array): readonly string[] {
  return [0, 1, 2].map((offset) => {
    const shifted = base64(new Uint8Array([...Array.from({ length: offset }, () => 0), ...bytes]));
    const rest = (bytes.length + offset) % 3;
    return shifted.slice([0, 2, 3][offset], rest === 0 ? undefined : [0, -3, -2][rest]);
  });
}

/** Dashes and slashes that begin an option on a command line of Windows. */
const dashes = ['-', '/', '\u2013', '\u2014', '\u2015'];

/** The value with every combination of these characters before its options. Throws `RuleRefusal` for over 625. */
export function dashVariants(text: string): readonly string[] {
  const pieces = text.split(/(?<!\w)[-/\u2013\u2014\u2015](?=\w)/u);
  if (5 < pieces.length)
    refuseRule('The modifier "windash" is supported for at most four options in a value');
  return pieces.reduce<readonly string[]>(
    (variants, piece, index) =>
      index === 0 ? [piece] : variants.flatMap((before) => dashes.map((dash) => `${before}${dash}${piece}`)),
    [],
  );
}
