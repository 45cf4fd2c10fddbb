import type { Asked, PartResult, PoorResult } from '../../analysis/index.ts';
import { type PlacedPart, queryParts } from '../../analysis/index.ts';
import type { EngineName, Finding, Fix, Severity } from '../../language/index.ts';
import { hasErrors, isPlainValue, quote, resolveScored } from '../../language/index.ts';
import { describeCounts, describeInstead, describeNear } from '../output/poor-result-lines.ts';
import { formatCount, formatNumber } from '../terminal/progress.ts';
import { engineContext, readSearchQuery } from './read-query.ts';

/** Codes of findings about a query in cases, each with the heading of its section in the manual. */
export const caseFindingHeadings: ReadonlyMap<string, string> = new Map([
  ['few-in-case', 'The query selects no log of the case, or few'],
  ['absent-in-case', 'No log of the case has what a part asks for'],
  ['near-in-case', 'The case has a similar word more often'],
]);

/** Counts of a query in cases. */
export interface QueryInCases {
  /** Number of logs that the query selects. */
  readonly count: number;
  /** Number of logs that each part selects alone, if the query selects few; absent otherwise. */
  readonly parts?: readonly { readonly text: string; readonly count: number }[];
  readonly findings: readonly Finding[];
}

/** Context of checking queries in cases. */
export interface CaseContext {
  readonly engine: EngineName | undefined;
  readonly cases: readonly Asked[];
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
  const { query, findings } = readSearchQuery(text, engine);
  if (hasErrors(findings)) return undefined;
  // Loaded here, because most checks need no database.
  const { countLogs, expandFuzzy } = await import('../../analysis/log-source.ts');
  const { explainPoorResult, fewLogs } = await import('../../analysis/poor-result/poor-result.ts');
  const now = Date.now();
  const { filter } = await expandFuzzy(cases, resolveScored(query, { now, ...engineContext(engine) }));
  const counts = await Promise.all(cases.map((each) => countLogs(each, filter)));
  const count = counts.reduce((sum, each) => sum + each, 0);
  if (fewLogs <= count) return { count, findings: [] };
  const parts = queryParts(text, engine);
  const result = await explainPoorResult(cases, parts);
  const ofParts = withSeverities(
    result.parts.flatMap((each, index) => partFindings(each, parts[index])),
    severities,
  );
  const ofQuery = withSeverities([resultFinding({ text, count }, result, context)], severities);
  // One part that selects nothing says it all.
  const isOnePart = result.parts.length === 1 && count === 0 && 0 < ofParts.length;
  return {
    count,
    parts: result.parts.map((each) => ({ text: each.text, count: each.count })),
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
    ...{ code: 'few-in-case', severity: count === 0 ? 'warning' : 'hint', from: 0, to: text.length },
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
      ...{ code, severity: result.count === 0 ? 'warning' : 'hint', from: part.from, to: part.to, message },
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
