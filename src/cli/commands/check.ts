import { readFile } from 'node:fs/promises';
import type { AnyLogSource, PartResult, PlacedPart, PoorResult } from '../../analysis/index.ts';
import { packageVersion } from '../../database/index.ts';
import {
  type AppliedFix,
  bySeverity,
  type CheckedQuery,
  type CheckedText,
  checkQuery,
  type EngineName,
  type Finding,
  type Fix,
  fixQuery,
  hasErrors,
  isPlainValue,
  offlineOptions,
  quote,
  resolveScored,
  ruleHeadings,
  type Severity,
  severities,
  syntaxCodes,
  toSarif,
  type ValidateOptions,
} from '../../language/index.ts';
import type { CommandCall, RunCommand } from '../command-line/command.ts';
import { exitCodes, UsageError } from '../command-line/exit-code.ts';
import { writeOutput } from '../command-line/write-output.ts';
import { openCases } from '../input/open-cases.ts';
import { isQueryLine, listQueryFiles, readQueryLines, standardInput } from '../input/query-files.ts';
import { engineContext, type GivenQuery, readSchemaContext, reportFindings } from '../input/read-query.ts';
import { describeCounts, describeInstead, describeNear } from '../output/few-results.ts';
import { drawFindings, lineAndColumn } from '../output/findings.ts';
import type { checkSpec } from '../specs/query-specs.ts';
import { formatAmount, formatCount, formatNumber } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { escapeUnsafe, formatJsonList, textFor, toJson } from '../terminal/text.ts';

/** Reports the findings of queries, and applies their safe fixes where asked to. */
export const checkCommand: RunCommand<typeof checkSpec> = async (call) => {
  const { options, terminal } = call;
  const counts: Counts = { query: 0, error: 0, warning: 0, hint: 0, logs: undefined };
  const checked = counted(checkAll(call), counts);
  for await (const piece of printed(checked, call)) await terminal.print(piece);
  if (!options.json && !options.sarif) terminal.message(summaryOf(counts));
  const failing = severities.slice(0, severities.indexOf(options.failOn) + 1);
  return failing.every((severity) => counts[severity] === 0) ? exitCodes.done : exitCodes.no;
};

type CheckCall = CommandCall<typeof checkSpec>;
interface Checked extends GivenQuery, Pick<CheckedQuery, 'findings'> {
  /** The counts of its parts in the cases; absent if the query cannot be searched. */
  readonly inCase: QueryInCases | undefined;
  /** True for a fixed query that is printed: it came from no file that could be rewritten. */
  readonly isPrinted: boolean;
}
type Counts = Record<'query' | Severity, number> & {
  /** Number of logs that the last query selects, if cases are checked. */
  logs: number | undefined;
};

async function* checkAll({ arguments: { query }, options, terminal }: CheckCall): AsyncGenerator<Checked> {
  const { dialect, severity, fix, engine } = options;
  const context = {
    ...(await readSchemaContext(options.fields, terminal)),
    ...(dialect && { dialect }),
    ...engineContext(engine),
    severities: readSeverities(severity),
    now: Date.now(),
  };
  await using opened = await openCases(options.case, terminal);
  const file = await listQueryFiles(options.file);
  if (fix) for (const path of file) if (path !== '-') await fixQueryFile(path, context, terminal);
  const printsText = fix && !options.json && !options.sarif;
  for await (const { text: line, name, query: lineQuery } of readQueryLines({ query, file }, terminal)) {
    const isPrinted = printsText && (name === undefined || name === standardInput);
    if (lineQuery) {
      const text = fix ? fixAndReport(lineQuery, context, terminal) : lineQuery.text;
      const inCase = await checkInCases(text, { ...opened, engine, severities: context.severities });
      const findings = [...checkQuery(text, context).findings, ...(inCase?.findings ?? [])];
      yield { ...lineQuery, text, findings: bySeverity(findings), inCase, isPrinted };
    } else if (isPrinted) await terminal.print(`${textFor(terminal.stdout, line)}\n`);
  }
}

function printed(checked: AsyncIterable<Checked>, call: CheckCall): AsyncIterable<string> {
  if (call.options.json) return formatJsonList(reports(checked));
  return call.options.sarif ? sarif(checked, call.options.helpUri) : drawn(checked, call);
}

async function* counted(checked: AsyncIterable<Checked>, counts: Counts): AsyncGenerator<Checked> {
  for await (const result of checked) {
    counts.query += 1;
    counts.logs = result.inCase?.count;
    for (const { severity } of result.findings) counts[severity] += 1;
    yield result;
  }
}

async function* reports(checked: AsyncIterable<Checked>): AsyncGenerator<object> {
  for await (const { text, source, findings, inCase } of checked) {
    const { findings: _, ...counted } = inCase ?? { findings: [] };
    yield { query: text, ...source, findings, ...(inCase && { inCase: counted }) };
  }
}

/** One SARIF document for all queries. Queries of the command line have no file. */
async function* sarif(checked: AsyncIterable<Checked>, manual: string | undefined): AsyncGenerator<string> {
  const texts: CheckedText[] = [];
  for await (const { text, source, findings } of checked) {
    texts.push({ uri: encodeURI(source?.name ?? 'command-line'), line: source?.line ?? 1, text, findings });
  }
  const headings = new Map<string, string>([
    ...Object.entries(syntaxCodes),
    ...ruleHeadings,
    ...caseFindingHeadings,
  ]);
  const options = { headings, version: packageVersion, ...(manual !== undefined && { manual }) };
  yield `${toJson(toSarif(texts, options), 2)}\n`;
}

async function* drawn(checked: AsyncIterable<Checked>, { terminal }: CheckCall): AsyncGenerator<string> {
  const { style, width = 100 } = terminal.stdout;
  const wraps = terminal.stdout.width !== undefined;
  let before = '';
  for await (const { text, source, findings, isPrinted } of checked) {
    if (isPrinted) {
      yield `${textFor(terminal.stdout, text)}\n`;
      reportFindings({ text, ...(source && { source }) }, findings, terminal);
      continue;
    }
    if (findings.length === 0) continue;
    yield `${before}${drawFindings(text, findings, { style, width, wraps, source }).join('\n')}\n`;
    before = '\n';
  }
}

function summaryOf({ query, error, warning, hint, logs }: Counts): string {
  const parts = Object.entries({ error, warning, hint }).filter(([, number]) => 0 < number);
  const found = parts.map(([name, number]) => plural(number, name)).join(', ') || 'No findings';
  const selected = query === 1 && logs !== undefined ? `, which selects ${formatCount(logs, 'log')}` : '';
  return `${found} in ${plural(query, 'query', 'queries')}${selected}.`;
}

function plural(number: number, one: string, many = `${one}s`): string {
  return formatAmount(number, number === 1 ? one : many);
}

const levels: readonly (Severity | 'off')[] = ['error', 'warning', 'hint', 'off'];

/** Parses severities written as `code=level`. Throws `UsageError` for an unknown code or level. */
function readSeverities(args: readonly string[]): ReadonlyMap<string, Severity | 'off'> {
  return new Map(
    args.map((arg) => {
      const [code = '', name] = arg.split('=');
      const level = levels.find((known) => known === name);
      if (!ruleHeadings.has(code) && !caseFindingHeadings.has(code)) {
        throw new UsageError(`--severity must name the code of a configurable finding, got "${code}"`);
      }
      if (!level) throw new UsageError(`--severity must have one of ${levels.join(', ')} after "${code}="`);
      return [code, level];
    }),
  );
}

/** Codes of findings about a query in cases, each with the heading of its section in the manual. */
export const caseFindingHeadings: ReadonlyMap<string, string> = new Map([
  ['few-in-case', 'The query selects no log of the case, or few'],
  ['absent-in-case', 'No log of the case has what a part asks for'],
  ['near-in-case', 'The case has a similar word more often'],
]);

/** Counts of a query in cases. */
interface QueryInCases {
  /** Number of logs that the query selects. */
  readonly count: number;
  /** Number of logs that each part selects alone, if the query selects few; absent otherwise. */
  readonly parts?: readonly { readonly text: string; readonly count: number }[];
  readonly findings: readonly Finding[];
}

/** Context of checking queries in cases. */
interface CaseContext {
  readonly engine: EngineName | undefined;
  readonly cases: readonly AnyLogSource[];
  /** Names of the cases for messages. */
  readonly names: readonly string[];
  /** Severities by code that override those of the findings; `off` silences one. */
  readonly severities: ReadonlyMap<string, Severity | 'off'>;
}

/**
 * Counts the logs of cases that a query selects. A poor result gets findings: its parts that select nothing,
 * and similar words that the cases have. Undefined without a case, and for a query that no search accepts.
 */
export async function checkInCases(text: string, context: CaseContext): Promise<QueryInCases | undefined> {
  const { cases, engine, severities } = context;
  if (cases.length === 0) return undefined;
  const now = Date.now();
  const inContext = { now, ...engineContext(engine) };
  const { query, findings } = checkQuery(text, { ...offlineOptions, ...inContext });
  if (hasErrors(findings)) return undefined;
  // Loaded here, because most checks need no database.
  const { countLogs, expandFuzzy } = await import('../../analysis/log-source.ts');
  const { explainPoorResult, fewLogs, queryParts } = await import('../../analysis/explain-poor-result.ts');
  const { filter } = await expandFuzzy(cases, resolveScored(query, inContext));
  const counts = await Promise.all(cases.map((source) => countLogs(source, filter)));
  const count = counts.reduce((sum, caseCount) => sum + caseCount, 0);
  if (fewLogs <= count) return { count, findings: [] };
  const parts = queryParts(text, engine);
  const result = await explainPoorResult(cases, parts);
  const ofParts = withSeverities(
    result.parts.flatMap((part, index) => partFindings(part, parts[index])),
    severities,
  );
  const ofQuery = withSeverities([resultFinding({ text, count }, result, context)], severities);
  // One part that selects nothing says it all.
  const isOnePart = result.parts.length === 1 && count === 0 && 0 < ofParts.length;
  return {
    count,
    parts: result.parts.map((part) => ({ text: part.text, count: part.count })),
    findings: isOnePart ? ofParts : [...ofQuery, ...ofParts],
  };
}

function resultFinding(
  { text, count }: { readonly text: string; readonly count: number },
  result: PoorResult,
  { names }: Pick<CaseContext, 'names'>,
): Finding {
  const where = names.map((name) => `"${name}"`).join(', ');
  const counts = describeCounts(result);
  const selected = count === 0 ? 'no log' : `only ${formatCount(count, 'log')}`;
  return {
    code: 'few-in-case',
    severity: count === 0 ? 'warning' : 'hint',
    from: 0,
    to: text.length,
    message: `The query selects ${selected} of ${where}${counts && `; ${counts}`}`,
    fixes: [],
  };
}

/** The finding about a part that selects nothing, or less than similar words do. */
function partFindings(result: PartResult, part: PlacedPart | undefined): readonly Finding[] {
  const message = partMessage(result);
  if (message === undefined || part === undefined) return [];
  const code = result.count === 0 ? 'absent-in-case' : 'near-in-case';
  return [
    {
      code,
      severity: result.count === 0 ? 'warning' : 'hint',
      from: part.from,
      to: part.to,
      message,
      fixes: result.near.flatMap((near) => wordFix(near, part)),
    },
  ];
}

function partMessage(result: PartResult): string | undefined {
  const { text, count } = result;
  const near = describeNear(result);
  if (0 < count) return near === '' ? undefined : `Words near to ${text} (${formatNumber(count)}): ${near}`;
  const instead = describeInstead(result);
  const absent = 0 < instead.length ? instead : [`No log has ${text}`];
  return [...absent, ...(near === '' ? [] : [`near words: ${near}`])].join('; ');
}

/** The fix that puts near words in the place of those of a part. */
function wordFix({ words, count }: PartResult['near'][number], { item }: PlacedPart): readonly Fix[] {
  // A word that analysis cuts in several is no single word to replace.
  const isOne = item?.kind === 'Phrase' || (item?.kind === 'Word' && isPlainValue(item.term.text));
  if (!isOne) return [];
  const text = words.join(' ');
  const insert = isPlainValue(text) ? text : quote(text);
  const logs = `${formatNumber(count)} ${count === 1 ? 'log' : 'logs'}`;
  return [{ title: `Search for "${text}" (${logs})`, edits: [{ from: item.from, to: item.to, insert }] }];
}

function withSeverities(
  findings: readonly Finding[],
  severities: ReadonlyMap<string, Severity | 'off'>,
): Finding[] {
  return findings.flatMap((finding) => {
    const severity = severities.get(finding.code) ?? finding.severity;
    return severity === 'off' ? [] : [{ ...finding, severity }];
  });
}

/**
 * Applies the safe fixes of all queries of a file, and reports them. All other bytes of the file stay
 * as they are; a file without such fixes is not written. Throws `UsageError` if it cannot be read, is
 * not UTF-8 or cannot be written.
 */
async function fixQueryFile(path: string, options: ValidateOptions, terminal: Terminal): Promise<void> {
  const content = await readUtf8(path);
  const lines = content.split('\n').map((line, index) => {
    // A byte order mark and the end of the line are no part of the query.
    const [, mark = '', text = '', end = ''] = /^(\ufeff?)(.*?)(\r?)$/s.exec(line) ?? [];
    if (!isQueryLine(text)) return line;
    return mark + fixAndReport({ text, source: { name: path, line: index + 1 } }, options, terminal) + end;
  });
  const fixed = lines.join('\n');
  if (fixed !== content) await writeOutput(fixed, { path, terminal });
}

/** Returns a query with its safe fixes applied, and reports these. */
function fixAndReport(query: GivenQuery, options: ValidateOptions, terminal: Terminal): string {
  const { text, applied, tooComplex } = fixQuery(query.text, options);
  for (const fix of applied) terminal.message(fixLine(query, fix));
  if (tooComplex) terminal.message(`${placeOf(query.source, 1, 1)}not fixed: the query is too complex`);
  return text;
}

function fixLine({ source }: GivenQuery, { finding, fix, before }: AppliedFix): string {
  const { line, column } = lineAndColumn(before, finding.from);
  return `${placeOf(source, line, column)}fixed: ${escapeUnsafe(fix.title)} [${finding.code}]`;
}

/** The place in a file that a message begins with; nothing for a query of the command line. */
function placeOf(source: GivenQuery['source'], line: number, column: number): string {
  return source ? `${escapeUnsafe(source.name)}:${source.line + line - 1}:${column}: ` : '';
}

async function readUtf8(path: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(path));
  } catch (error) {
    const isSystemError = error instanceof Error && 'syscall' in error;
    if (isSystemError)
      throw new UsageError(`The file "${path}" cannot be read: ${error.message}`, { cause: error });
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(`The file "${path}" is not UTF-8, so --fix leaves it alone`, { cause: error });
  }
}
