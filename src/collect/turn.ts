import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { addedLogs, buildIndex, type Case } from '../case/index.ts';
import { type Client, ClientError, type Clock, deploymentTime, readLogSettings } from '../client/index.ts';
import {
  type CoveredInterval,
  type ExportOrder,
  exportWindows,
  openStart,
  readCoverageOfOrder,
  resumeWindows,
  retryGaps,
  subtractWindows,
  type Window,
  type WindowsProgress,
  type WindowsResult,
} from '../export/index.ts';
import { deploymentLogLevels, newestLogsRequest } from '../protocol/index.ts';
import type { CollectConfiguration, SourceConfiguration } from './configuration.ts';
import { day, type Period, periodAt } from './periods.ts';
import { coveredUntil, findMissing, overlapOf, type Piece, planPieces } from './plan.ts';
import {
  type CaseFacts,
  caseName,
  checkRoom,
  deleteCase,
  factsOf,
  isSealed,
  listCases,
  nextSealPath,
  openWaiting,
  periodOfCase,
  readFacts,
  type SourceMemory,
  withFile,
  writeMemory,
} from './store.ts';

/** What a collector needs of the program around it. */
export interface CollectTools {
  /** Opens a way to the deployment of a source: secrets are read anew each time. */
  readonly openClient: (source: SourceConfiguration) => Promise<Client>;
  /** Checks a case and writes its seal to a path; resolves to false, having said why, if the case differs from its record. */
  readonly sealCase: (path: string, seal: string) => Promise<boolean>;
  /** Tells a person. */
  readonly report: (line: string) => void;
  readonly clock: Clock;
  /** Ends what is under way: an export is resumed by the next turn. */
  readonly signal?: AbortSignal | undefined;
}

/** A source, its configuration and what is known of it. */
export interface CollectedSource {
  readonly source: SourceConfiguration;
  readonly configuration: Pick<CollectConfiguration, 'store' | 'retention' | 'minimumFree'>;
  readonly tools: CollectTools;
  memory: SourceMemory;
}

/** What a turn knows of the deployment. Times are milliseconds since the epoch. */
interface Moment {
  readonly client: Client;
  /** An order without times. */
  readonly order: ExportOrder;
  /** The earliest present of all clocks. */
  readonly present: number;
  /** The oldest time that the deployment keeps; undefined where it does not say. */
  readonly horizon: number | undefined;
  readonly begin: number;
  readonly end: number;
}

/** What is kept of logs where a deployment does not say, in days. */
const usualDays = 60;

/**
 * Runs one turn of a source: asks for the newest logs, again for an overlap and for gaps, then for older times until
 * `until` by the clock, at least for one piece of them. Seals cases that are over and deletes what the retention of
 * the store allows. Resolves to whether older times are left. Rejects with a `ClientError`, an `ExportError`, a
 * `StoreError` or a `CollectError`; the memory then says so, and the next turn goes on.
 */
export async function runTurn(collected: CollectedSource, until: number): Promise<boolean> {
  const { tools, configuration, source } = collected;
  remember(collected, { lastTurn: tools.clock.now() });
  try {
    await using client = await tools.openClient(source);
    const isLeft = await turnWith(collected, client, until);
    remember(collected, { lastSuccess: tools.clock.now() });
    const { turns } = collected.memory.counts;
    remember(collected, { counts: { ...collected.memory.counts, turns: turns + 1 } });
    return isLeft;
  } catch (error) {
    if (!tools.signal?.aborted) noteFailure(collected, error);
    throw error;
  } finally {
    await writeMemory(configuration.store, source.name, collected.memory);
  }
}

function remember(collected: CollectedSource, changes: Partial<SourceMemory>): void {
  collected.memory = { ...collected.memory, ...changes };
}

function noteFailure(collected: CollectedSource, error: unknown): void {
  const { memory, tools } = collected;
  const code = codeOf(error) ?? 'BUG';
  const message = error instanceof Error ? error.message : String(error);
  remember(collected, {
    lastFailure: { code, message, at: tools.clock.now() },
    failures: { ...memory.failures, [code]: (memory.failures[code] ?? 0) + 1 },
  });
}

/** The stable code of a failure of the world; undefined for a bug. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

async function turnWith(collected: CollectedSource, client: Client, until: number): Promise<boolean> {
  const { source, tools } = collected;
  const { signal, clock } = tools;
  await signInUnlessAborted(client, signal);
  const moment = await beginTurn(collected, client);
  const before = collected.memory.counts;
  const isNightly = isNightlyDue(collected.memory, moment.present);
  const late = Math.max(0, ...collected.memory.cases.map((facts) => facts.late));
  const overlap = overlapOf({ overlap: source.overlap, late, isNightly });
  const fresh = planPieces(standingOf(collected, moment), { overlap, period: source.period }).fresh;
  for (const [period, pieces] of byPeriod(fresh)) await workOn(collected, moment, period, pieces);
  if (isNightly) remember(collected, { nightly: moment.present });
  for (const period of periodsWithGaps(collected, moment, new Set(fresh.map((piece) => piece.period.name))))
    await workOn(collected, moment, period, []);
  let backfill = backfillOf(collected, moment);
  for (let isFirst = true; backfill[0] && (isFirst || clock.now() < until); isFirst = false) {
    signal?.throwIfAborted();
    const [piece] = backfill;
    tools.report(`${source.name}: asks for older logs, ${rangeText(piece.window)}`);
    await workOn(collected, moment, piece.period, [piece]);
    backfill = backfillOf(collected, moment);
  }
  nameLost(collected, moment);
  await sealPast(collected, moment, Math.max(day, overlap));
  await deleteOld(collected, moment);
  reportTurn(collected, before);
  return 0 < backfill.length;
}

/** Signs in. An abort ends the wait, though not the call. */
async function signInUnlessAborted(client: Client, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return await client.signIn();
  signal.throwIfAborted();
  const over = new AbortController();
  const aborted = once(signal, 'abort', { signal: over.signal }).then(() => signal.throwIfAborted());
  try {
    await Promise.race([client.signIn(), aborted]);
  } finally {
    over.abort();
    await aborted.catch(() => undefined);
  }
}

function reportTurn({ memory, tools, source }: CollectedSource, before: SourceMemory['counts']): void {
  const logs = memory.counts.logs - before.logs;
  const late = memory.counts.late - before.late;
  const newest = coveredUntil(coveredOf(memory.cases));
  const lateText = late === 0 ? '' : `, ${late} of them late`;
  const end = newest === undefined ? 'nothing is covered yet' : `covered to ${timeText(newest)}`;
  tools.report(`${source.name}: ${logs} logs${lateText}; ${end}`);
}

/** Reads the clocks, the settings and the cases. */
async function beginTurn(collected: CollectedSource, client: Client): Promise<Moment> {
  const { source, configuration, tools } = collected;
  const { now } = await deploymentTime(client, { signal: tools.signal });
  await compareSettings(collected, client);
  const present = client.earliestNow();
  const order = orderOf(source, client, now);
  await readCases(collected, order);
  const { memory } = collected;
  const days = memory.settings?.retentionDays;
  const horizon = days === undefined ? undefined : present - days * day;
  const kept = horizon ?? present - usualDays * day;
  const first = source.backfill === undefined ? kept : Math.max(kept, present - source.backfill);
  const had = memory.cases.flatMap(({ covered }) => covered.map(({ oldest }) => oldest));
  const { age } = configuration.retention;
  const begin = Math.max(
    kept,
    Math.min(first, ...had),
    age === undefined ? 0 : periodAt(present - age, source.period).oldest,
    (memory.deletedUntil ?? -1) + 1,
  );
  const end = Math.floor((present - source.settle) / 1000) * 1000 - 1;
  remember(collected, { horizon, begin, end });
  return { client, order, present, horizon, begin, end };
}

function orderOf({ filters, cap }: SourceConfiguration, client: Client, now: number): ExportOrder {
  const { search, level, codes, users, source } = filters;
  return {
    deployment: client.addresses.root,
    request: {
      ...newestLogsRequest,
      num: cap,
      ...(search !== undefined && { searchQuery: search }),
      ...(level !== undefined && { logLevel: level }),
      ...(codes !== undefined && { logCodes: codes }),
      ...(users !== undefined && { users }),
      ...(source !== undefined && { source }),
    },
    via: 'search',
    windowBy: 'auto',
    timeField: 'time',
    oldest: openStart,
    newest: now,
    given: now,
  };
}

/** Refusals of the settings that leave the logs themselves to be had. */
const withoutSettings: ReadonlySet<string> = new Set(['FORBIDDEN', 'REFUSED', 'BAD_REPLY']);

/** Reads the level and the retention of the deployment, and names what is lower than it was. */
async function compareSettings(collected: CollectedSource, client: Client): Promise<void> {
  const { tools, source, memory } = collected;
  try {
    const { logLevel, maxLogAgeDays } = await readLogSettings(client, { signal: tools.signal });
    const known = memory.settings;
    const changes = [
      ...(isLessLogged(known?.level, logLevel)
        ? [{ what: 'level' as const, from: known?.level ?? '', to: logLevel }]
        : []),
      ...(maxLogAgeDays !== undefined && maxLogAgeDays < (known?.retentionDays ?? 0)
        ? [{ what: 'retention' as const, from: `${known?.retentionDays} d`, to: `${maxLogAgeDays} d` }]
        : []),
    ];
    for (const { what, from, to } of changes)
      tools.report(`${source.name}: WARNING: the ${what} of the deployment is ${to}, and was ${from}`);
    const at = tools.clock.now();
    const lowered = [...memory.lowered, ...changes.map((change) => ({ ...change, at }))].filter(
      ({ what, from }) =>
        what === 'level'
          ? isLessLogged(from, logLevel)
          : maxLogAgeDays !== undefined && maxLogAgeDays < Number.parseInt(from, 10),
    );
    remember(collected, { settings: { level: logLevel, retentionDays: maxLogAgeDays }, lowered });
  } catch (error) {
    if (!(error instanceof ClientError && withoutSettings.has(error.code))) throw error;
    if (memory.settings !== undefined && memory.counts.turns > 0) return;
    tools.report(
      `${source.name}: the retention of the deployment cannot be read (${error.message}): ${usualDays} days are assumed`,
    );
  }
}

/** Returns whether a level writes fewer logs than another one. */
function isLessLogged(before: string | undefined, now: string): boolean {
  const levels: readonly string[] = deploymentLogLevels;
  const place = (level: string) => levels.indexOf(level.toUpperCase());
  return before !== undefined && place(now) !== -1 && place(now) < place(before);
}

/** Reads what the cases of a source have, as far as they changed since. */
async function readCases(collected: CollectedSource, order: ExportOrder): Promise<void> {
  const { source, configuration, tools, memory } = collected;
  const cases: CaseFacts[] = [];
  for (const name of await listCases(configuration.store, source.name)) {
    const known = memory.cases.find((facts) => facts.name === name);
    cases.push(await readFacts(join(configuration.store, name), { order, known, clock: tools.clock }));
  }
  remember(collected, { cases });
}

/** The intervals of all cases. */
export function coveredOf(cases: readonly CaseFacts[]): readonly CoveredInterval[] {
  return cases.flatMap(({ covered }) => covered);
}

function standingOf({ memory }: CollectedSource, { begin, end }: Moment) {
  return { covered: coveredOf(memory.cases), begin, end };
}

function backfillOf(collected: CollectedSource, moment: Moment): readonly Piece[] {
  const { period } = collected.source;
  return planPieces(standingOf(collected, moment), { overlap: 0, period }).backfill;
}

/** A day is asked for again once a day, and not before there is one. */
function isNightlyDue({ nightly, cases }: SourceMemory, present: number): boolean {
  const oldest = Math.min(...coveredOf(cases).map((interval) => interval.oldest));
  return (nightly ?? oldest) + day <= present;
}

function byPeriod(pieces: readonly Piece[]): readonly (readonly [Period, readonly Piece[]])[] {
  const periods = new Map(pieces.map(({ period }) => [period.name, period]));
  return [...periods.values()].map((period) => [
    period,
    pieces.filter((piece) => piece.period.name === period.name),
  ]);
}

/** The times of a case that were asked for, are not complete, and may still be had. */
function gapsOf({ covered, deleted }: CaseFacts, horizon: number | undefined): readonly Window[] {
  return covered
    .filter(({ state, newest }) => state !== 'complete' && (horizon ?? 0) <= newest)
    .flatMap((interval) => subtractWindows(interval, deleted));
}

/** The periods whose cases have gaps, the oldest first, without those of some names. */
function periodsWithGaps(
  { memory, source }: CollectedSource,
  { horizon }: Moment,
  without: ReadonlySet<string>,
): readonly Period[] {
  return memory.cases
    .filter((facts) => 0 < gapsOf(facts, horizon).length)
    .flatMap(({ name }) => periodOfCase(source.name, name) ?? [])
    .filter(({ name }) => !without.has(name))
    .sort((a, b) => a.oldest - b.oldest);
}

/** Asks for pieces of a period, and once more for what its case lacks. */
async function workOn(
  collected: CollectedSource,
  moment: Moment,
  period: Period,
  pieces: readonly Piece[],
): Promise<void> {
  const { source, configuration, tools } = collected;
  tools.signal?.throwIfAborted();
  await checkRoom(configuration.store, configuration.minimumFree);
  const name = caseName(source.name, period);
  const path = join(configuration.store, name);
  const wasSealed = existsSync(path) && (await isSealed(path));
  const counts = { logs: 0, late: 0, calls: 0 };
  let facts: CaseFacts | undefined;
  try {
    await using into = await openWaiting(path, 'write', tools.clock);
    try {
      for (const result of requestsOf(collected, moment, { into, period, pieces })) {
        const { added, calls, late } = await result();
        counts.logs += added;
        counts.calls += calls;
        counts.late += late;
      }
    } finally {
      facts = await factsOf(into, moment.order);
    }
  } finally {
    if (facts) {
      const others = collected.memory.cases.filter((other) => other.name !== name);
      remember(collected, { cases: [...others, await withFile(path, facts)] });
    }
    remember(collected, { counts: addCounts(collected.memory.counts, counts) });
  }
  if (wasSealed && 0 < counts.logs)
    tools.report(
      `${source.name}: ${counts.logs} logs came late for the sealed case "${name}": it was opened again, its seal is of what it had before`,
    );
}

function addCounts(
  counts: SourceMemory['counts'],
  more: { readonly logs: number; readonly late: number; readonly calls: number },
): SourceMemory['counts'] {
  return {
    ...counts,
    logs: counts.logs + more.logs,
    late: counts.late + more.late,
    calls: counts.calls + more.calls,
  };
}

interface Done {
  readonly added: number;
  readonly calls: number;
  readonly late: number;
}

interface Work {
  readonly into: Case;
  readonly period: Period;
  readonly pieces: readonly Piece[];
}

/** The exports of one case, in order; each begins when it is called. */
function requestsOf(
  { tools, source, memory }: CollectedSource,
  { client, order, horizon, end }: Moment,
  { into, period, pieces }: Work,
): readonly (() => Promise<Done>)[] {
  const known = memory.cases.find(({ name }) => name === caseName(source.name, period));
  const report = (message: string) => tools.report(`${source.name}: ${message}`);
  const onProgress = (progress: WindowsProgress) => {
    if (progress.event === 'trouble') report(progress.message);
  };
  const run = { client, into, signal: tools.signal, onProgress };
  const changed = { requestSettings: { num: source.cap } };
  const again = (result: Promise<WindowsResult>) =>
    result.then(({ added, calls }) => ({ added, calls, late: 0 }));
  const ask = async ({ window, repeat }: Pick<Piece, 'window' | 'repeat'>): Promise<Done> => {
    const before = await readCoverageOfOrder(into, order);
    const timed = { ...order, ...window, from: window.oldest, to: window.newest };
    const result = await exportWindows({ ...run, order: timed, repeat });
    const within = before.covered.flatMap(({ state, oldest, newest }) =>
      state === 'complete' ? { oldest, newest } : [],
    );
    const late = await addedLogs(into, { export: result.export, within });
    return { added: result.added, calls: result.calls, late: late?.logs ?? 0 };
  };
  const asked = pieces.map((piece) => () => ask(piece));
  if (!known || gapsOf(known, horizon).length === 0) return asked;
  // What is deleted by now would come as nothing and look complete: only what the deployment still has is asked for.
  if (period.oldest < (horizon ?? period.oldest)) {
    const left = { oldest: horizon ?? period.oldest, newest: Math.min(end, period.newest) };
    return [...subtractWindows(left, known.deleted).map((window) => () => ask({ window })), ...asked];
  }
  return [
    ...known.open.map((number) => () => again(resumeWindows({ ...run, ...changed, export: number }))),
    ...known.lacking.map((number) => () => again(retryGaps({ ...run, ...changed, export: number }))),
    ...asked,
  ];
}

/** Names times whose logs the deployment deleted before they came. */
function nameLost(collected: CollectedSource, { begin, horizon }: Moment): void {
  const { memory, tools, source } = collected;
  const lost = missingOf(memory, { begin, horizon }).lost;
  const isKnown = (window: Window) => subtractWindows(window, memory.lost).length === 0;
  for (const window of lost.filter((window) => !isKnown(window)))
    tools.report(
      `${source.name}: LOST: the deployment no longer has the logs of ${rangeText(window)}, and they were not collected before`,
    );
  remember(collected, { lost: lost.map(({ oldest, newest }) => ({ oldest, newest })) });
}

/** What a source lacks by its cases. */
export function missingOf(
  { cases }: Pick<SourceMemory, 'cases'>,
  { begin, horizon }: { readonly begin: number; readonly horizon: number | undefined },
) {
  const deleted = cases.flatMap((facts) => facts.deleted);
  return findMissing({ covered: coveredOf(cases), begin }, { horizon: horizon ?? 0, deleted });
}

/** Indexes and seals the cases of periods that were over some milliseconds before what is covered. */
async function sealPast(collected: CollectedSource, moment: Moment, after: number): Promise<void> {
  const { memory, source, configuration, tools } = collected;
  const until = coveredUntil(coveredOf(memory.cases)) ?? 0;
  const missing = missingOf(memory, moment);
  const left = [...missing.gaps, ...missing.backfill];
  for (const facts of memory.cases) {
    const { name } = facts;
    const period = periodOfCase(source.name, name);
    const path = join(configuration.store, name);
    const isOver = period !== undefined && period.newest + after < until;
    const isLacking = left.some(
      ({ oldest, newest }) => period && oldest <= period.newest && period.oldest <= newest,
    );
    if (!isOver || isLacking || (await isSealed(path))) continue;
    tools.signal?.throwIfAborted();
    await indexCase(path, tools);
    const isSound = await tools.sealCase(path, await nextSealPath(path));
    if (isSound) tools.report(`${source.name}: "${name}" is complete, indexed and sealed`);
    await refreshFile(collected, facts);
  }
}

async function indexCase(path: string, { clock, signal }: CollectTools): Promise<void> {
  await using into = await openWaiting(path, 'write', clock);
  await buildIndex(into, { ...(signal && { signal }) });
}

async function refreshFile(collected: CollectedSource, facts: CaseFacts): Promise<void> {
  const changed = await withFile(join(collected.configuration.store, facts.name), facts);
  const cases = collected.memory.cases.map((other) => (other.name === facts.name ? changed : other));
  remember(collected, { cases });
}

/**
 * Deletes cases as the retention of the store says, the oldest first. One with a gap that may still be closed stays,
 * and so does the newest. The limit of bytes is for each source by itself.
 */
async function deleteOld(collected: CollectedSource, { present, horizon }: Moment): Promise<void> {
  const { memory, source, configuration, tools } = collected;
  const { age, bytes } = configuration.retention;
  const dated = memory.cases
    .flatMap((facts) => {
      const period = periodOfCase(source.name, facts.name);
      return period ? [{ facts, period, path: join(configuration.store, facts.name) }] : [];
    })
    .sort((a, b) => b.period.newest - a.period.newest);
  let total = 0;
  for (const [index, { facts, period, path }] of dated.entries()) {
    total += facts.bytes;
    const isOld = age !== undefined && period.newest < present - age;
    const isBeyond = bytes !== undefined && bytes < total;
    if (index === 0 || (!isOld && !isBeyond)) continue;
    if (0 < gapsOf(facts, horizon).length) {
      tools.report(
        `${source.name}: "${facts.name}" is due for deletion and stays: it has a gap that may be closed`,
      );
      continue;
    }
    await deleteCase(path);
    total -= facts.bytes;
    remember(collected, {
      cases: collected.memory.cases.filter(({ name }) => name !== facts.name),
      deletedUntil: Math.max(collected.memory.deletedUntil ?? 0, period.newest),
    });
    const why = isOld ? 'by age' : `beyond ${bytes} bytes`;
    tools.report(`${source.name}: deleted "${facts.name}" (${why}, ${facts.logs} logs)`);
  }
}

function timeText(time: number): string {
  return new Date(time).toISOString();
}

function rangeText({ oldest, newest }: Window): string {
  return `${timeText(oldest)} to ${timeText(newest)}`;
}
