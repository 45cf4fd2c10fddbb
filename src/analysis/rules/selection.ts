import {
  compileNetwork,
  compileRegexp,
  documentedSchema,
  type Field,
  type Filter,
  lowerCase,
  type NumberValue,
  parseDate,
  parseFieldNumber,
  type RegexpFilter,
  type TimePart,
  timeParts,
} from '../../language/index.ts';
import { type LogField, textFields } from '../../records/index.ts';
import { allOf, anyOf, noneOf } from './condition.ts';
import { comparableFields, type RuleMapping } from './mapping.ts';
import { isList, isMap, kindOf, refuseRule, type YamlMap, type YamlValue } from './read-yaml.ts';

/** Limit of the comparisons of one selection: a longer statement would take the database seconds. */
const maxValues = 1_000;

/**
 * Compiles a search identifier: a map of fields that must all match, or a list of maps and
 * keywords of which one must. Throws `RuleRefusal` for what cannot be evaluated.
 */
export function compileSelection(value: YamlValue, mapping: RuleMapping): Filter {
  if (isMap(value)) return mapFilter(value, mapping);
  const items = isList(value) ? value : [value];
  if (items.length === 0) refuseRule('A selection is an empty list');
  checkCount(items);
  return anyOf(
    items.map((item) => (isMap(item) ? mapFilter(item, mapping) : keywordFilter(toScalar(item), keywords))),
  );
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

/** Conversions to bytes; one must be followed by Base64, as texts of logs hold no such bytes. */
const encodings: Readonly<Record<string, (text: string) => Uint8Array>> = {
  wide: (text) => utf16(text, {}),
  utf16le: (text) => utf16(text, {}),
  utf16be: (text) => utf16(text, { bigEndian: true }),
  utf16: (text) => utf16(text, { mark: true }),
};

/** Dashes and slashes that begin an option on a command line of Windows. */
const dashes = ['-', '/', '\u2013', '\u2014', '\u2015'];

/** The parts of a time that can be compared. */
const parts = Object.keys(timeParts) as readonly TimePart[];

const keywords: Modifiers = readModifiers([]);

function mapFilter(map: YamlMap, mapping: RuleMapping): Filter {
  if (map.size === 0) refuseRule('A selection is an empty map');
  return allOf(Array.from(map, ([key, value]) => itemFilter(key, value, mapping)));
}

/** The filter for one member of a map, such as `msg|contains: timeout`. */
function itemFilter(key: string, value: YamlValue, mapping: RuleMapping): Filter {
  const [name = '', ...names] = key.split('|').map((part) => part.trim());
  const modifiers = readModifiers(names);
  const values = (isList(value) ? value : [value]).map(toScalar);
  if (values.length === 0) refuseRule(`"${key}" has no value`);
  if (modifiers.isReference) return negatable(referenceFilter(name, values, modifiers, mapping), modifiers);
  const texts = values.flatMap((value) => transformed(value, modifiers, mapping));
  checkCount(texts);
  const fields = name === '' ? undefined : comparableFields(mapping, name);
  const filters = texts.map((alternatives) =>
    anyOf(
      alternatives.map((alternative) =>
        fields
          ? anyField(
              fields.map((field) => fieldFilter(field, alternative, modifiers)),
              alternative,
              modifiers,
            )
          : keywordFilter(alternative, modifiers),
      ),
    ),
  );
  return negatable(modifiers.all ? allOf(filters) : anyOf(filters), modifiers);
}

function negatable(filter: Filter, { negated }: Modifiers): Filter {
  return negated ? noneOf(filter) : filter;
}

/** The filter for texts that are compared with those of other fields of the same log. */
function referenceFilter(
  name: string,
  values: readonly Scalar[],
  { comparison, cased, all }: Modifiers,
  mapping: RuleMapping,
): Filter {
  const related =
    textual.find((each) => each === comparison) ??
    refuseRule(`The modifiers "fieldref" and "${comparison}" exclude each other`);
  const textsOf = (reference: string) =>
    comparableFields(mapping, reference).map((field): Field => {
      const known = documented(field);
      if (known.type !== 'text')
        refuseRule(`The modifier "fieldref" compares texts, but "${field}" is a ${kindOfField(known)}`);
      return { ...known, type: 'keyword', ...(!cased && { normalizer: 'lowercase' }) };
    });
  const fields = textsOf(name === '' ? refuseRule('Keywords cannot have the modifier "fieldref"') : name);
  const filters = values.map((value) => {
    if (typeof value !== 'string') return refuseRule('The modifier "fieldref" requires the name of a field');
    const others = textsOf(value);
    return anyOf(
      fields.flatMap((field) =>
        others.map((other): Filter => ({ kind: 'fieldReference', field, other, comparison: related })),
      ),
    );
  });
  return all ? allOf(filters) : anyOf(filters);
}

/** A name that stands for several fields: any of them matches, and all of them lack a value. */
function anyField(filters: readonly Filter[], value: Scalar, { comparison }: Modifiers): Filter {
  const isAbsence = comparison === 'exists' ? value === false : value === null || value === '';
  return isAbsence ? allOf(filters) : anyOf(filters);
}

/** The texts that a value stands for; those of one value are alternatives, even with `all`. */
function transformed(value: Scalar, modifiers: Modifiers, mapping: RuleMapping): readonly Scalar[][] {
  if (typeof value !== 'string') return [[value]];
  const texts = modifiers.expand ? expanded(value, mapping) : [value];
  return [texts.flatMap((text) => modifiers.transform(text))];
}

/** A value with each combination of the values of its placeholders. */
function expanded(value: string, mapping: Pick<RuleMapping, 'placeholders'>): readonly string[] {
  const [, before = '', name = '', after = ''] = /^((?:\\%|[^%])*?)%([^%]+)%([\s\S]*)$/.exec(value) ?? [];
  if (name === '') return [value.replaceAll('\\%', '%')];
  const values = mapping.placeholders.get(name);
  if (!values)
    return refuseRule(`The placeholder "%${name}%" has no values: name them in a file with --mapping`);
  const rest = expanded(after, mapping);
  return values.flatMap((value) => rest.map((end) => `${before.replaceAll('\\%', '%')}${value}${end}`));
}

/** A keyword: a text anywhere in a log, in any field. A whole number can also be the code. */
function keywordFilter(value: Scalar, modifiers: Modifiers): Filter {
  if (value === null || value === '') return refuseRule('A keyword is empty');
  if (!['equals', 'contains'].includes(modifiers.comparison) || modifiers.part)
    return refuseRule(`Keywords cannot have the modifier "${modifiers.part ?? modifiers.comparison}"`);
  const parts: readonly ValuePart[] = [anyRun, ...parseValue(scalarText(value)), anyRun];
  const code = /^\d{1,15}$/.test(scalarText(value)) ? [fieldFilter('logCode', value, keywords)] : [];
  return anyOf([...keywordFields.map((field) => textFilter(field, parts, modifiers.cased)), ...code]);
}

const keywordFields: readonly Field[] = textFields.flatMap((name) => {
  const field = documentedSchema.fields.get(name);
  return field ? [{ ...field, type: 'keyword' as const }] : [];
});

function checkCount(values: readonly unknown[]): void {
  if (maxValues < values.length)
    refuseRule(`A selection has ${values.length} values, at most ${maxValues} are supported`);
}

function toScalar(value: YamlValue): Scalar {
  return isMap(value) || isList(value)
    ? refuseRule(`A value must be a text, a number or null, got ${kindOf(value)}`)
    : value;
}

/** A value of a rule that is no list. */
type Scalar = Exclude<YamlValue, readonly YamlValue[] | ReadonlyMap<string, YamlValue>>;

/**
 * The filter for a field that is compared with one value. Texts are compared as whole values,
 * without regard to case unless `cased`. Null and an empty text stand for a missing value, since a
 * log has no empty one. Throws `RuleRefusal` for what a field of its type cannot be compared with.
 */
function fieldFilter(field: LogField, value: Scalar, modifiers: Modifiers): Filter {
  const { comparison, part } = modifiers;
  if (part) return partFilter(documented(field), value, { part, comparison });
  if (comparison === 'exists') return existsFilter(field, value);
  if (value === null) return noneOf(isThere(field));
  const { type } = documented(field);
  if (comparison === 'lt' || comparison === 'lte' || comparison === 'gt' || comparison === 'gte')
    return orderFilter(documented(field), value, comparison);
  if (type !== 'text') return numberFilter(documented(field), value, modifiers);
  const keyword: Field = { ...documented(field), type: 'keyword' };
  if (comparison === 're')
    return regexpFilter(keyword, scalarText(value), {
      ignoreCase: modifiers.flags.i,
      multiLine: modifiers.flags.m,
      dotAll: modifiers.flags.s,
    });
  if (comparison === 'cidr') return networkFilter(keyword, scalarText(value));
  return textFilter(keyword, surrounded(parseValue(scalarText(value)), comparison), modifiers.cased);
}

/** The filter for a part of a time, such as the hour: equal to a number, or on one side of it. */
function partFilter(
  field: Field,
  value: Scalar,
  { part, comparison }: { readonly part: TimePart; readonly comparison: FieldComparison },
): Filter {
  if (field.type !== 'date')
    refuseRule(`The modifier "${part}" requires a time, but "${field.name}" is a ${kindOfField(field)}`);
  const [min, max] = timeParts[part];
  const number = /^\d{1,4}$/.test(String(value)) ? Number(value) : Number.NaN;
  if (!(min <= number && number <= max))
    refuseRule(
      `The modifier "${part}" requires a whole number from ${min} to ${max}, got "${String(value)}"`,
    );
  const ends: { readonly [name in FieldComparison]?: readonly [number, number] } = {
    equals: [number, number],
    lt: [min, number - 1],
    lte: [min, number],
    gt: [number + 1, max],
    gte: [number, max],
  };
  const [lower, upper] =
    ends[comparison] ?? refuseRule(`The modifiers "${part}" and "${comparison}" exclude each other`);
  return { kind: 'timePart', field, part, lower, upper };
}

/** A value as a text, as a rule compares it: half of a surrogate pair is U+FFFD, as in queries and in logs. */
function scalarText(value: Exclude<Scalar, null>): string {
  return String(value).toWellFormed();
}

function existsFilter(field: LogField, value: Scalar): Filter {
  if (typeof value !== 'boolean')
    return refuseRule(`The modifier "exists" requires true or false, got ${kindOf(value)}`);
  return value ? isThere(field) : noneOf(isThere(field));
}

/** Reads the column of a text as a keyword: a text without words is a value. */
function isThere(field: LogField): Filter {
  const known = documented(field);
  return { kind: 'exists', field: known.type === 'text' ? { ...known, type: 'keyword' } : known };
}

function surrounded(parts: readonly ValuePart[], comparison: string): readonly ValuePart[] {
  const run: readonly ValuePart[] = [anyRun];
  const before = comparison === 'contains' || comparison === 'endswith' ? run : [];
  const behind = comparison === 'contains' || comparison === 'startswith' ? run : [];
  return [...before, ...parts, ...behind];
}

/** A keyword field whose whole value is this, with wildcards. */
function textFilter(field: Field, parts: readonly ValuePart[], cased: boolean): Filter {
  const compared: Field = cased ? field : { ...field, normalizer: 'lowercase' };
  const cases = cased ? parts : parts.map((part) => (typeof part === 'string' ? lowerCase(part) : part));
  const text = literalText(cases);
  if (text === '') return noneOf({ kind: 'exists', field });
  if (text !== undefined) return { kind: 'term', field: compared, term: text };
  if (cases.every((part) => part === anyRun)) return { kind: 'exists', field };
  return { kind: 'wildcard', field: compared, pattern: wildcardPattern(cases) };
}

function numberFilter(field: Field, value: Exclude<Scalar, null>, { comparison }: Modifiers): Filter {
  if (comparison !== 'equals')
    return refuseRule(
      `The modifier "${comparison}" requires a text, but "${field.name}" is a ${kindOfField(field)}`,
    );
  const text = scalarText(value);
  if (text === '') return noneOf({ kind: 'exists', field });
  if (/^\*+$/.test(text)) return { kind: 'exists', field };
  const bound = { value: toNumber(field, text), inclusive: true };
  return { kind: 'range', field, lower: bound, upper: bound };
}

function orderFilter(field: Field, value: Scalar, comparison: 'lt' | 'lte' | 'gt' | 'gte'): Filter {
  if (field.type === 'text')
    return refuseRule(`The modifier "${comparison}" requires a number, but "${field.name}" is a text`);
  const bound = { value: toNumber(field, scalarText(value ?? '')), inclusive: comparison.endsWith('e') };
  return comparison.startsWith('g')
    ? { kind: 'range', field, lower: bound }
    : { kind: 'range', field, upper: bound };
}

function toNumber(field: Field, text: string): NumberValue {
  const number =
    field.type === 'date'
      ? parseDate(text.replace(' ', 'T'), { roundUp: false, now: 0 })
      : parseFieldNumber(field.type, text);
  return number ?? refuseRule(`"${field.name}" is a ${kindOfField(field)}, which "${text}" is not`);
}

function kindOfField({ type }: Field): string {
  return type === 'text' ? 'text' : type === 'date' ? 'time' : 'number';
}

function documented(field: LogField): Field {
  return documentedSchema.fields.get(field) ?? refuseRule(`The logs have no field "${field}"`);
}

/**
 * Compiles a regular expression that a rule looks for anywhere in a value to one of whole values
 * in the engine's syntax. Throws `RuleRefusal` for a construct without an equivalent, and for an
 * expression that takes too many states.
 */
function regexpFilter(field: Field, text: string, flags: RegexpFlags): RegexpFilter {
  const isLower = flags.ignoreCase || ignoresCase(text);
  const multiLine = flags.multiLine || isMultiLine(text);
  const branches = parseExpression(text, flags).map((parts) => writeBranch(parts, multiLine));
  const bodies = new Map<string, string[]>();
  for (const { before, body, after } of branches) {
    const around = `${before}(\u0000)${after}`;
    bodies.set(around, [...(bodies.get(around) ?? []), body]);
  }
  const pattern = Array.from(bodies, ([around, alike]) =>
    around.replace('\u0000', () => alike.join('|')),
  ).join('|');
  const compiled = compileRegexp(pattern);
  if ('refusal' in compiled) refuseRule(`The regular expression is refused: ${compiled.refusal.message}`);
  return { kind: 'regexp', field: isLower ? { ...field, normalizer: 'lowercase' } : field, pattern };
}

interface Branch {
  readonly before: string;
  readonly body: string;
  readonly after: string;
}

/** A branch with what may stand before and behind it in a value. `$` also matches before a final line break. */
function writeBranch(parts: readonly RegexpPart[], multiLine: boolean): Branch {
  const first = parts.findIndex((part) => !isAnchor(part, 'start'));
  const isStart = first !== 0 && 0 < parts.length;
  const inner = parts.slice(first === -1 ? parts.length : first);
  const isEnd = 0 < inner.length ? isAnchor(inner.at(-1), 'end') : false;
  const body = isEnd ? inner.slice(0, inner.findLastIndex((part) => !isAnchor(part, 'end')) + 1) : inner;
  return {
    before: isStart ? (multiLine ? '(.*\n)?' : '') : '.*',
    body: body.map(writePart).join('') || '()',
    after: isEnd ? (multiLine ? '(\n.*)?' : '\n?') : '.*',
  };
}

function isAnchor(part: RegexpPart | undefined, at: 'start' | 'end'): boolean {
  return part?.kind === 'anchor' && part.at === at;
}

function writePart(part: RegexpPart): string {
  switch (part.kind) {
    case 'anchor':
      return refuseRule('The regular expression has "^" or "$" inside, where it is not supported');
    case 'points':
      return writePoints(part.points);
    case 'group':
      return `(${part.branches.map((parts) => parts.map(writePart).join('') || '()').join('|')})`;
    case 'repeat':
      return `${writePart(part.part)}${part.times}`;
  }
}

function writePoints(points: CodePointRanges): string {
  const [only, ...others] = points;
  // "#" is the empty language.
  if (!only) return '#';
  if (others.length === 0 && only[0] === only[1]) return writePoint(only[0]);
  if (others.length === 0 && only[0] === 0 && only[1] === 0x10ffff) return '.';
  return `[${points.map(([first, last]) => (first === last ? writePoint(first) : `${writePoint(first)}-${writePoint(last)}`)).join('')}]`;
}

function writePoint(code: number): string {
  const character = String.fromCodePoint(code);
  return /[\dA-Za-z_ \n]/.test(character) || 0x7f < code ? character : `\\${character}`;
}

/** Code points from the first to the last of each pair. */
type CodePointRanges = readonly (readonly [first: number, last: number])[];

/** A part of a regular expression of a rule. */
type RegexpPart =
  | { readonly kind: 'points'; readonly points: CodePointRanges }
  | { readonly kind: 'anchor'; readonly at: 'start' | 'end' }
  | { readonly kind: 'group'; readonly branches: readonly (readonly RegexpPart[])[] }
  | { readonly kind: 'repeat'; readonly part: RegexpPart; readonly times: string };

/** Flags of a regular expression: the modifiers `i`, `m` and `s`. */
interface RegexpFlags {
  readonly ignoreCase: boolean;
  readonly multiLine: boolean;
  readonly dotAll: boolean;
}

/** A text and the read position. */
interface Reader {
  readonly text: string;
  readonly flags: RegexpFlags;
  at: number;
  depth: number;
}

const last = 0x10ffff;
const newLine = 10;
const maxDepth = 40;

const digits: CodePointRanges = [[0x30, 0x39]];
const wordCharacters: CodePointRanges = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
const blanks: CodePointRanges = [
  [9, 13],
  [0x20, 0x20],
];

/** Escapes that stand for sets of characters. */
const sets: Readonly<Record<string, CodePointRanges>> = {
  d: digits,
  w: wordCharacters,
  s: blanks,
  D: allBut(digits),
  W: allBut(wordCharacters),
  S: allBut(blanks),
};

const controls: Readonly<Record<string, number>> = { t: 9, n: newLine, v: 11, f: 12, r: 13, e: 27, a: 7 };

/**
 * Parses a regular expression in the flavour of Sigma (modifiers appendix 2.1) with the usual
 * escapes. Look-around, back-references, word boundaries and others are a `RuleRefusal`.
 */
function parseExpression(text: string, flags: RegexpFlags): readonly (readonly RegexpPart[])[] {
  const [inline = '', letters = ''] = /^\(\?([ims]+)\)/.exec(text) ?? [];
  const all = {
    ignoreCase: flags.ignoreCase || letters.includes('i'),
    multiLine: flags.multiLine || letters.includes('m'),
    dotAll: flags.dotAll || letters.includes('s'),
  };
  const reader: Reader = { text, flags: all, at: inline.length, depth: 0 };
  const branches = readBranches(reader);
  return reader.at < text.length
    ? refuseRule('The regular expression closes a group that is not open')
    : branches;
}

/** True if the expression sets the flag `i` itself, at its start. */
function ignoresCase(text: string): boolean {
  return /^\(\?[ms]*i[ims]*\)/.test(text);
}

/** True if the expression sets the flag `m` itself, at its start. */
function isMultiLine(text: string): boolean {
  return /^\(\?[is]*m[ims]*\)/.test(text);
}

function readBranches(reader: Reader): RegexpPart[][] {
  reader.depth += 1;
  if (maxDepth < reader.depth) refuseRule(`The regular expression nests more than ${maxDepth} groups`);
  const branches = [readSequence(reader)];
  while (take(reader, '|')) branches.push(readSequence(reader));
  reader.depth -= 1;
  return branches;
}

function readSequence(reader: Reader): RegexpPart[] {
  const parts: RegexpPart[] = [];
  while (reader.at < reader.text.length && !'|)'.includes(reader.text.charAt(reader.at))) {
    const part = readPart(reader);
    parts.push(readTimes(part, reader));
  }
  return parts;
}

function readTimes(part: RegexpPart, reader: Reader): RegexpPart {
  const [times] =
    /^(?:[*+?]|\{\d{1,4}(?:,\d{0,4})?\})/.exec(reader.text.slice(reader.at, reader.at + 12)) ?? [];
  if (times === undefined) return part;
  if (part.kind === 'anchor') refuseRule('The regular expression repeats an anchor');
  reader.at += times.length;
  // A lazy quantifier matches the same texts.
  if (!take(reader, '?') && take(reader, '+'))
    refuseRule('The regular expression has a possessive quantifier');
  return { kind: 'repeat', part, times };
}

function readPart(reader: Reader): RegexpPart {
  const character = String.fromCodePoint(reader.text.codePointAt(reader.at) ?? 0);
  reader.at += character.length;
  switch (character) {
    case '^':
      return { kind: 'anchor', at: 'start' };
    case '$':
      return { kind: 'anchor', at: 'end' };
    case '.':
      return { kind: 'points', points: reader.flags.dotAll ? [[0, last]] : allBut([[newLine, newLine]]) };
    case '(':
      return readGroup(reader);
    case '[':
      return { kind: 'points', points: readClass(reader) };
    case '\\':
      return readEscape(reader);
    case '*':
    case '+':
    case '?':
      return refuseRule(`The regular expression repeats nothing with "${character}"`);
    default:
      return literal(character, reader);
  }
}

function readGroup(reader: Reader): RegexpPart {
  const [opening] = /^\?(?::|P?<[A-Za-z_]\w*>)/.exec(reader.text.slice(reader.at)) ?? [];
  if (opening !== undefined) reader.at += opening.length;
  else if (reader.text.charAt(reader.at) === '?')
    refuseRule(
      `The regular expression has "(${reader.text.slice(reader.at, reader.at + 2)}": look-around is not supported`,
    );
  const branches = readBranches(reader);
  if (!take(reader, ')')) refuseRule('A group of the regular expression is not closed');
  return { kind: 'group', branches };
}

function readEscape(reader: Reader): RegexpPart {
  const letter = reader.text.charAt(reader.at);
  if (letter === 'A' || letter === 'z' || letter === 'Z') {
    reader.at += 1;
    return { kind: 'anchor', at: letter === 'A' ? 'start' : 'end' };
  }
  const set = sets[letter];
  if (set && Object.hasOwn(sets, letter)) {
    reader.at += 1;
    return { kind: 'points', points: folded(set, reader) };
  }
  return literal(readEscaped(reader), reader);
}

/** A literal character behind a backslash. */
function readEscaped(reader: Reader): string {
  const rest = reader.text.slice(reader.at, reader.at + 10);
  const [hexadecimal, short, braced] =
    /^(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|x\{([\da-fA-F]{1,6})\})/.exec(rest) ?? [];
  const code = short ?? braced ?? hexadecimal?.slice(1).replace(/[{}]/g, '');
  if (hexadecimal !== undefined && code !== undefined) {
    reader.at += hexadecimal.length;
    return String.fromCodePoint(Math.min(last, Number.parseInt(code, 16)));
  }
  const character = String.fromCodePoint(rest.codePointAt(0) ?? 0);
  if (rest === '') refuseRule('The regular expression ends with a backslash');
  reader.at += character.length;
  const control = Object.hasOwn(controls, character) ? controls[character] : undefined;
  if (control !== undefined) return String.fromCodePoint(control);
  return /[A-Za-z0-9]/.test(character)
    ? refuseRule(`The regular expression has "\\${character}", which is not supported`)
    : character;
}

function literal(character: string, { flags }: Reader): RegexpPart {
  const code = (flags.ignoreCase ? lowerCase(character) : character).codePointAt(0) ?? 0;
  return { kind: 'points', points: [[code, code]] };
}

function readClass(reader: Reader): CodePointRanges {
  const isNegated = take(reader, '^');
  const points: (readonly [number, number])[] = [];
  // A bracket in the first place is literal.
  for (let isFirst = true; isFirst || reader.text.charAt(reader.at) !== ']'; isFirst = false) {
    if (reader.text.length <= reader.at) return refuseRule('A "[" of the regular expression is not closed');
    points.push(...readRange(reader));
  }
  reader.at += 1;
  const all = folded(points, reader);
  return isNegated ? allBut(all) : all;
}

function readRange(reader: Reader): CodePointRanges {
  if (reader.text.startsWith('[:', reader.at)) refuseRule('The regular expression names a class with "[:"');
  const set = sets[reader.text.charAt(reader.at + 1)];
  if (reader.text.charAt(reader.at) === '\\' && set) {
    reader.at += 2;
    return set;
  }
  const first = readMember(reader);
  const isRange = reader.text.charAt(reader.at) === '-' && reader.text.charAt(reader.at + 1) !== ']';
  if (!isRange) return [[first, first]];
  reader.at += 1;
  const end = readMember(reader);
  if (end < first) refuseRule('A range of the regular expression runs backwards');
  return [[first, end]];
}

function readMember(reader: Reader): number {
  if (take(reader, '\\')) {
    if (take(reader, 'b')) return 8;
    return readEscaped(reader).codePointAt(0) ?? 0;
  }
  const code =
    reader.text.codePointAt(reader.at) ?? refuseRule('A "[" of the regular expression is not closed');
  reader.at += 0xffff < code ? 2 : 1;
  return code;
}

/** Ranges up to this size are converted to lower case character by character. */
const maxFolded = 5_000;

/** The lower case of characters, where case is ignored: values are compared in lower case. */
function folded(points: CodePointRanges, { flags }: Reader): CodePointRanges {
  if (!flags.ignoreCase) return points;
  return points.flatMap(([first, end]) => {
    // Letters with another case beyond these planes are of dead scripts.
    const until = Math.min(end, first + maxFolded);
    const lower = Array.from({ length: until - first + 1 }, (_, index) => {
      const code = lowerCase(String.fromCodePoint(first + index)).codePointAt(0) ?? 0;
      return [code, code] as const;
    });
    return [[first, end] as const, ...lower.filter(([code]) => code < first || end < code)];
  });
}

/** All other code points. */
function allBut(points: CodePointRanges): CodePointRanges {
  const gaps: (readonly [number, number])[] = [];
  let from = 0;
  for (const [first, end] of points.toSorted(([a], [b]) => a - b)) {
    if (from < first) gaps.push([from, first - 1]);
    from = Math.max(from, end + 1);
  }
  if (from <= last) gaps.push([from, last]);
  return gaps;
}

function take(reader: Reader, character: string): boolean {
  if (reader.text.charAt(reader.at) !== character) return false;
  reader.at += 1;
  return true;
}

/** The filter for addresses of a network of IPv4 or IPv6, or for one address. Throws `RuleRefusal` for others. */
function networkFilter(field: Field, network: string): Filter {
  if (compileNetwork(network)) return { kind: 'network', field, network };
  const [, address = '', bits = '32'] = /^(\d{1,3}(?:\.\d{1,3}){3})(?:\/(\d{1,2}))?$/.exec(network) ?? [];
  const octets = address.split('.').map(Number);
  if (octets.length !== 4 || 32 < Number(bits) || octets.some((octet) => 255 < octet))
    return refuseRule(`"${network}" is not a network such as 10.0.0.0/8 or fe80::/10`);
  const pattern = octets
    .map((octet, index) => octetPattern(octet, Math.max(0, Math.min(8, Number(bits) - 8 * index))))
    .join('\\.');
  return { kind: 'regexp', field, pattern };
}

function octetPattern(octet: number, fixedBits: number): string {
  if (fixedBits === 0) return '(<0-255>)';
  const size = 2 ** (8 - fixedBits);
  const first = octet - (octet % size);
  return size === 1 ? String(octet) : `(<${first}-${first + size - 1}>)`;
}

/** Comparison of a field with a value. */
type FieldComparison =
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
interface Modifiers {
  readonly comparison: FieldComparison;
  /** All values must match, not any of them. */
  readonly all: boolean;
  readonly cased: boolean;
  readonly negated: boolean;
  readonly expand: boolean;
  /** Values are names of fields. */
  readonly isReference: boolean;
  /** The part of a time to compare. */
  readonly part: TimePart | undefined;
  readonly flags: { readonly i: boolean; readonly m: boolean; readonly s: boolean };
  /** Converts the text of a value to the texts to look for, in the order of the modifiers. */
  readonly transform: (text: string) => readonly string[];
}

/** Modifiers that change a text before it is compared as such, and those that belong to an expression. */
const transforming = ['base64', 'base64offset', 'windash', ...Object.keys(encodings)];
const flagNames = ['i', 'm', 's', 'ignorecase', 'multiline', 'dotall'];
const textual = ['equals', 'contains', 'startswith', 'endswith'] as const;

/** All modifiers that a rule can have. */
export const modifierNames: readonly string[] = [
  ...comparisons,
  ...['all', 'cased', 'neq', 'expand', 'fieldref'],
  ...parts,
  ...transforming,
  ...flagNames,
];

type Transformation = (texts: readonly string[]) => readonly string[];

/** Reads the modifiers behind a field (modifiers appendix 2.1). Throws `RuleRefusal` for one without an equivalent. */
function readModifiers(names: readonly string[]): Modifiers {
  const comparison = comparisons.filter((name) => names.includes(name));
  const part = parts.filter((name) => names.includes(name));
  for (const some of [comparison, part])
    if (1 < some.length) refuseRule(`The modifiers ${some.map(quoted).join(' and ')} exclude each other`);
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
    else if (!modifierNames.includes(name)) refuseRule(`The modifier "${name}" is unknown`);
  }
  if (encode !== utf8) refuseRule('A modifier for UTF-16 must be followed by "base64" or "base64offset"');
  const isReference = names.includes('fieldref');
  const compared = isReference
    ? 'fieldref'
    : (part[0] ?? comparison.find((name) => !textual.some((each) => each === name)));
  const [foreign] = names.filter(
    (name) =>
      (compared !== undefined && transforming.includes(name)) ||
      (compared !== 're' && flagNames.includes(name)) ||
      (isReference && parts.some((each) => each === name)),
  );
  if (foreign !== undefined)
    refuseRule(
      compared === undefined
        ? `The modifier "${foreign}" requires "re"`
        : `The modifiers "${foreign}" and "${compared}" exclude each other`,
    );
  return {
    comparison: comparison[0] ?? 'equals',
    all: names.includes('all'),
    cased: names.includes('cased'),
    negated: names.includes('neq'),
    expand: names.includes('expand'),
    isReference,
    part: part[0],
    flags: {
      i: names.includes('i') || names.includes('ignorecase'),
      m: names.includes('m') || names.includes('multiline'),
      s: names.includes('s') || names.includes('dotall'),
    },
    transform: (text) =>
      transformations.reduce<readonly string[]>((texts, transformation) => transformation(texts), [text]),
  };
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

/** A part of a value: one code point as a text, any one of them, or any run of them. */
type ValuePart = string | typeof anyOne | typeof anyRun;

/** The wildcard `?`. */
const anyOne = Symbol('?');

/** The wildcard `*`. */
const anyRun = Symbol('*');

/**
 * Parses a value of a rule: `*` and `?` are wildcards. A backslash before one of them or before a
 * backslash makes it literal; any other backslash is itself (Sigma rules specification 2.0,
 * "Escaping").
 */
function parseValue(text: string): readonly ValuePart[] {
  return Array.from(text.matchAll(/\\([\\*?])|([\s\S])/gu), ([, literal, character = '']) => {
    if (literal !== undefined) return literal;
    return character === '*' ? anyRun : character === '?' ? anyOne : character;
  });
}

/** The literal text of a value; undefined if it has wildcards. */
function literalText(parts: readonly ValuePart[]): string | undefined {
  return parts.every((part) => typeof part === 'string') ? parts.join('') : undefined;
}

/** Writes a value as a pattern of a `WildcardFilter`. */
function wildcardPattern(parts: readonly ValuePart[]): string {
  return parts
    .map((part) => {
      if (part === anyRun) return '*';
      if (part === anyOne) return '?';
      return String(part).replace(/[\\*?]/, '\\$&');
    })
    .join('');
}
