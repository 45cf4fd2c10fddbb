/** The text of a message, or the problem with its bytes. */
export type DecodedXml = { readonly text: string } | { readonly problem: string };

/**
 * Decodes the bytes of an XML message, or returns the problem with them. The encoding is that of the byte order
 * mark, else of the media type, else of the XML declaration, else UTF-8. See RFC 7303, section 3, and XML 1.0,
 * appendix F.
 */
export function decodeXml(bytes: Uint8Array, contentType: string): DecodedXml {
  const encoding = encodingOf(bytes, contentType);
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes) };
  } catch (error) {
    const reason = error instanceof RangeError ? 'is not known' : 'does not fit its bytes';
    return { problem: `its encoding "${encoding.slice(0, 40)}" ${reason}` };
  }
}

/** The first bytes of a text of XML in UTF-16, with a byte order mark or without one. */
const beginnings = [
  { encoding: 'utf-16be', mark: [0xfe, 0xff], start: [0x00, 0x3c] },
  { encoding: 'utf-16le', mark: [0xff, 0xfe], start: [0x3c, 0x00] },
] as const;

function encodingOf(bytes: Uint8Array, contentType: string): string {
  const beginsWith = (first: readonly number[]) => first.every((byte, at) => bytes[at] === byte);
  const marked = beginnings.find(({ mark }) => beginsWith(mark));
  if (marked) return marked.encoding;
  if (beginsWith([0xef, 0xbb, 0xbf])) return 'utf-8';
  const [, charset] = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType) ?? [];
  const wide = beginnings.find(({ start }) => beginsWith(start))?.encoding;
  // "utf-16" alone does not define the order of the bytes.
  if (charset !== undefined) return (/^utf-16$/i.test(charset) ? wide : undefined) ?? charset;
  return wide ?? declaredIn(bytes) ?? 'utf-8';
}

/** The encoding in the XML declaration, if the text starts in ASCII. */
function declaredIn(bytes: Uint8Array): string | undefined {
  const beginning = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const [, encoding] = /^<\?xml\s[^>]*?encoding\s*=\s*["']([A-Za-z][\w.-]*)["']/.exec(beginning) ?? [];
  return encoding;
}
