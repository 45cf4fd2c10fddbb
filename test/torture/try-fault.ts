import { cp, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Ended, run } from '../e2e/process.ts';
import { type Call, type Fault, faultEnvironment, readTrace } from './fault.ts';
import { type Outcome, readOutcome } from './outcome.ts';
import type { Scenario } from './scenarios.ts';

/** A scenario that was run once without a fault. */
export interface Rehearsed {
  readonly scenario: Scenario;
  /** Library of the faults. */
  readonly library: string;
  /** Folder whose subfolders the tries have. */
  readonly base: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly calls: readonly Call[];
  /** Outcomes before and after the command. */
  readonly before: Outcome;
  readonly expected: Outcome;
}

/** Report on one fault. */
export interface Tried {
  readonly fault: Fault;
  /** The process ended before that call, as its threads did not take the same turns. */
  readonly isMissed: boolean;
  /** Deviations from what is promised; empty where it held. */
  readonly complaints: readonly string[];
}

/** Calls by which a file gets its name before its bytes, or the name itself, are on the disk: a loss of power would show. */
export function namedTooEarly(calls: readonly Call[]): readonly string[] {
  return calls.flatMap(({ name, path }, index) => {
    if (name !== 'rename' && name !== 'link') return [];
    const isArriving = (each: Call) =>
      dirname(each.path) === dirname(path) && /arriving-[\w-]+$/.test(each.path);
    const last = calls
      .slice(0, index)
      .findLast((each) => isArriving(each) && /^(write|f(data)?sync)$/.test(each.name));
    const isNameSynced = calls
      .slice(index)
      .some((each) => each.name === 'fsync' && each.path === dirname(path));
    return last?.name === 'write' || !isNameSynced ? [`${name} ${path}`] : [];
  });
}

/** Prepares a scenario and runs it once, which counts its calls and tells what it comes to. */
export async function rehearse(
  scenario: Scenario,
  context: Pick<Rehearsed, 'library' | 'base' | 'environment'>,
): Promise<Rehearsed> {
  const { library, base, environment } = context;
  await mkdir(join(base, 'prepared', 'work'), { recursive: true });
  await mkdir(join(base, 'prepared', 'tmp'));
  await scenario.prepare(join(base, 'prepared', 'work'));
  const before = await readOutcome(join(base, 'prepared'));
  const folder = await freshFolder(base, 'alone');
  const trace = join(base, 'trace');
  const ended = await start(scenario, folder, {
    ...environment,
    ...faultEnvironment(library, folder, { trace }),
  });
  if (ended.code !== 0)
    throw new Error(`"${scenario.name}" ended with ${ended.code} without a fault: ${ended.err}`);
  const calls = (await readTrace(trace)).map(({ name, path }) => ({ name, path: path.replace(folder, '') }));
  return { scenario, ...context, calls, before, expected: await readOutcome(folder) };
}

/** Runs a command with a fault, looks at what is left, and repeats the command. */
export async function tryFault(of: Rehearsed, fault: Fault): Promise<Tried> {
  const { scenario, library, base, environment, expected } = of;
  const folder = await freshFolder(base, `${fault.at}-${fault.effect}`);
  const faulty = { ...environment, ...faultEnvironment(library, folder, fault) };
  const ended = await start(scenario, folder, faulty);
  const isKill = fault.effect === 'kill' || fault.effect === 'torn';
  const isMissed = isKill && ended.code === 0;
  const left = await readLeft(folder);
  const complaints = [...checkEnd(ended, isKill && !isMissed), ...checkLeft(left, of)];
  if (ended.code === 0)
    complaints.push(...compare(withoutLeftovers(await readOutcome(folder)), expected, 'after exit code 0'));
  const isOpen = Object.values(left.cases).some(({ open }) => 0 < open.length);
  const words = isOpen ? (scenario.resume ?? scenario.words) : scenario.words;
  const again = await start({ words }, folder, environment);
  if (again.code !== 0 && !isAlreadyDone(again))
    complaints.push(`the repeated command ended with ${again.code}: ${again.err.trim()}`);
  complaints.push(...compare(await readOutcome(folder), expected, 'after the repeated command'));
  if (complaints.length === 0) await rm(folder, { recursive: true });
  return { fault, isMissed, complaints };
}

/** A command that replaces nothing refuses to run where the first one wrote all of it; the outcome shows that it did. */
function isAlreadyDone({ code, err }: Ended): boolean {
  return code === 2 && err.includes('already exists and is not replaced');
}

function start(
  { words }: Pick<Scenario, 'words'>,
  folder: string,
  environment: Record<string, string>,
): Promise<Ended> {
  return run(words, {
    cwd: join(folder, 'work'),
    environment: { ...environment, TMPDIR: join(folder, 'tmp') },
  });
}

async function freshFolder(base: string, name: string): Promise<string> {
  const folder = join(base, name);
  await cp(join(base, 'prepared'), folder, { recursive: true });
  return folder;
}

/** A killed process ends by the signal; any other with an exit code, and a message that people can use. */
function checkEnd({ code, signal, err }: Ended, isKilled: boolean): string[] {
  if (isKilled)
    // SQL runs in a process of its own: where that is killed, the command ends with a message.
    return signal === 'SIGKILL' || (code === 1 && /^error: .* ended early \(SIGKILL\)/m.test(err))
      ? []
      : [`it was not killed, but ended with ${code}: ${err.trim()}`];
  if (code === 0) return [];
  const complaints: string[] = [];
  if (code === null || ![1, 2, 3].includes(code)) complaints.push(`it ended with ${code ?? signal}`);
  if (!/^error: .*["'][^"']+["']/m.test(err) || /defect of logquarry|\n\s+at /.test(err))
    complaints.push('its message is no help');
  if (!/ENOSPC|EIO|No space left|Input\/output error|fsync failed/.test(err))
    complaints.push('its message has no cause');
  return complaints.map((each) => `${each}: ${err.trim()}`);
}

/** Reads what a fault has left. Opening a case may change it, so this opens a copy. */
async function readLeft(folder: string): Promise<Outcome> {
  const copy = `${folder}-left`;
  await cp(folder, copy, { recursive: true });
  const left = await readOutcome(copy);
  await rm(copy, { recursive: true });
  return left;
}

/** A fault leaves cases that can be opened and hold nothing but the truth, though maybe not all of it, and files that are old or new. */
function checkLeft(left: Outcome, { before, expected }: Rehearsed): readonly string[] {
  const complaints: string[] = [];
  for (const [path, { logs, deviations }] of Object.entries(left.cases)) {
    const bad = deviations.filter((code) => code !== 'FILE_UNLISTED');
    if (0 < bad.length) complaints.push(`"${path}" was left with ${bad.join(', ')}`);
    if (!isSubset(logs, expected.cases[path]?.logs ?? [])) complaints.push(`"${path}" has logs too often`);
    if (!isSubset(before.cases[path]?.logs ?? [], logs)) complaints.push(`"${path}" has lost logs`);
  }
  for (const [path, hash] of Object.entries(expected.contents))
    if (![hash, before.contents[path]].includes(left.contents[path]))
      complaints.push(`"${path}" was left as neither the old nor the new file`);
  return complaints;
}

/** Each of some sorted texts is in others, as often at least. */
function isSubset(some: readonly string[], others: readonly string[]): boolean {
  let next = 0;
  for (const text of others) if (text === some[next]) next += 1;
  return next === some.length;
}

/**
 * Leaves out what a command that ended well may leave until the next one: the
 * write-ahead file of a case whose checkpoint failed, from which all of it is
 * read, and temporary files and the empty folder of downloads that could not be
 * removed.
 */
function withoutLeftovers(outcome: Outcome): Outcome {
  return {
    ...outcome,
    files: outcome.files.filter((path) => !/\.duckdb\.(wal|downloads)$|\.arriving-/.test(path)),
  };
}

function compare(found: Outcome, expected: Outcome, when: string): string[] {
  if (isDeepStrictEqual(found, expected)) return [];
  const differences = (['files', 'contents', 'cases'] as const).flatMap((part) =>
    isDeepStrictEqual(found[part], expected[part])
      ? []
      : [`${part} ${shorten(found[part])} instead of ${shorten(expected[part])}`],
  );
  return [`${when}: ${differences.join('; ')}`];
}

function shorten(value: unknown): string {
  const text = JSON.stringify(value, (key, each) =>
    key === 'logs' && Array.isArray(each) ? each.length : each,
  );
  return text.length < 700 ? text : `${text.slice(0, 700)}…`;
}
