import { type Document, Lexer, parseAllDocuments } from 'yaml';

/** A value of a YAML document. Whole numbers beyond ±(2^53 - 1) are a `bigint`. */
export type YamlValue = null | boolean | string | number | bigint | readonly YamlValue[] | YamlMap;

/** A mapping of a YAML document: its keys are texts, in the order of the document. */
export type YamlMap = ReadonlyMap<string, YamlValue>;

/** Limits for files of others: the parser takes about a second for the largest one. */
const [maxLength, maxDocuments, maxAliases, maxDepth] = [1_000_000, 1_000, 100, 40];

/**
 * Reads the documents of a YAML file; empty ones are left out. A document that is damaged, or that
 * expands its aliases beyond measure, is a `RuleRefusal` in its place. Throws `RuleRefusal` for a
 * file that is too large to be parsed.
 */
export function readYaml(text: string): readonly (YamlValue | RuleRefusal)[] {
  if (maxLength < text.length)
    refuseRule(`The file is too large: ${text.length} characters, at most ${maxLength} are read`);
  const documents = parseDocuments(text);
  if (maxDocuments < documents.length)
    refuseRule(`The file has ${documents.length} documents, at most ${maxDocuments} are read`);
  return documents.filter(({ contents }) => contents !== null).map(readDocument);
}

function parseDocuments(text: string): readonly Document[] {
  if (isTooDeep(text)) refuseRule(`The file nests more than ${maxDepth} levels`);
  try {
    const parsed = parseAllDocuments(text.replace(/^\ufeff/, ''), {
      intAsBigInt: true,
      logLevel: 'error',
      prettyErrors: false,
    });
    return 'empty' in parsed ? [] : parsed;
  } catch (error) {
    return refuseRule(`The file is not YAML: ${messageOf(error)}`);
  }
}

/** In tokens of YAML, the mark in front of a plain scalar: what follows is text, even if it looks like a bracket. */
const scalarMark = '\x1f';

/** The parser recurses: brackets deeper than the limit are refused before it runs. Indentation takes a blank a level. */
function isTooDeep(text: string): boolean {
  if (/^(?:(?:- *){40}| {400})/m.test(text)) return true;
  let [depth, previous] = [0, ''];
  for (const token of new Lexer().lex(text)) {
    const isText = previous === scalarMark;
    previous = token;
    if (isText) continue;
    if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth = Math.max(0, depth - 1);
    if (maxDepth < depth) return true;
  }
  return false;
}

function readDocument(document: Document): YamlValue | RuleRefusal {
  const [problem] = document.errors;
  if (problem) return new RuleRefusal(`The document is not YAML: ${problem.message}`);
  try {
    return toValue(document.toJS({ mapAsMap: true, maxAliasCount: maxAliases }), 0);
  } catch (error) {
    return error instanceof RuleRefusal
      ? error
      : new RuleRefusal(`The document is not YAML: ${messageOf(error)}`);
  }
}

function toValue(value: unknown, depth: number): YamlValue {
  if (maxDepth < depth) refuseRule(`The document nests more than ${maxDepth} levels`);
  if (value === null || typeof value === 'boolean' || typeof value === 'string' || typeof value === 'number')
    return value;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (Array.isArray(value)) return value.map((item) => toValue(item, depth + 1));
  if (value instanceof Map)
    return new Map(Array.from(value, ([key, member]) => [toKey(key), toValue(member, depth + 1)] as const));
  return refuseRule('The document holds a value of a type that rules do not have');
}

/** YAML reads keys such as `1` and `true` as numbers and booleans: rules have names. */
function toKey(key: unknown): string {
  if (typeof key === 'string') return key;
  if (typeof key === 'number' || typeof key === 'bigint' || typeof key === 'boolean') return String(key);
  return refuseRule('A key of the document is neither a text nor a number');
}

function messageOf(error: unknown): string {
  return error instanceof RangeError ? 'it nests too deeply' : error instanceof Error ? error.message : '';
}

/** Readers of the members of a map. Each throws `RuleRefusal` for a value of another type. */

/** The text of a member; undefined if it is absent or null. */
export function textMember(map: YamlMap, name: string): string | undefined {
  const value = map.get(name) ?? undefined;
  if (value === undefined || typeof value === 'string') return value;
  return refuseRule(`"${name}" must be a text, got ${kindOf(value)}`);
}

/** The texts of a member that is a text or a list of texts; empty if it is absent. */
export function textsMember(map: YamlMap, name: string): readonly string[] {
  const value = map.get(name) ?? [];
  if (typeof value === 'string') return [value];
  if (isList(value) && value.every((value) => typeof value === 'string')) return value;
  return refuseRule(`"${name}" must be a text or a list of texts, got ${kindOf(value)}`);
}

/** The map of a member; undefined if it is absent or null. */
export function mapMember(map: YamlMap, name: string): YamlMap | undefined {
  const value = map.get(name) ?? undefined;
  if (value === undefined || isMap(value)) return value;
  return refuseRule(`"${name}" must be a map, got ${kindOf(value)}`);
}

/** True for a map. */
export function isMap(value: YamlValue | undefined): value is YamlMap {
  return value instanceof Map;
}

/** True for a list. */
export function isList(value: YamlValue | undefined): value is readonly YamlValue[] {
  return Array.isArray(value);
}

/** The type of a value, for messages. */
export function kindOf(value: YamlValue): string {
  if (value === null) return 'nothing';
  if (isMap(value)) return 'a map';
  if (isList(value)) return 'a list';
  if (typeof value === 'string') return 'a text';
  return typeof value === 'boolean' ? 'true or false' : 'a number';
}

/** Thrown for a rule that cannot be evaluated; `compileRules` alone catches it. The message gives the reason. */
export class RuleRefusal extends Error {
  override readonly name = 'RuleRefusal';
}

/** Throws a `RuleRefusal` with this reason. */
export function refuseRule(reason: string): never {
  throw new RuleRefusal(reason);
}
