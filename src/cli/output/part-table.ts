import { type AnyLogSource, isCase } from '../../analysis/index.ts';
import {
  type AddedFile,
  type EntryNote,
  type HandOverFacts,
  isNoLogFile,
  isZipOfParts,
  type NamedOverlap,
  overlapsOf,
  type RemarkCount,
  type StoredPart,
  summary,
} from '../../case/index.ts';
import { formLosses, ownForms } from '../../records/index.ts';
import { formatCount, formatNumber } from '../terminal/progress.ts';
import { escapeFileName, escapeUnsafe } from '../terminal/text.ts';
import type { Column } from './table.ts';

/** The columns of the parts of a case. */
export const partColumns: readonly Column[] = [
  { name: 'file', canShrink: true },
  { name: 'entry', canShrink: true },
  { name: 'format' },
  { name: 'logs', align: 'right' },
  { name: 'unreadable', align: 'right' },
  { name: 'remark' },
];

/** The cells of a part. */
export function toPartRow(part: StoredPart, { already }: { readonly already: boolean }): string[] {
  const { file, entry, format, logs, unreadable, problem } = part;
  const remark = problem ? 'not loaded' : already ? 'already in the case' : contentRemark(part);
  return [file, escapeFileName(entry), format, formatNumber(logs), formatNumber(unreadable), remark];
}

/** Reason why the case holds less than the file seems to. */
function contentRemark(part: StoredPart): string {
  const { format, logs, unreadable, leftOut = 0 } = part;
  if (isNoLogFile(part)) return 'not a log file';
  if (isZipOfParts(part)) return `a ${format} with the entries below`;
  if (0 < leftOut)
    return `${formatCount(leftOut, format === 'upgrade' ? 'message' : 'log')} already in the case`;
  return logs === 0 && unreadable === 0 ? 'holds no logs' : '';
}

/** Lines that the remarks on the parts of one command take at most. */
const shownRemarks = 100;

/**
 * Remarks on parts: why they were not loaded, what their records lost, and what was assumed. Names the
 * view of unreadable records if the case is kept. A zip of many broken entries gets a hundred lines.
 */
export function partRemarks(
  parts: readonly StoredPart[],
  { isKept }: { readonly isKept: boolean },
): readonly string[] {
  const lines: string[] = [];
  let more = 0;
  for (const part of parts)
    for (const line of remarksOn(part, { isKept }))
      if (lines.length < shownRemarks) lines.push(line);
      else more += 1;
  if (more === 0) return lines;
  const where = isKept ? ': the view "parts" has all of them' : '';
  return [...lines, `… and ${formatCount(more, 'more remark')}${where}.`];
}

/** Reports if a remark says that logs of a part may not be found, which `--strict` does not let pass. */
export function isLoss(remark: RemarkCount): boolean {
  return doubtfulCodes.has(remark.code) || losesLogs(remark);
}

/** Reports if a remark says that no search for a time, a word or an exact value finds logs that have it: exit code 4. */
export function losesLogs({ code, field }: RemarkCount): boolean {
  if (field === 'time') return code === 'DATE_ORDER' || code === 'NO_VALUE' || code === 'WRONG_TYPE';
  return code === 'CONTROL_END' || code === 'LOST_CHARACTERS';
}

const doubtfulCodes: ReadonlySet<RemarkCount['code']> = new Set([
  ...(['NO_VALUE', 'ONE_VALUE', 'IMPLAUSIBLE_TIME', 'DATE_ORDER', 'CONTROL_END', 'MORE_LOGS'] as const),
]);

/** The remarks on parts of a case for which a search may not find logs. */
function lossRemarks(parts: readonly StoredPart[]): readonly string[] {
  const concerned = parts.filter(({ problem, remarks }) => !problem && remarks.some(mayHideLogs));
  const only = concerned.map((part) => ({
    ...part,
    unreadable: 0,
    remarks: part.remarks.filter(mayHideLogs),
  }));
  return partRemarks(only, { isKept: true });
}

/**
 * Lines on what was read into some logs: for which a search may not find them, and, if asked for, which of them count
 * twice. The latter compares all logs.
 */
export async function doubtsOf(
  of: AnyLogSource,
  { overlaps }: { readonly overlaps: boolean },
): Promise<readonly string[]> {
  const { parts } = await (isCase(of) ? summary(of) : of.contents());
  const found = overlaps && isCase(of) ? await overlapsOf(of) : [];
  return [...lossRemarks(parts), ...overlapLines(found)];
}

/** Reports if a remark says that a search, or a count by level, may miss logs. */
function mayHideLogs(remark: RemarkCount): boolean {
  return isLoss(remark) || remark.code === 'UNKNOWN_LEVEL' || remark.code === 'HEADING';
}

function remarksOn(
  { file, entry, problem, unreadable, remarks, zone = 'UTC' }: StoredPart,
  { isKept }: { readonly isKept: boolean },
): string[] {
  // The zips of all exports have entries of the same name.
  const ofFile = `"${escapeFileName(file)}"`;
  const name = entry === file ? ofFile : `"${escapeFileName(entry)}" of ${ofFile}`;
  return [
    ...(problem ? [`${name} was not loaded: ${escapeUnsafe(problem.message)} [${problem.code}]`] : []),
    ...(0 < unreadable
      ? [
          `${name}: ${formatCount(unreadable, 'record')} could not be read${isKept ? `; the view "unreadable" has ${unreadable === 1 ? 'it' : 'them'}` : ''}.`,
        ]
      : []),
    ...remarks.map((remark) => `${name}: ${remarkText(remark, zone)}`),
  ];
}

/** What a remark says, after the name of its part. */
export function remarkText(remark: RemarkCount, zone: string): string {
  const { code, field, count, about = '' } = remark;
  const shown = escapeUnsafe(about);
  switch (code) {
    case 'ENVELOPE':
      return `log in \`${escapeUnsafe(field)}\` of ${shown} records, ${formatCount(count, 'log')}; the rest of them is in "extra". --envelope names another member, or none.`;
    case 'OWN_FORM':
      return `Logquarry wrote ${formatCount(count, 'log')} as ${shown}: read as they were, and where they came from is in "extra" under "logquarry".${lossText(about)}`;
    case 'NO_VALUE':
      return `no log has a ${field === 'logLevel' ? 'level that is known' : nameOfField(field)}${about === '' ? '' : `; "${shown}" may be it`}.`;
    case 'ONE_VALUE':
      return `all ${formatNumber(count)} logs have the same ${nameOfField(field)}, "${shown}": another member may have the true one.`;
    case 'ACCESS_LOG':
      return `${formatCount(count, 'log')} ${count === 1 ? 'is a request' : 'are requests'} of an access log, which has no message: what was requested and the status stand for it.`;
    case 'NO_ENVELOPE':
      return `${formatCount(count, 'log')} has no member "${escapeUnsafe(field)}", which --envelope names, and was read as it is.`;
    case 'MORE_LOGS':
      return `${shown}.`;
    case 'REPLIES':
      return `holds ${formatCount(about.split(' ').length, 'list')} of logs, such as pages.`;
    case 'ASSUMED_ENCODING':
      return `no UTF-8, and nothing names its encoding: the text of ${formatCount(count, 'log')} was read as ${shown}. If letters are wrong, convert the file to UTF-8 and import that.`;
    case 'HEADING':
      return `${formatCount(count, 'row')} in the middle repeated the heading, as in joined files, and ${count === 1 ? 'is' : 'are'} no log.`;
    case 'NO_ZONE':
      return `${field} of ${formatCount(count, 'log')} names no zone and was read as ${zone.replace(/ .*/, '')}; --log-zone sets another.`;
    case 'IMPLAUSIBLE_TIME':
      return `${field} of ${formatCount(count, 'log')} is implausible: ${shown}. --strict refuses such files.`;
    case 'WRONG_TYPE':
      return `${field} of ${formatCount(count, 'log')} ${field === 'time' ? wrongTime : remarkWords[code]}`;
    default:
      return `${field} of ${formatCount(count, 'log')} ${remarkWords[code]}`;
  }
}

/** What a form of this program cannot carry. */
function lossText(name: string): string {
  const form = Object.entries(ownForms).find(([formName]) => formName === name)?.[1];
  return (form?.losses ?? []).map((loss) => ` ${formLosses[loss]}.`).join('');
}

const fieldWords: ReadonlyMap<string, string> = new Map([
  ['msg', 'message'],
  ['logLevel', 'level'],
  ['username', 'user'],
]);

const nameOfField = (field: string) => fieldWords.get(field) ?? field;

const wrongTime =
  'is none that can be read: no search for a time finds these logs. The value is kept in "extra".';

const remarkWords = {
  TIME_UNIT:
    'is a number that cannot be milliseconds: it was read in seconds, microseconds or nanoseconds by its size; --time-unit sets another unit.',
  WRONG_TYPE: 'has the wrong type; the value is kept in "extra".',
  UNKNOWN_LEVEL:
    'is no level that is known: it stays as it is written, and counts as no error. docs/formats.md lists the known ones.',
  SECOND_VALUE: 'was given twice; the second value is kept in "extra".',
  CONTROL_END: 'ends in a control character or a blank.',
  ASSUMED_TIME:
    'is written in a form that can be read otherwise: as digits of a date, a day number of a spreadsheet, or a rounded number. Check some of them.',
  DATE_ORDER:
    'has a day and a month in an order that nothing tells, so it is kept in "extra"; --date-order dmy or mdy says which.',
  LOST_CHARACTERS:
    'has unreadable characters, shown as "\uFFFD". Convert files that are not in UTF-8 first, for instance with "iconv -f WINDOWS-1252 -t UTF-8".',
  NO_END: 'may be cut: the record has no "</Msg>", as after "grep", and ends where the next one begins.',
} as const;

/** Number of notes reported one by one. */
const shown = 20;

/** Notes on zip entries that lose nothing: those that are no log files, and those with the same logs. */
export function entryNoteLines(notes: readonly EntryNote[]): readonly string[] {
  const lines = notes.slice(0, shown).map(lineOf);
  if (notes.length <= shown) return lines;
  return [...lines, `… and ${formatNumber(notes.length - shown)} more notes; --json lists all.`];
}

function lineOf(note: EntryNote): string {
  const where = note.files === 1 ? '' : `, in ${formatNumber(note.files)} zips`;
  if (note.kind === 'no log file')
    return `${nameOf(note.entry)} is not a log file (${note.format})${where}: it is kept only in the original.`;
  const [first, second] = note.entries;
  const what = note.isLeftOut ? `those of ${nameOf(second)} were left out` : 'both are in the case';
  return `${nameOf(first)} and ${nameOf(second)} hold the same logs${where}: ${what}.`;
}

/** The overlaps that `entryNotes` does not name: of two entries of one zip that hold the same logs. */
export function withoutNoted(overlaps: readonly NamedOverlap[]): readonly NamedOverlap[] {
  return overlaps.filter((overlap) => !isNoted(overlap));
}

/** Lines on logs that several parts have. */
export function overlapLines(overlaps: readonly NamedOverlap[], limit: number = shown): readonly string[] {
  const lines = overlaps.slice(0, limit).map(overlapLine);
  const more = overlaps.length - limit;
  return more <= 0
    ? lines
    : [...lines, `… and ${formatNumber(more)} more such files; "logquarry coverage" lists them.`];
}

/** Reports if `entryNotes` says that all logs of the part and another entry of its zip are the same. */
function isNoted({ part, logs, isLeftOut, earlier }: NamedOverlap): boolean {
  return (
    !isLeftOut &&
    earlier.some(
      ({ part: other, logs: same }) =>
        other.part !== part.part &&
        other.fileSha256 === part.fileSha256 &&
        [same, part.logs, other.logs].every((count) => count === logs),
    )
  );
}

/** Earlier parts that a line names. */
const namedParts = 3;

function overlapLine({ part, logs, isLeftOut, earlier }: NamedOverlap): string {
  const all = part.logs + (isLeftOut ? logs : 0);
  const names = earlier.slice(0, namedParts).map(({ part: other, logs: same }) => {
    const name = other.part === part.part ? 'an earlier list of logs in it' : partName(other);
    return earlier.length === 1 ? name : `${name} (${formatNumber(same)})`;
  });
  const more = earlier.length <= namedParts ? '' : ` and ${formatNumber(earlier.length - namedParts)} more`;
  const outcome = isLeftOut
    ? `${logs === 1 ? 'it was' : 'they were'} left out, and ${logs === 1 ? 'is' : 'are'} kept in the original`
    : `${logs === 1 ? 'it counts' : 'they count'} twice. --no-duplicates leaves such logs out`;
  return `${partName(part)}: ${formatNumber(logs)} of ${formatCount(all, 'log')} ${logs === 1 ? 'is' : 'are'} also in ${names.join(', ')}${more}; ${outcome}.`;
}

/** A hand-over whose logs are read. */
interface HandOverRead {
  /** Its name, in quotes. */
  readonly name: string;
  /** What its manifest says, or why that cannot be read. */
  readonly manifest: HandOverFacts | string;
  /** Name of the copy of the logs that is read; undefined if there is none. */
  readonly read: string | undefined;
  /** Names of copies that are not as they were handed over. */
  readonly altered: readonly string[];
}

/** Lines on a hand-over, of whose copies of the same logs one is read. */
export function handOverLines({ name, manifest, read, altered }: HandOverRead): readonly string[] {
  const outcome =
    read === undefined
      ? 'none of its files of logs is there.'
      : `${nameOf(read)} is read, and the same logs in its other files are left out.`;
  return [
    typeof manifest === 'string'
      ? `${manifest}. Nothing shows if the logs beside it are as they were handed over: ${outcome}`
      : `${name} is a hand-over of ${formatCount(manifest.found, 'log')} of the case ${nameOf(manifest.case.name)}, made ${escapeUnsafe(manifest.made)}: ${outcome}`,
    ...altered.map(
      (copy) => `${nameOf(copy)} of ${name} was altered since: "logquarry verify" on the folder says more.`,
    ),
  ];
}

/** Lines on the hand-overs in an archive. */
export function archivedHandOverLines({ name, handOvers = [] }: AddedFile): readonly string[] {
  return handOvers.flatMap(({ folder, manifest, read, altered }) => {
    const shown = folder === '' ? nameOf(name) : `${nameOf(folder)} of ${nameOf(name)}`;
    const problem = `The manifest of ${shown} is not that of a hand-over, or damaged`;
    return handOverLines({ name: shown, manifest: manifest ?? problem, read, altered });
  });
}

/** Reports if a hand-over in an archive is not as it was written. */
export function hasDoubtfulHandOver({ handOvers = [] }: AddedFile): boolean {
  return handOvers.some(
    ({ manifest, read, altered }) => !manifest || read === undefined || 0 < altered.length,
  );
}

/** The name of a part: of its file, and of its entry if that has another. */
export function partName({ file, entry }: StoredPart): string {
  return entry === file ? nameOf(file) : `${nameOf(entry)} of ${nameOf(file)}`;
}

function nameOf(entry: string): string {
  return `"${escapeFileName(entry)}"`;
}
