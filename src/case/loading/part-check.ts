import { ownLevels, plausibleTimes, replacementCharacter, textFields } from '../../records/index.ts';
import type { RemarkCount } from '../file/parts.ts';
import { logBatchColumns, type RecordBatch, textAt } from '../rows/batches.ts';

/** Looks at the logs of a part as a whole: what all of them lack, or have in a way that no log has. */
interface PartCheck {
  readonly add: (batch: RecordBatch) => void;
  readonly remarks: () => readonly RemarkCount[];
}

/** What is known of the file of a part. */
interface PartFacts {
  /** Time of the last change of the file, after which no log was written: milliseconds since the epoch. */
  readonly modified?: number | undefined;
  /** An export job produced the file: a query may have selected one message or one time. */
  readonly isExport?: boolean | undefined;
}

/** A log may be this much later than its file: clocks differ, and zones that nobody names. Milliseconds. */
const tolerance = 24 * 60 * 60 * 1000;

/** Minimum number of logs that do not have one value by chance. */
const minEqual = 20;

/** Fields of which all logs may have one value, but not one that stands for none, or a level that nobody knows. */
const namedFields = ['logLevel', 'source', 'username'] as const;

/** What tools write where they know no value: the rest of a table was read, and this column tells nothing. */
const placeholder =
  /^([-?*.]+|[([<]?(null|nil|none|n\/?a|nan|unknown|undefined|not set|empty)[)\]>]?|stdout|stderr)$/i;

/** Length of an equal message that is shown, in UTF-16 units. */
const shownMessage = 80;

/** Minimum number of logs that say something about all: one log without a level says nothing. */
const minLogs = 8;

/** Names of members that may be the field which all logs lack. */
const similarNames: readonly { readonly field: CheckedField; readonly pattern: RegExp }[] = [
  { field: 'msg', pattern: /mess|text|descr|summary|event$|request$|body|detail|info$/i },
  { field: 'logLevel', pattern: /sever|level|prio|^type$|status$|kind/i },
  { field: 'time', pattern: /time|date|stamp|when|^ts$/i },
];

type CheckedField = 'msg' | 'logLevel' | 'time';

/** A text field whose values are compared over all logs. */
type EqualField = 'msg' | (typeof namedFields)[number];

const [numberWidth, textWidth] = [logBatchColumns.numbers.length, logBatchColumns.texts.length];
const timeColumn = logBatchColumns.numbers.findIndex(({ name }) => name === 'time');
const columnOf = (field: (typeof textFields)[number]) => 1 + textFields.indexOf(field);
const knownLevels: ReadonlySet<string> = new Set(ownLevels);
const isKnownLevel = (text: string) => knownLevels.has(text);

const [messageColumn, levelColumn, userColumn] = [
  columnOf('msg'),
  columnOf('logLevel'),
  columnOf('username'),
];

/** Creates a check of one part. */
export function partCheck({ modified = Number.NaN, isExport = false }: PartFacts = {}): PartCheck {
  // Programs that do not know the time of a file write one before 1990.
  const latest =
    plausibleTimes.first < modified
      ? Math.min(modified + tolerance, plausibleTimes.last)
      : plausibleTimes.last;
  const found = { msg: 0, logLevel: 0, time: 0 };
  const ends = new Map<'logLevel' | 'username', number>();
  const names = new Set<string>();
  let logs = 0;
  let implausible = 0;
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  /** The value of all logs so far; undefined before the first, null if two differ. */
  let oneTime: number | null | undefined = isExport ? null : undefined;
  const oneText = new Map<EqualField, string | null>();
  if (isExport) for (const field of ['msg', ...namedFields] as const) oneText.set(field, null);
  return { add, remarks };

  function add({ logs: batch }: RecordBatch): void {
    const { rows, numbers, codes, texts } = batch;
    if (logs < minLogs) lookAtNames(batch);
    logs += rows;
    /** Whether the text of a code ends badly, for the few levels and users of a batch. */
    const isBad = new Map<number, boolean>();
    const endsBadly = (code: number) => {
      const known = isBad.get(code);
      if (known !== undefined) return known;
      const bad = /[\x00-\x20\x7f]$/.test(textAt(texts, code)?.replaceAll(replacementCharacter, '') ?? '');
      isBad.set(code, bad);
      return bad;
    };
    for (const field of ['msg', ...namedFields] as const) compareTexts(field, batch);
    for (let row = 0; row < rows; row++) {
      const time = numbers[row * numberWidth + timeColumn] ?? Number.NaN;
      if (oneTime !== null && time !== oneTime) oneTime = oneTime === undefined ? time : null;
      if (!Number.isNaN(time)) {
        found.time++;
        if (time < plausibleTimes.first || latest < time) {
          implausible++;
          if (time < first) first = time;
          if (last < time) last = time;
        }
      }
      const at = row * textWidth;
      if (codes[at + messageColumn] !== 0) found.msg++;
      const level = codes[at + levelColumn] ?? 0;
      if (level !== 0) {
        found.logLevel++;
        if (endsBadly(level)) ends.set('logLevel', (ends.get('logLevel') ?? 0) + 1);
      }
      const user = codes[at + userColumn] ?? 0;
      if (user !== 0 && endsBadly(user)) ends.set('username', (ends.get('username') ?? 0) + 1);
    }
  }

  function compareTexts(field: EqualField, { rows, codes, texts }: RecordBatch['logs']): void {
    const column = columnOf(field);
    let one = oneText.get(field);
    let known = 0;
    for (let row = 0; row < rows && one !== null; row++) {
      const code = codes[row * textWidth + column] ?? 0;
      if (code !== 0 && code === known) continue;
      const text = textAt(texts, code);
      if (text === null || (one !== undefined && text !== one)) one = null;
      else [one, known] = [text, code];
    }
    if (one !== undefined) oneText.set(field, one);
  }

  function lookAtNames({ rows, codes, texts }: RecordBatch['logs']): void {
    for (let row = 0; row < Math.min(rows, minLogs); row++) {
      const extra = textAt(texts, codes[row * textWidth] ?? 0);
      for (const name of extra === null ? [] : Object.keys(JSON.parse(extra))) names.add(name);
    }
  }

  function equalValues(): readonly RemarkCount[] {
    if (logs < minEqual) return [];
    const texts = [...oneText].flatMap(([field, text]): RemarkCount[] => {
      const about = text?.slice(0, shownMessage).toWellFormed();
      return about && isOdd(field, about) ? [{ code: 'ONE_VALUE', field, count: logs, about }] : [];
    });
    return [
      ...(typeof oneTime === 'number' && !Number.isNaN(oneTime)
        ? [{ code: 'ONE_VALUE', field: 'time', count: logs, about: shown(oneTime) } as const]
        : []),
      ...texts,
    ];
  }

  function remarks(): readonly RemarkCount[] {
    const missing = similarNames.filter(({ field }) => minLogs <= logs && found[field] === 0);
    return [
      ...missing.map(({ field, pattern }): RemarkCount => {
        const similar = [...names].filter((name) => pattern.test(name)).slice(0, 3);
        return similar.length === 0
          ? { code: 'NO_VALUE', field, count: logs }
          : { code: 'NO_VALUE', field, count: logs, about: similar.join('", "') };
      }),
      ...equalValues(),
      ...[...ends].map(([field, count]): RemarkCount => ({ code: 'CONTROL_END', field, count })),
      ...(implausible === 0
        ? []
        : [
            {
              ...({ code: 'IMPLAUSIBLE_TIME', field: 'time', count: implausible } as const),
              about: `${shown(first)} to ${shown(last)}`,
            },
          ]),
    ];
  }
}

/** Reports if no value of a field is one that all logs of a file have. */
function isOdd(field: EqualField, text: string): boolean {
  if (field === 'msg') return true;
  return placeholder.test(text.trim()) || (field === 'logLevel' && !isKnownLevel(text));
}

function shown(time: number): string {
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ');
}
