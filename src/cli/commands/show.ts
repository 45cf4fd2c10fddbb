import { isCase, readLog, readPart } from '../../analysis/index.ts';
import { readRaw, type StoredLog } from '../../case/index.ts';
import { logFields, type TimeZone, utcZone } from '../../records/index.ts';
import type { CommandCall, RunCommand } from '../command-line/command.ts';
import { exitCodes, UsageError } from '../command-line/exit-code.ts';
import { openCases } from '../input/open-cases.ts';
import { type MemberLine, memberLines } from '../output/member-lines.ts';
import type { showSpec } from '../specs/analysis-specs.ts';
import { escapeUnsafeLines, toJson, wrapLines } from '../terminal/text.ts';
import { formatTime } from '../terminal/time-format.ts';

/** Shows one log whole. */
export const showCommand: RunCommand<typeof showSpec> = async ({ arguments: values, options, terminal }) => {
  await using opened = await openCases([values.case], terminal);
  const [from] = opened.cases;
  const stored = from && (await readLog(from, values.id));
  if (!stored) throw new UsageError(`The case "${values.case}" has no log with the id ${values.id}`);
  // A cluster has no originals.
  const raw = isCase(from) ? await readRaw(from, values.id) : undefined;
  const part = await readPart(from, stored.part);
  const shown: ShownLog = {
    ...stored,
    ...(part && { file: part.file }),
    ...(part?.fileSha256 !== undefined && { fileSha256: part.fileSha256 }),
    ...(raw !== undefined && { raw }),
  };
  await terminal.print(
    options.json ? `${toJson(shown, 2)}\n` : textOf(shown, options, terminal.stdout.width),
  );
  return exitCodes.done;
};

/** A log with its record and its evidence. */
interface ShownLog extends StoredLog {
  /** Name of the original file. */
  readonly file?: string;
  readonly fileSha256?: string;
  /** The record as it was written; absent if its original is gone. */
  readonly raw?: string;
}

function textOf(
  shown: ShownLog,
  { full, zone }: CommandCall<typeof showSpec>['options'],
  width: number | undefined,
): string {
  const { stackTraces } = shown.log;
  return [
    wrapLines(memberLines([['id', shown.id], ...fieldLines(shown, zone)]), width),
    section('Stack trace', stackTraces && (full ? stackTraces : foldStackTrace(stackTraces))),
    section('Record', shown.raw),
    section('Evidence', wrapLines(memberLines(evidenceLines(shown)), width)),
  ].join('');
}

function fieldLines({ log, extra }: ShownLog, zone: TimeZone): readonly MemberLine[] {
  const fields = logFields.filter((field) => field !== 'time' && field !== 'stackTraces');
  return [
    [
      'time',
      log.time === undefined ? undefined : `${formatTime(log.time, zone)}${zone === utcZone ? ' UTC' : ''}`,
    ],
    ...fields.map((field): MemberLine => [field, log[field] === undefined ? undefined : String(log[field])]),
    ['extra', extra && toJson(extra)],
  ];
}

function evidenceLines({ part, file, entry, position, fileSha256 }: ShownLog): readonly MemberLine[] {
  return [
    ['part', part],
    ['file', file],
    ['entry', entry],
    ['position', position],
    ['SHA-256', fileSha256],
  ];
}

function section(title: string, text: string | undefined): string {
  return text === undefined || text === '' ? '' : `\n${title}\n${escapeUnsafeLines(text.trimEnd())}\n`;
}

/** Frames shown before a run of frames is folded. */
const shownFrames = 3;

/** A line of a stack trace that names a frame. */
const frame = /^\s+at\s/;

/**
 * Folds a stack trace: of each run of frames only the first are shown, then a line such as
 * "… 12 more". Lines that are no frames, such as causes, all stay.
 */
export function foldStackTrace(text: string): string {
  const lines: string[] = [];
  let run = 0;
  const endRun = () => {
    if (shownFrames < run) lines.push(`    … ${run - shownFrames} more`);
    run = 0;
  };
  for (const line of text.split(/\r?\n/)) {
    if (!frame.test(line)) endRun();
    else if (shownFrames < ++run) continue;
    lines.push(line);
  }
  endRun();
  return lines.join('\n');
}
