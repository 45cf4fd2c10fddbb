import type { Edit, Finding, Fix, Severity } from './finding.ts';
import type { Span } from './tree.ts';

/** A text and its findings, whose offsets are into this text. */
export interface CheckedText {
  /** The location of the text: a URI, or a path relative to the root of the check. */
  readonly uri: string;
  /** The line of that file on which the text begins; 1 unless given. */
  readonly line?: number;
  readonly text: string;
  readonly findings: readonly Finding[];
}

/** The context of the findings. */
export interface SarifOptions {
  /** The headings of the manual's sections, by finding code. */
  readonly headings: ReadonlyMap<string, string>;
  /** The version of the tool. */
  readonly version?: string;
  /** The address of the manual, whose sections have the finding codes as fragments. */
  readonly manual?: string;
}

/**
 * Findings as a log in the Static Analysis Results Interchange Format 2.1.0, which code hosts and
 * editors read. The value is ready for `JSON.stringify`. Columns count UTF-16 units, and a hint is
 * a note.
 *
 * ```ts
 * const text = 'a OR (b';
 * const log = toSarif([{ uri: 'query.txt', text, findings: parse(text).findings }], { version: '1.0.0', headings: new Map() });
 * ```
 */
export function toSarif(texts: readonly CheckedText[], options: SarifOptions): SarifLog {
  const found = texts.flatMap(({ findings }) => findings.map(({ code }) => code));
  const codes = [...new Set([...options.headings.keys(), ...found])];
  const uris = [...new Set(texts.map(({ uri }) => uri))];
  const context: Context = {
    ruleIndices: indicesOf(codes),
    artifactIndices: indicesOf(uris),
    fingerprint: fingerprints(),
  };
  const run: SarifRun = {
    tool: {
      driver: {
        name: 'logquarry',
        ...(options.version !== undefined && { version: options.version }),
        ...(options.manual !== undefined && { informationUri: options.manual }),
        rules: codes.map((code) => ruleOf(code, options)),
      },
    },
    columnKind: 'utf16CodeUnits',
    artifacts: uris.map((uri) => ({ location: { uri } })),
    results: texts.flatMap((text) => resultsOf(text, context)),
  };
  return { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
}

/** A log of one run, with the members that findings need. */
export interface SarifLog {
  readonly $schema: string;
  readonly version: '2.1.0';
  readonly runs: readonly SarifRun[];
}

interface SarifRun {
  readonly tool: { readonly driver: SarifDriver };
  readonly columnKind: 'utf16CodeUnits';
  readonly artifacts: readonly { readonly location: { readonly uri: string } }[];
  readonly results: readonly SarifResult[];
}

interface SarifDriver {
  readonly name: string;
  readonly version?: string;
  readonly informationUri?: string;
  readonly rules: readonly SarifRule[];
}

interface SarifRule {
  readonly id: string;
  readonly shortDescription?: SarifText;
  readonly helpUri?: string;
  readonly help?: SarifText & { readonly markdown: string };
}

interface SarifText {
  readonly text: string;
}

interface SarifResult {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: SarifLevel;
  readonly message: SarifText;
  readonly partialFingerprints: { readonly primaryLocationLineHash: string };
  readonly locations: readonly [
    { readonly physicalLocation: { readonly artifactLocation: SarifArtifact; readonly region: SarifRegion } },
  ];
  readonly fixes?: readonly SarifFix[];
}

type SarifLevel = 'error' | 'warning' | 'note';

interface SarifArtifact {
  readonly uri: string;
  readonly index: number;
}

/** Lines and columns count from 1; the end column is exclusive. */
interface SarifRegion {
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
}

interface SarifFix {
  readonly description: SarifText;
  readonly artifactChanges: readonly [
    { readonly artifactLocation: SarifArtifact; readonly replacements: readonly SarifReplacement[] },
  ];
}

interface SarifReplacement {
  readonly deletedRegion: SarifRegion;
  readonly insertedContent?: SarifText;
}

function ruleOf(code: string, { headings, manual }: SarifOptions): SarifRule {
  const heading = headings.get(code);
  return {
    id: code,
    ...(heading !== undefined && { shortDescription: { text: heading } }),
    ...(manual !== undefined && { helpUri: `${manual}#${code}` }),
    ...(heading !== undefined && {
      help: {
        text: `${heading}. The manual explains "${code}" in docs/findings.md.`,
        markdown: `**${heading}.** The manual explains \`${code}\` in \`docs/findings.md\`.`,
      },
    }),
  };
}

interface Context {
  readonly ruleIndices: ReadonlyMap<string, number>;
  readonly artifactIndices: ReadonlyMap<string, number>;
  readonly fingerprint: (uri: string, text: string, finding: Finding) => string;
}

function indicesOf(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map(names.map((name, index) => [name, index]));
}

/**
 * Returns a function from findings to fingerprints, which stay the same when a text moves to another
 * line. Equal findings of one file are numbered in their order.
 */
function fingerprints(): Context['fingerprint'] {
  const counts = new Map<string, number>();
  return (uri, text, { code, from, to }) => {
    const hash = hashOf([code, from, to, text.slice(0, mostHashed)].join('\0'));
    const key = `${hash} ${uri}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return `${hash}:${count}`;
  };
}

/** The units of a text that its fingerprints cover: a long text may have many findings. */
const mostHashed = 5_000;

/** The 64-bit FNV-1a hash of the UTF-16 units of a text, in hexadecimal. */
function hashOf(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let at = 0; at < text.length; at += 1) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(at))) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0');
}

type PlaceOf = (offset: number) => TextPosition;

function resultsOf({ uri, line = 1, text, findings }: CheckedText, context: Context): SarifResult[] {
  const artifact = { uri, index: context.artifactIndices.get(uri) ?? -1 };
  const placeIn = positionsIn(text);
  const placeOf: PlaceOf = (offset) => {
    const position = placeIn(offset);
    return { ...position, line: position.line + line - 1 };
  };
  return findings.map((finding) => ({
    ruleId: finding.code,
    ruleIndex: context.ruleIndices.get(finding.code) ?? -1,
    level: levels[finding.severity],
    message: { text: finding.message },
    partialFingerprints: { primaryLocationLineHash: context.fingerprint(uri, text, finding) },
    locations: [{ physicalLocation: { artifactLocation: artifact, region: regionOf(finding, placeOf) } }],
    ...(0 < finding.fixes.length && { fixes: finding.fixes.map((fix) => fixOf(fix, artifact, placeOf)) }),
  }));
}

const levels: Readonly<Record<Severity, SarifLevel>> = { error: 'error', warning: 'warning', hint: 'note' };

function fixOf({ title, edits }: Fix, artifact: SarifArtifact, placeOf: PlaceOf): SarifFix {
  const replacements = edits.map((edit) => replacementOf(edit, placeOf));
  return { description: { text: title }, artifactChanges: [{ artifactLocation: artifact, replacements }] };
}

function replacementOf(edit: Edit, placeOf: PlaceOf): SarifReplacement {
  const deletedRegion = regionOf(edit, placeOf);
  return edit.insert === '' ? { deletedRegion } : { deletedRegion, insertedContent: { text: edit.insert } };
}

function regionOf({ from, to }: Span, placeOf: PlaceOf): SarifRegion {
  const [start, end] = [placeOf(from), placeOf(to)];
  return { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column };
}

/** A line and a column, both from 1; columns in UTF-16 units. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Returns a lookup from offsets to lines and columns in a text whose lines end in LF or CR LF. */
export function positionsIn(text: string): (offset: number) => TextPosition {
  const starts = [0];
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) starts.push(end + 1);
  return (offset) => {
    const line = lastAtMost(starts, offset);
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  };
}

/** The index of the last number not above a limit; the numbers ascend from 0. */
function lastAtMost(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= limit) low = middle;
    else high = middle;
  }
  return low;
}
