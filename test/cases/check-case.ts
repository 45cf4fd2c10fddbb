import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { summary } from '../../src/case/contents/summary.ts';
import { openCase } from '../../src/case/file/case.ts';
import { streamLogs } from '../../src/case/searching/find-logs.ts';
import { match } from '../../src/language/meaning/match.ts';
import { resolve } from '../../src/language/meaning/resolve.ts';
import { parse } from '../../src/language/parse/parse.ts';
import type { Log } from '../../src/records/log.ts';
import { type Ran, run } from '../cli/run-in-process.ts';

/** Right answers to an import; absent members are not compared. README.md says what each asks for. */
export interface Expectation {
  readonly exit?: number;
  readonly logs?: number;
  readonly unreadable?: number;
  readonly levels?: Readonly<Record<string, number>>;
  readonly words?: Readonly<Record<string, number>>;
  readonly codes?: Readonly<Record<string, number>>;
  readonly sources?: Readonly<Record<string, number>>;
  readonly users?: Readonly<Record<string, number>>;
  readonly first?: string | null;
  readonly last?: string | null;
  readonly within?: number;
  readonly elapsed?: { readonly count: number; readonly sum: number };
  readonly requests?: number;
  readonly stacks?: number;
  readonly clean?: boolean;
  readonly services?: {
    readonly requests: number;
    readonly groups: Readonly<
      Record<string, { readonly requests: number; readonly mean: number; readonly p50: number }>
    >;
  };
  readonly remarks?: readonly RemarkName[];
  readonly noRemarks?: readonly RemarkName[];
  readonly says?: readonly string[];
  readonly error?: keyof typeof formats;
  readonly anyOf?: readonly Expectation[];
}

const lacks =
  /\b(no|none|not|without|missing|lacks?|absent|empty|nothing|neither|unknown)\b|wrong type|could not|cannot/i;

/** Whether a line says that something is missing, or not understood. */
const remarks = {
  message: (line: string) => /\b(msg|messages?)\b/i.test(line) && lacks.test(line),
  level: (line: string) => /\b(level|levels|loglevel|severity)\b/i.test(line) && lacks.test(line),
  time: (line: string) =>
    /\b(times?|timestamps?|date|dates)\b/i.test(line) &&
    (lacks.test(line) || /implausible|outside|year|kept in/i.test(line)) &&
    !/names no zone/.test(line),
  more: (line: string) =>
    /hasMore|nextStart|more (logs|pages|records|exist|of them)|has more|had more|there (is|are) more|incomplete|not (complete|all|the whole)|further (logs|pages)|only (a part|\d)|of 25,?000|\bmissing\b|the rest\b/i.test(
      line,
    ),
  twice: (line: string) =>
    /\btwice\b|same logs|same log\b|duplicat|overlap|repeat|\bequal\b|more than once|(already|also) (in|of|there)|several times|again|both/i.test(
      line,
    ),
};

type RemarkName = keyof typeof remarks;

const formats = {
  bzip2: /bzip2|bz2/i,
  xz: /\bxz\b/i,
  zstd: /\bzstd\b|zstandard|\bzst\b/i,
  xlsx: /\bxlsx\b|\bexcel\b|\bworkbooks?\b|\bspreadsheets?\b/i,
  parquet: /parquet/i,
  folder: /folder|directory/i,
};

type Answer = Readonly<Record<string, number | null>>;

/** Values of a log by the member of an expectation that counts them. */
const valuesOf = {
  levels: ({ logLevel }: Log, level: string) => logLevel === level,
  words: (log: Log, word: string) => isFoundBy(log, `msg:${word}`),
  codes: ({ logCode }: Log, code: string) => logCode === Number(code),
  sources: ({ source }: Log, name: string) => source === name,
  users: ({ username }: Log, name: string) => username === name,
};

const valueNames = ['levels', 'words', 'codes', 'sources', 'users'] as const;

const isFoundBy = (log: Log, query: string) => match(resolve(parse(query).query, { now: 0 }), log);

const isUnclean = ({ logLevel, requestID, username, source }: Log) =>
  [logLevel, requestID, username, source].some((value) => /[\x00-\x20]$/.test(value ?? ''));

/** What a case has, by the names of the members of expectations. */
async function ask(caseFile: string, alternatives: readonly Expectation[]): Promise<Answer> {
  await using from = await openCase(caseFile, { access: 'read' });
  const { unreadable, first, last } = await summary(from);
  const logs: Log[] = [];
  for await (const { log } of streamLogs(from, resolve(parse('*:*').query, { now: 0 }))) logs.push(log);
  const countOf = (isCounted: (log: Log) => boolean) => logs.filter(isCounted).length;
  const elapsed = logs.flatMap((log) => log.elapsed ?? []);
  const answer: Record<string, number | null> = {
    logs: logs.length,
    unreadable,
    first: first ?? null,
    last: last ?? null,
    elapsedCount: elapsed.length,
    elapsedSum: elapsed.reduce((sum, value) => sum + value, 0),
    requests: new Set(logs.flatMap(({ requestID }) => requestID ?? [])).size,
    stacks: countOf(({ stackTraces = '' }) => stackTraces !== ''),
    unclean: countOf(isUnclean),
    severe: countOf((log) => isFoundBy(log, 'logLevel:SEVERE')),
  };
  for (const expectation of alternatives)
    for (const name of valueNames)
      for (const value of Object.keys(expectation[name] ?? {}))
        answer[`${name} ${value}`] = countOf((log) => valuesOf[name](log, value));
  return answer;
}

/** Lines of an import that are remarks: not its table, its summary, nor the names of its files. */
function remarkLines({ out, err }: Ran, files: readonly string[]): readonly string[] {
  let text = `${err}\n${out}`;
  for (const file of files) text = text.replaceAll(file, 'FILE').replaceAll(basename(file), 'FILE');
  const summary =
    /^(file +entry|By level:|Severe codes:|For more:|Incomplete: [\d,]+ unreadable|FILE +\S)|^The case has [\d,]+ logs?(, \d{4}-\S+ \S+ to [^.]*)?\.$/;
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !summary.test(line));
}

interface Outcome {
  readonly imported: Ran;
  readonly lines: readonly string[];
  /** Undefined if there is no case. */
  readonly answer: Answer | undefined;
  readonly files: readonly string[];
}

/** Differences between the outcome of an import and its right answer, in words; none if it is right. */
async function* differences(expected: Expectation, outcome: Outcome): AsyncGenerator<string> {
  const { imported, lines, answer, files } = outcome;
  const isFailure = expected.error !== undefined || (expected.exit ?? 0) !== 0;
  const isWrongExit = isFailure ? imported.code === 0 : imported.code !== 0;
  if (isWrongExit) yield `exit ${imported.code}`;
  if (expected.error !== undefined) {
    const format = formats[expected.error];
    if (!lines.some((line) => format.test(line.replaceAll(/"[^"]*"/g, ''))))
      yield `no error names ${expected.error}`;
    if (6 < lines.length) yield `${lines.length} lines of remarks in place of one error`;
  }
  for (const name of expected.remarks ?? []) if (!lines.some(remarks[name])) yield `no remark on ${name}`;
  for (const name of expected.noRemarks ?? []) {
    const line = lines.find(remarks[name]);
    if (line !== undefined) yield `a remark on ${name}: ${line}`;
  }
  for (const text of expected.says ?? [])
    if (!lines.some((line) => line.includes(text))) yield `"${text}" is not quoted`;
  if (answer === undefined) {
    if ((expected.logs ?? 0) !== 0) yield 'no case';
    return;
  }
  for (const name of ['logs', 'unreadable', 'requests', 'stacks'] as const)
    if (expected[name] !== undefined && answer[name] !== expected[name])
      yield `${answer[name]} ${name}, not ${expected[name]}`;
  for (const name of valueNames)
    for (const [value, hits] of Object.entries(expected[name] ?? {}))
      if (answer[`${name} ${value}`] !== hits)
        yield `${name} ${value}: ${answer[`${name} ${value}`]}, not ${hits}`;
  for (const name of ['first', 'last'] as const) {
    const right = expected[name];
    const found = answer[name] ?? null;
    if (right === undefined) continue;
    const isRight =
      right === null || found === null
        ? right === found
        : Math.abs(found - Date.parse(right)) <= (expected.within ?? 0);
    if (!isRight) yield `${name} ${found === null ? found : new Date(found).toISOString()}, not ${right}`;
  }
  const { elapsed } = expected;
  if (elapsed && answer.elapsedCount !== elapsed.count)
    yield `elapsed of ${answer.elapsedCount} logs, not ${elapsed.count}`;
  if (elapsed && 1e-6 < Math.abs((answer.elapsedSum ?? 0) - elapsed.sum))
    yield `elapsed ${answer.elapsedSum}, not ${elapsed.sum}`;
  if (expected.clean && answer.unclean !== 0) yield `${answer.unclean} logs end in a control character`;
  const severe = expected.levels?.SEVERE;
  if (severe !== undefined && answer.severe !== severe)
    yield `logLevel:SEVERE finds ${answer.severe}, not ${severe}`;
  if (expected.services) yield* serviceDifferences(expected.services, files);
}

async function* serviceDifferences(
  expected: NonNullable<Expectation['services']>,
  files: readonly string[],
): AsyncGenerator<string> {
  const { out } = await run(['services', ...files, '--json']);
  const report: {
    readonly total: { readonly requests: number };
    readonly groups: readonly {
      readonly key: { readonly service: string };
      readonly requests: number;
      readonly elapsed?: { readonly mean: number; readonly p50: number };
    }[];
  } = JSON.parse(out);
  if (report.total.requests !== expected.requests)
    yield `${report.total.requests} requests in services, not ${expected.requests}`;
  for (const [service, right] of Object.entries(expected.groups)) {
    const group = report.groups.find(({ key }) => key.service === service);
    if (group?.requests !== right.requests)
      yield `${service}: ${group?.requests} requests, not ${right.requests}`;
    for (const name of ['mean', 'p50'] as const)
      if (!(Math.abs((group?.elapsed?.[name] ?? Number.NaN) - right[name]) < 1e-6))
        yield `${service}: ${name} ${group?.elapsed?.[name]}, not ${right[name]}`;
  }
}

/** A file or several, with the right answer to their import. */
export interface FileCase {
  readonly files: readonly string[];
  readonly expected: Expectation;
  /** Options of the import. */
  readonly options?: readonly string[];
}

/** Imports files into a new case of a folder; returns what is wrong, by the alternative that fits best. */
export async function wrongAnswers(
  { files, expected, options = [] }: FileCase,
  folder: string,
): Promise<readonly string[]> {
  const caseFile = join(folder, 'case.duckdb');
  try {
    const imported = await run(['import', ...files, '--into', caseFile, '--no-index', ...options]);
    const alternatives = expected.anyOf ?? [expected];
    const answer = existsSync(caseFile) ? await ask(caseFile, alternatives) : undefined;
    const outcome = { imported, lines: remarkLines(imported, files), answer, files };
    const found: string[][] = [];
    for (const alternative of alternatives) {
      const wrong: string[] = [];
      for await (const difference of differences(alternative, outcome)) wrong.push(difference);
      found.push(wrong);
    }
    return found.reduce((best, other) => (other.length < best.length ? other : best));
  } finally {
    await rm(caseFile, { force: true });
    await rm(`${caseFile}.evidence`, { recursive: true, force: true });
  }
}
