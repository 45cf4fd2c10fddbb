import { XMLParser, XMLValidator } from 'fast-xml-parser';

/** An element of XML, without comments. */
export interface XmlElement {
  /** Without its prefix. */
  readonly name: string;
  /** Empty without a namespace or with an undeclared prefix. */
  readonly namespace: string;
  /** Without the declarations of namespaces. */
  readonly attributes: readonly XmlAttribute[];
  /** The text directly in it, white space included. */
  readonly text: string;
  readonly children: readonly XmlElement[];
}

/** An attribute of an element. */
export interface XmlAttribute {
  /** Without its prefix. */
  readonly name: string;
  /** Empty without a prefix: the default namespace applies to elements only. */
  readonly namespace: string;
  readonly value: string;
}

/** Limits of an XML text. */
export interface XmlLimits {
  readonly characters: number;
}

/** Limit of nested levels; messages of the catalog have six. */
const deepest = 32;

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  removeNSPrefix: false,
  parseTagValue: false,
  trimValues: false,
  processEntities: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  textNodeName: '#text',
  cdataPropName: '#cdata',
  maxNestedTags: deepest,
});

/**
 * Reads the root element of an XML text, or returns the problem with it. Refuses every declaration of document
 * types and entities, and all references except those of XML itself: they can exhaust memory or read files.
 */
export function readXml(text: string, limits: XmlLimits): XmlElement | { readonly problem: string } {
  if (limits.characters < text.length)
    return { problem: `it is longer than ${limits.characters} characters` };
  if (holdsDeclaration(text)) return { problem: 'it declares a document type, which is not allowed' };
  let nodes: readonly Node[];
  try {
    nodes = parser.parse(text);
  } catch {
    return { problem: `it is no well-formed XML, or nests deeper than ${deepest} levels` };
  }
  // The validator accepts text after an empty root element.
  if (XMLValidator.validate(text) !== true || !text.trimEnd().endsWith('>')) {
    return { problem: 'it is no well-formed XML' };
  }
  const roots = nodes.filter((node) => nameOf(node) !== textKey);
  const [root] = roots;
  if (!root || roots.length > 1) return { problem: 'it requires one root element' };
  return toElement(root, emptyScope) ?? { problem: 'it holds a reference that XML does not define' };
}

/** True if markup begins with `<!` and is neither a comment nor a CDATA section. */
function holdsDeclaration(text: string): boolean {
  for (let at = text.indexOf('<!'); at !== -1; at = text.indexOf('<!', at)) {
    const end = [
      ['<!--', '-->'],
      ['<![CDATA[', ']]>'],
    ].find(([start = '']) => text.startsWith(start, at))?.[1];
    if (end === undefined) return true;
    at = text.indexOf(end, at);
    // Without its end it is not well-formed, which the parser reports.
    if (at === -1) return false;
  }
  return false;
}

/**
 * Output of the parser: an object with one key for the name, which holds the content, and one for the
 * attributes.
 */
type Node = Readonly<Record<string, unknown>>;

const textKey = '#text';
const sectionKey = '#cdata';
const attributesKey = ':@';

function nameOf(node: Node): string {
  return Object.keys(node).find((key) => key !== attributesKey) ?? textKey;
}

function toElement(node: Node, outer: Scope): XmlElement | undefined {
  const attributes = attributesOf(node);
  const key = nameOf(node);
  const inside = nodesOf(node[key]);
  const text = textOf(inside);
  if (!attributes || text === undefined) return undefined;
  const scope = scopeWith(outer, attributes);
  const children = inside
    .filter((child) => ![textKey, sectionKey].includes(nameOf(child)))
    .map((child) => toElement(child, scope));
  if (children.includes(undefined)) return undefined;
  return {
    ...nameIn(scope, key),
    attributes: attributes
      .filter(([name]) => !isDeclaration(name))
      .map(([name, value]) => ({ ...nameIn(scope, name, 'attribute'), value })),
    text,
    children: children.filter((child) => child !== undefined),
  };
}

/** The attributes with decoded values; undefined if one holds a reference that XML does not define. */
function attributesOf(node: Node): readonly (readonly [string, string])[] | undefined {
  const rawAttributes = node[attributesKey];
  if (typeof rawAttributes !== 'object' || rawAttributes === null) return [];
  const read = Object.entries(rawAttributes).map(
    ([name, value]) => [name, unescapeXml(String(value))] as const,
  );
  const known = read.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return known.length === read.length ? known : undefined;
}

function nodesOf(inside: unknown): readonly Node[] {
  return Array.isArray(inside) ? inside : [];
}

function textOf(inside: readonly Node[]): string | undefined {
  const pieces = inside.map((node) => {
    const section = nodesOf(node[sectionKey]).map((node) => String(node[textKey]));
    const text = node[textKey];
    return text === undefined ? section.join('') : unescapeXml(String(text));
  });
  return pieces.includes(undefined) ? undefined : pieces.join('');
}

/** The first child with a name. Names are compared without prefix and case: senders vary both. */
export function childOf({ children }: XmlElement, name: string): XmlElement | undefined {
  return children.find((child) => isNamed(child, name));
}

/** True if an element has a name, without regard to case. */
export function isNamed({ name }: XmlElement, expectedName: string): boolean {
  return name.toLowerCase() === expectedName.toLowerCase();
}

/** The namespace of each prefix; the empty prefix is that of the default namespace. */
type Scope = ReadonlyMap<string, string>;

/** The predefined namespaces of a document (Namespaces in XML 1.0, section 3). */
const emptyScope: Scope = new Map([['xml', 'http://www.w3.org/XML/1998/namespace']]);

/**
 * Adds the declarations in an element's attributes to a scope. Returns the outer scope itself if there are
 * none.
 */
function scopeWith(outer: Scope, attributes: readonly (readonly [string, string])[]): Scope {
  const declared = attributes
    .filter(([name]) => isDeclaration(name))
    .map(([name, value]) => [name.slice('xmlns:'.length), value] as const);
  return declared.length === 0 ? outer : new Map([...outer, ...declared]);
}

/**
 * Resolves a qualified name. An attribute without a prefix and a name with an undeclared prefix have no
 * namespace.
 */
function nameIn(
  scope: Scope,
  qualified: string,
  kind: 'element' | 'attribute' = 'element',
): { readonly name: string; readonly namespace: string } {
  const colon = qualified.indexOf(':');
  const prefix = qualified.slice(0, Math.max(colon, 0));
  const isBare = colon < 0 && kind === 'attribute';
  return { name: qualified.slice(colon + 1), namespace: isBare ? '' : (scope.get(prefix) ?? '') };
}

/** True if an attribute declares a namespace. */
function isDeclaration(attribute: string): boolean {
  return attribute === 'xmlns' || attribute.startsWith('xmlns:');
}

/**
 * The characters outside XML 1.0: most control characters and half a surrogate pair. XML cannot hold them, not
 * even as a reference.
 */
const unwritable = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/**
 * True if XML can hold a text. Otherwise `escapeXml` writes U+FFFD, the replacement character, in place of each
 * character outside XML.
 */
export function isXmlText(text: string): boolean {
  return text.search(unwritable) === -1;
}

/**
 * Escapes a text as content of an element or value of an attribute. It reads back unchanged if XML can hold it.
 */
export function escapeXml(text: string): string {
  return text
    .replace(unwritable, '\uFFFD')
    .replace(/[&<>"'\r\n\t]/g, (character) => references[character] ?? character);
}

// A reader turns a single carriage return into a line feed and, in an attribute, all white space into blanks.
const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
};

/** Replaces the references in a text; undefined if XML does not define one of them. */
export function unescapeXml(text: string): string | undefined {
  let known = true;
  const read = text.replace(/&([^;&]*);?/g, (_, reference: string) => {
    const character = named.get(reference) ?? numbered(reference);
    known &&= character !== undefined;
    return character ?? '';
  });
  return known ? read : undefined;
}

const named: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

function numbered(reference: string): string | undefined {
  const [, hexadecimal, decimal] = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(reference) ?? [];
  const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
  if (!(code <= 0x10ffff)) return undefined;
  const character = String.fromCodePoint(code);
  return isXmlText(character) ? character : undefined;
}

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
