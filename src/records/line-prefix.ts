import { type NamedMatch, type NamedPattern, namedPattern } from './named-pattern.ts';

/**
 * Text that programs put before the lines that they print: `grep` a file, a container runtime a time, `syslog` both
 * and more. The record behind it is read; the prefix stays beside it.
 */
export interface LinePrefix {
  /** Its length in UTF-16 units. */
  readonly length: number;
  /** Its parts by their names, or all of it as `text`. */
  readonly parts: Readonly<Record<string, string>>;
}

const isoTime = String.raw`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)`;
const syslogTime = String.raw`(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d \d\d:\d\d:\d\d`;
const name = String.raw`[A-Za-z0-9][\w.-]*`;

/** The known prefixes, each anchored to the start of its line. An earlier one is tried first. */
const patterns: readonly NamedPattern[] = [
  // CRI, the files of a node: TIME stdout F
  `(?<time>${isoTime}) (?<stream>stdout|stderr) (?<tag>[FP]) `,
  // kubectl logs, with --prefix, --timestamps, or both; stern
  String.raw`\[(?<pod>(?:pod/)?${name}(?:/${name})*)\] (?:(?<time>${isoTime}) )?`,
  // stern: NAMESPACE POD CONTAINER, the first where it shows all; with --timestamps or not
  `(?:(?<namespace>[a-z0-9-]+) )?(?<pod>[a-z0-9][a-z0-9.]*(?:-[a-z0-9.]+)+) (?<container>[a-z0-9][a-z0-9-]*) (?:(?<time>${isoTime}) )?`,
  // docker compose logs, with --timestamps or not
  String.raw`(?<container>${name}) +\| (?:(?<time>${isoTime}) )?`,
  // RFC 5424
  String.raw`<(?<priority>\d{1,3})>1 (?<time>${isoTime}|-) (?<host>\S+) (?<program>\S+) (?<pid>\S+) (?:-|(?<messageId>\S+)) (?:-|(?<data>(?:\[(?:[^\]"]|"(?:[^"\\]|\\.)*")*\])+)) (?:\ufeff)?`,
  // RFC 3164, rsyslog, journalctl
  String.raw`(?:<(?<priority>\d{1,3})>)?(?<time>${syslogTime}) (?<host>[\w.:-]+) (?<program>[^\s:[\]]+)(?:\[(?<pid>\d+)\])?: `,
  String.raw`(?:<(?<priority>\d{1,3})>)?(?<time>${isoTime}) (?<host>[\w.:-]+) (?<program>[^\s:[\]]+)\[(?<pid>\d+)\]: `,
  // logcli: TIME LABELS; aws logs tail: TIME STREAM, before JSON
  String.raw`(?<time>${isoTime}) (?<labels>\{\w+="(?:[^"\\]|\\.)*"(?:, ?\w+="(?:[^"\\]|\\.)*")*\}) +`,
  String.raw`(?<time>${isoTime}) (?<logStream>[^\s{]*[/\d-][^\s{]*) (?=\{")`,
  // kubectl logs --timestamps, docker logs --timestamps; Grafana, as a text
  String.raw`(?<time>${isoTime})[ \t]`,
  // grep and Select-String, with a file, a number, or both
  String.raw`(?:> | {2})?(?<line>\d+)[:-]`,
  String.raw`(?:> | {2})?(?<file>(?:[A-Za-z]:)?[^\s:*?"<>|{}[\]]+(?: [^\s:*?"<>|{}[\]]+)*)(?:[:-](?<line>\d+))?[:-]`,
].map((source) => namedPattern(`^${source}`));

/** Escape sequences of colours, such as those of `grep --color`. */
const colour = /\x1b\[[\d;]*[mK]/g;

/** Removes the escape sequences of colours from a text. */
export function withoutColours(text: string): string {
  return text.includes('\x1b') ? text.replace(colour, '') : text;
}

/** Returns the longest known prefix of a line whose rest the test accepts; undefined if there is none. */
export function findPrefix(
  line: string,
  isRecord: (rest: string, parts: LinePrefix['parts']) => boolean,
): LinePrefix | undefined {
  for (const pattern of patterns) {
    const found = pattern.read(line);
    if (found && isRecord(line.slice(found.length), found.groups)) return toPrefix(found);
  }
  return undefined;
}

/** Reads a text that stands before a record in its line: a known prefix, or any other text as it is. */
export function readPrefix(text: string): LinePrefix {
  const known = findPrefix(text, (rest) => rest === '');
  return known ?? { length: text.length, parts: { text: text.trim() } };
}

function toPrefix({ length, groups }: NamedMatch): LinePrefix {
  return { length, parts: groups };
}

/**
 * Removes from the further lines of a record the prefix that its first line has: of the same kind, and of `grep`
 * also of the same file, because its prefixes look like ordinary text.
 */
export function withoutPrefixes(text: string, prefix: string): string {
  if (!text.includes('\n')) return text;
  const strip = stripperOf(prefix);
  return text
    .split('\n')
    .map((line, at) => (at === 0 ? line : strip(line)))
    .join('\n');
}

/** Reports if a text before a record is the prefix of another one, as the current record has it. */
export function isSimilarPrefix(text: string, prefix: string): boolean {
  return stripperOf(prefix)(text) === '';
}

function stripperOf(prefix: string): (line: string) => string {
  const pattern = patterns.find((pattern) => pattern.read(prefix)?.length === prefix.length);
  const file = pattern?.read(prefix)?.groups.file;
  if (pattern && file === undefined) return (line) => line.slice(pattern.read(line)?.length ?? 0);
  if (file === undefined) return (line) => (line.startsWith(prefix) ? line.slice(prefix.length) : line);
  const ofFile = /^(?:> | {2})?/;
  return (line) => {
    const bare = line.replace(ofFile, '');
    const start = prefix.replace(ofFile, '').slice(0, file.length);
    if (bare.startsWith(start)) return bare.slice(file.length).replace(/^(?:[:-]\d+)?[:-]/, '');
    // Another file: only the whole of it, before a record.
    return pattern?.read(line)?.length === line.length ? '' : line;
  };
}
