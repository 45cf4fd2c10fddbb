import * as v from 'valibot';
import type { TextRow } from '../../database/index.ts';
import { readFileFacts } from '../contents/file-facts.ts';
import { readNoteAction } from '../contents/notes.ts';
import { type Action, type RecordedTable, recordedRows, recordedTableNames } from '../file/chain.ts';
import { programFormat } from '../file/parts.ts';
import { parseDetails, type RecordedPart, readAddedPart, readChangedPart } from './recorded-parts.ts';

/** What a case had when an action was its last one, and what was done to it later. */
export interface LaterActions {
  /** The hash of the action, and its number. */
  readonly hash: string;
  readonly number: number;
  /** Counts of the case at that time, according to its record. */
  readonly files: number;
  readonly parts: number;
  readonly logs: number;
  readonly unreadable: number;
  /** The later actions, by kind. */
  readonly later: readonly LaterKind[];
  /** Sentences: what later actions did to what was there, as they may. */
  readonly changes: readonly string[];
  /** Sentences: what later actions took away or changed although nothing may. */
  readonly problems: readonly string[];
}

/** Actions of one kind. */
export interface LaterKind {
  readonly action: string;
  readonly count: number;
  /** Numbers of the first and the last one. */
  readonly first: number;
  readonly last: number;
  /** Times of the first and the last one, by the clocks of their machines: milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
}

/** What may follow, for each kind of action. */
const kinds = {
  'create case': 'never',
  'redact case': 'never',
  'delete oldest logs': 'never',
  'add file': 'may add',
  'add window': 'may add',
  'add part': 'may add',
  'add logs': 'may add',
  'remove part': 'may replace',
  'trim part': 'may trim what is new',
  'remove unfinished part': 'may remove what is new',
  'note exports': 'may change',
  'note windows': 'may change',
  'note jobs': 'may change',
  'add note': 'may add',
  'change note': 'may change',
  'remove note': 'may change',
  'save search': 'may change',
  'remove search': 'may change',
  'index logs': 'may change',
  'remove index': 'may change',
} as const;

type ActionKind = keyof typeof kinds;

/** The kinds of actions that a case can have. The manual says of each what a seal promises. */
export const actionKinds = Object.keys(kinds) as readonly ActionKind[];

const isKind = (action: string): action is ActionKind => Object.hasOwn(kinds, action);

/** Replays a record of actions, and compares what there was at one of them with what there is at the end. */
export interface Replay {
  /** Takes the next action, before `parts` are changed by it. */
  readonly take: (action: Action, parts: ReadonlyMap<number, RecordedPart>) => void;
  /** Ends the replay; undefined if the action was not among those taken. */
  readonly end: (
    actions: readonly Action[],
    parts: ReadonlyMap<number, RecordedPart>,
  ) => LaterActions | undefined;
}

/** Starts a replay up to the action with a hash. */
export function startReplay(hash: string): Replay {
  let found: Action | undefined;
  let before: ReadonlyMap<number, RecordedPart> | undefined;
  const later: Action[] = [];
  const grouped = new Map<string, LaterKind>();
  /** The last later action on each part that was there before. */
  const onParts = new Map<number, Action>();
  const problems: string[] = [];
  return { take, end };

  function take(action: Action, parts: ReadonlyMap<number, RecordedPart>): void {
    if (!found) {
      if (action.hash === hash) found = action;
      return;
    }
    // Recorded parts are replaced, never changed: the copy stays as it is.
    before ??= new Map(parts);
    grouped.set(action.action, addToKind(grouped.get(action.action), action));
    problems.push(...problemsOf(action, { before, parts }));
    const { part } = onPart(action);
    if (part === undefined) later.push(action);
    else if (before.has(part)) onParts.set(part, action);
  }

  function end(
    actions: readonly Action[],
    parts: ReadonlyMap<number, RecordedPart>,
  ): LaterActions | undefined {
    if (!found) return undefined;
    const { number } = found;
    const was = before ?? parts;
    const earlier = actions.filter((action) => action.number <= number);
    const compared = [
      compareParts({ was, parts, onParts }),
      compareTables({ number, earlier, actions, parts, isNew: (part) => !was.has(part) }),
      compareNotes(earlier, later),
    ];
    return {
      hash,
      number,
      ...countAt(earlier, was),
      later: [...grouped.values()],
      changes: compared.flatMap(({ changes }) => changes),
      problems: [...problems, ...compared.flatMap((comparison) => comparison.problems)],
    };
  }
}

function addToKind(known: LaterKind | undefined, { action, number, done }: Action): LaterKind {
  if (!known) return { action, count: 1, first: number, last: number, from: done, to: done };
  const times = { from: Math.min(known.from, done), to: Math.max(known.to, done) };
  return { ...known, count: known.count + 1, last: number, ...times };
}

function countAt(earlier: readonly Action[], parts: ReadonlyMap<number, RecordedPart>) {
  const files = new Set<string>();
  for (const { action, details } of earlier) {
    const facts = fileActions.has(action) ? readFileFacts(parseDetails(details)) : undefined;
    if (facts) files.add(facts.sha256);
  }
  let [logs, unreadable] = [0, 0];
  for (const part of parts.values()) {
    logs += part.logs;
    unreadable += part.unreadable ?? 0;
    if (part.fileSha256 !== undefined) files.add(part.fileSha256);
  }
  return { files: files.size, parts: parts.size, logs, unreadable };
}

const fileActions: ReadonlySet<string> = new Set(['add file', 'add window']);

const aboutPart = v.object({ part: v.number() });

/** The part that an action is about; none for actions on nothing or on many. */
function onPart({ action, details }: Action): { readonly part?: number } {
  if (!partKinds.has(action)) return {};
  const { success, output } = v.safeParse(aboutPart, parseDetails(details));
  return success ? output : {};
}

const partKinds: ReadonlySet<string> = new Set([
  ...['add part', 'add logs', 'trim part', 'remove part', 'remove unfinished part'],
]);

/** Parts at the replayed action, and before the current one. */
interface PartsThen {
  readonly before: ReadonlyMap<number, RecordedPart>;
  readonly parts: ReadonlyMap<number, RecordedPart>;
}

/** What is wrong with a later action by itself. */
function problemsOf(action: Action, then: PartsThen): readonly string[] {
  const name = nameOf(action);
  if (!isKind(action.action)) return [`${name} is of a kind that this version does not know`];
  if (kinds[action.action] === 'never') return [`${name} never follows another action`];
  const details = parseDetails(action.details);
  const isReadable = v.safeParse(detailsOf[action.action] ?? v.unknown(), details).success;
  if (!isReadable) return [`${name} has details that cannot be read, so what it did is not known`];
  if (action.action === 'add part') return addedPartProblems(name, readAddedPart(details), then);
  const added = action.action === 'add logs' ? readChangedPart(details) : undefined;
  if (added && (added.logs < 0 || added.sha256 === undefined))
    return [`${name} does not say which logs it added`];
  return [];
}

function addedPartProblems(
  name: string,
  added: RecordedPart | undefined,
  { before, parts }: PartsThen,
): readonly string[] {
  if (!added) return [];
  const { part, firstId } = added;
  // A number of a part that was there is reported with that part.
  if (parts.has(part) && !before.has(part)) return [`${name} records part ${part} a second time`];
  if (firstId === undefined || added.logs === 0) return [];
  const [last, of] = lastId(before);
  return firstId <= last ? [`${name} gives its logs ids from ${firstId} on, and part ${of} has ${last}`] : [];
}

/** The highest id of the parts of files, and its part. */
function lastId(parts: ReadonlyMap<number, RecordedPart>): readonly [id: number, part: number] {
  let last: readonly [number, number] = [0, 0];
  for (const { part, firstId, logs, leftOut } of parts.values()) {
    // The ids of logs that were trimmed are not used again.
    const end = firstId === undefined ? 0 : firstId + logs + leftOut - 1;
    if (last[0] < end && 0 < logs) last = [end, part];
  }
  return last;
}

const rows = v.object({
  rows: v.optional(v.array(v.record(v.string(), v.nullable(v.string())))),
  removed: v.optional(v.array(v.string())),
});

const fileFacts = v.custom<unknown>((details) => readFileFacts(details) !== undefined);

const detailsOf: Partial<Record<ActionKind, v.GenericSchema>> = {
  'add file': fileFacts,
  'add window': fileFacts,
  'add part': v.custom<unknown>((details) => readAddedPart(details) !== undefined),
  'add logs': v.custom<unknown>((details) => readChangedPart(details) !== undefined),
  'trim part': v.custom<unknown>((details) => readChangedPart(details) !== undefined),
  'remove part': aboutPart,
  'remove unfinished part': aboutPart,
  'note exports': rows,
  'note windows': rows,
  'note jobs': rows,
};

/** Result of comparing one kind of contents. */
interface Compared {
  readonly changes: readonly string[];
  readonly problems: readonly string[];
}

interface PartsCompared {
  readonly was: ReadonlyMap<number, RecordedPart>;
  readonly parts: ReadonlyMap<number, RecordedPart>;
  readonly onParts: ReadonlyMap<number, Action>;
}

function compareParts({ was, parts, onParts }: PartsCompared): Compared {
  const changes: string[] = [];
  const problems: string[] = [];
  for (const [number, action] of onParts) {
    const part = was.get(number);
    if (!part) continue;
    const now = parts.get(number);
    const name = `Part ${number} ("${part.entry ?? part.file}", ${part.logs} logs)`;
    if (now && now !== part && isAppended(part, now))
      changes.push(`${name} has ${now.logs - part.logs} more logs since ${nameOf(action)}`);
    else if (!now && isReplaced(part, parts))
      changes.push(`${name} could not be read then, and was read again since ${nameOf(action)}`);
    else problems.push(`${name} was there before, and ${nameOf(action)} ${deedOf(action)} it`);
  }
  return { changes, problems };
}

function deedOf({ action }: Action): string {
  if (action === 'trim part') return 'deleted logs of';
  return action === 'remove part' || action === 'remove unfinished part' ? 'removed' : 'changed';
}

/** Logs of programs are appended to their part. */
function isAppended(was: RecordedPart, now: RecordedPart): boolean {
  const digests = was.digests ?? [];
  const { logs: _, digests: all = [], ...others } = now;
  const { logs: __, digests: ___, ...same } = was;
  return (
    was.format === programFormat &&
    was.logs <= now.logs &&
    isSame(all.slice(0, digests.length), digests) &&
    isSame(others, same)
  );
}

/** A part that could not be read is replaced once it can be. Nothing else was known of it. */
function isReplaced(was: RecordedPart, parts: ReadonlyMap<number, RecordedPart>): boolean {
  if (was.problem === undefined || 0 < was.logs) return false;
  const { part, fileSha256, entryNumber } = was;
  return [...parts.values()].some(
    (other) => part < other.part && other.fileSha256 === fileSha256 && other.entryNumber === entryNumber,
  );
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

interface TablesCompared {
  /** Number of the action, and the actions up to it that are about no part. */
  readonly number: number;
  readonly earlier: readonly Action[];
  readonly actions: readonly Action[];
  readonly parts: ReadonlyMap<number, RecordedPart>;
  readonly isNew: (part: number) => boolean;
}

/** Compares exports, jobs and windows. */
function compareTables(compared: TablesCompared): Compared {
  const { earlier, actions } = compared;
  const changes: string[] = [];
  const problems: string[] = [];
  for (const table of recordedTableNames) {
    const was = recordedRows(earlier, table);
    const now = recordedRows(actions, table);
    if (table === 'windows') {
      const proofs = loadedZips(compared);
      const windows = compareWindows({ was, now, proofs });
      changes.push(...windows.changes);
      problems.push(...windows.problems);
      continue;
    }
    for (const [key, row] of was) {
      const name = `The ${table === 'exports' ? 'export' : 'job'} ${key}`;
      const there = now.get(key);
      if (!there) problems.push(`${name} was there before, and is removed`);
      else
        for (const [column, text] of unequalFacts(table, row, there))
          problems.push(`${name} had another value of "${column}" before: ${text ?? 'nothing'}`);
      if (table !== 'exports' || !there) continue;
      if (isPending(row) && !isPending(there)) changes.push(`${name} had not ended then, and has since`);
      const [before, after] = [doubtsIn(row), doubtsIn(there)];
      if (before === after) continue;
      if (after === undefined && loadedZips(compared).size === 0)
        problems.push(
          `${name} was doubted before, and is not any more, though no later zip proves it: ${before}`,
        );
      else if (before !== undefined) changes.push(`${name} was doubted otherwise before: ${before}`);
    }
  }
  return { changes, problems };
}

/** Returns whether a run of an export had not ended, so that nothing proved what was loaded. */
function isPending({ learnt }: TextRow): boolean {
  const { success, output } = v.safeParse(texts, learnt);
  return success && output.pending === 'yes';
}

/** What an export said of what nothing proves, as JSON; undefined if nothing. */
function doubtsIn({ learnt }: TextRow): string | undefined {
  const { success, output } = v.safeParse(texts, learnt);
  const doubts = success ? output.doubts : (learnt ?? undefined);
  return doubts === '[]' ? undefined : doubts;
}

/** Columns that a later export may change: its settings, what was learnt, and states of jobs. */
const changingColumns = {
  exports: ['learnt', 'settings', 'request', 'newest'],
  jobs: ['state', 'zip_url', 'updated', 'reason'],
} as const;

/** The columns that no later run of an export changes, and that differ. */
function unequalFacts(table: Exclude<RecordedTable, 'windows'>, was: TextRow, now: TextRow) {
  const changing: readonly string[] = changingColumns[table];
  const facts = (row: TextRow): TextRow =>
    table === 'jobs' ? row : { ...row, ...orderFacts(row, was.newest ?? '') };
  const [before, after] = [facts(was), facts(now)];
  return Object.entries(before).filter(
    ([column, text]) => !changing.includes(column) && text !== (after[column] ?? null),
  );
}

const texts = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.string()));

/** Settings that do not select logs. */
const waysOnly = new Set(['num', 'windowBy', 'timeField', 'zone']);

/** What an export asks for. Its coverage may end earlier later, never later. */
function orderFacts({ request, settings, newest }: TextRow, end: string): TextRow {
  const stable = (text: string | null | undefined) => {
    const { success, output } = v.safeParse(texts, text);
    if (!success) return text ?? null;
    const selecting = Object.entries(output).filter(([name]) => !waysOnly.has(name));
    return JSON.stringify(selecting.sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  const until = (newest ?? '') <= end ? end : (newest ?? '');
  return { 'filters of the request': stable(request), 'choice of the logs': stable(settings), end: until };
}

/** Zips of windows that were loaded later, as "job sha256". Each has parts of its own. */
function loadedZips({ number, actions, parts, isNew }: TablesCompared): ReadonlySet<string> {
  const loaded = new Set<string>();
  for (const { part, job, fileSha256 } of parts.values()) if (isNew(part)) loaded.add(`${job} ${fileSha256}`);
  const zips = new Set<string>();
  for (const { action, number: own, details } of actions) {
    if (action !== 'add window' || own <= number) continue;
    const facts = readFileFacts(parseDetails(details));
    const key = `${facts?.job} ${facts?.sha256}`;
    if (loaded.has(key)) zips.add(key);
  }
  return zips;
}

interface WindowsCompared {
  readonly was: ReadonlyMap<string, TextRow>;
  readonly now: ReadonlyMap<string, TextRow>;
  readonly proofs: ReadonlySet<string>;
}

const isComplete = ({ state, missing }: TextRow) => state === 'loaded' && Number(missing ?? 0) === 0;

/**
 * A window that was complete stays as it is. One that was not may be loaded by a later zip, and its times stay
 * those of some window. A window that is complete later has a zip that was added later.
 */
function compareWindows({ was, now, proofs }: WindowsCompared): Compared {
  const changes: string[] = [];
  const problems: string[] = [];
  for (const [key, window] of now) {
    const before = was.get(key);
    if (!isComplete(window) || (before && isSameWindow(before, window))) continue;
    // Its change is reported below.
    if (before && isComplete(before)) continue;
    if (!proofs.has(`${window.job} ${window.sha256}`))
      problems.push(`${windowName(key, window)} claims to be complete later, and no later zip proves it`);
  }
  for (const [key, window] of was) {
    const there = now.get(key);
    if (there && isSameWindow(window, there)) continue;
    const name = windowName(key, window);
    if (window.state === 'split') {
      if (!there || there.state === 'split') continue;
      problems.push(`${name} was divided into others before, and is no longer`);
    } else if (isComplete(window)) problems.push(`${name} was complete before, and was changed`);
    else if (!isStillNamed(window, now))
      problems.push(`${name} was incomplete before, and no window has all its times now`);
    else if (!there || isComplete(there)) changes.push(`${name} was incomplete before, and is loaded since`);
  }
  return { changes, problems };
}

function windowName(key: string, { export: number, oldest, newest }: TextRow): string {
  return `Window ${key} of export ${number} (${oldest} to ${newest})`;
}

const isSameWindow = (a: TextRow, b: TextRow) =>
  Object.keys({ ...a, ...b }).every((column) => (a[column] ?? null) === (b[column] ?? null));

/** Reports if windows of its export that are still there cover the times of a window without a gap. */
function isStillNamed(window: TextRow, now: ReadonlyMap<string, TextRow>): boolean {
  const { oldest, newest } = window;
  if (!oldest || !newest) return false;
  let from = Date.parse(`${oldest}Z`);
  const end = Date.parse(`${newest}Z`);
  const others = [...now.values()]
    .filter((other) => other.export === window.export && other.state !== 'split')
    .map((other) => ({ oldest: Date.parse(`${other.oldest}Z`), newest: Date.parse(`${other.newest}Z`) }))
    .sort((a, b) => a.oldest - b.oldest);
  for (const other of others) if (other.oldest <= from && from <= other.newest) from = other.newest + 1;
  return end < from;
}

/** Notes and searches are changed by actions that keep the earlier texts. A number is never given twice. */
function compareNotes(earlier: readonly Action[], later: readonly Action[]): Compared {
  const numbers = new Set(earlier.flatMap((action) => readNoteAction(action)?.details.note ?? []));
  const known = new Set(numbers);
  const changes: string[] = [];
  const problems: string[] = [];
  for (const action of later) {
    const note = readNoteAction(action);
    if (note?.action === 'add note') {
      if (known.has(note.details.note))
        problems.push(
          `${nameOf(action)} takes the number of note ${note.details.note}, which was there before`,
        );
      known.add(note.details.note);
    } else if (note && numbers.has(note.details.note))
      changes.push(
        `Note ${note.details.note} was ${note.action === 'change note' ? 'changed' : 'removed'} by ${note.details.author} (${nameOf(action)}); the record has its earlier text`,
      );
    else if (!note && action.action.endsWith(' note')) problems.push(`${nameOf(action)} cannot be read`);
  }
  return { changes, problems };
}

function nameOf({ action, number }: Action): string {
  return `action ${number} ("${action}")`;
}
