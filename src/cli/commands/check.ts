import { packageVersion } from '../../case/index.ts';
import type { CheckedQuery, Severity } from '../../language/index.ts';
import {
  bySeverity,
  type CheckedText,
  ruleHeadings,
  severities,
  syntaxCodes,
  toSarif,
} from '../../language/index.ts';
import type { CommandCall, RunCommand } from '../command-line/command.ts';
import { exitCodes } from '../command-line/exit-code.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { caseFindingHeadings, checkInCases, type QueryInCases } from '../input/case-findings.ts';
import { fixAndReport, fixQueryFile } from '../input/fix-queries.ts';
import { openCases } from '../input/open-cases.ts';
import { listQueryFiles } from '../input/query-files.ts';
import { type GivenQuery, readQueryLines, standardInput } from '../input/read-queries.ts';
import { engineContext, readQuery, reportFindings } from '../input/read-query.ts';
import { readSchemaContext } from '../input/read-schema.ts';
import { drawFindings } from '../output/draw-findings.ts';
import { formatJsonList } from '../output/json-list.ts';
import type { checkSpec } from '../specs/language.ts';
import { textFor, toJson } from '../terminal/printable.ts';
import { formatAmount, formatCount } from '../terminal/progress.ts';

/** Reports the findings of queries, and applies their safe fixes where asked to. */
export const checkCommand: RunCommand<typeof checkSpec> = async (call) => {
  const { options, terminal } = call;
  const counts: Counts = { query: 0, error: 0, warning: 0, hint: 0, logs: undefined };
  const checked = counted(checkAll(call), counts);
  for await (const piece of printed(checked, call)) await terminal.print(piece);
  if (!options.json && !options.sarif) terminal.say(summaryOf(counts));
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
  for await (const { written, name, query: given } of readQueryLines({ query, file }, terminal)) {
    const isPrinted = printsText && (name === undefined || name === standardInput);
    if (given) {
      const text = fix ? fixAndReport(given, context, terminal) : given.text;
      const inCase = await checkInCases(text, { ...opened, engine, severities: context.severities });
      const findings = [...readQuery(text, context).findings, ...(inCase?.findings ?? [])];
      yield { ...given, text, findings: bySeverity(findings), inCase, isPrinted };
    } else if (isPrinted) await terminal.print(`${textFor(terminal.data, written)}\n`);
  }
}

function printed(checked: AsyncIterable<Checked>, call: CheckCall): AsyncIterable<string> {
  if (call.options.json) return formatJsonList(reports(checked));
  return call.options.sarif ? sarif(checked, call.options.helpUri) : drawn(checked, call);
}

async function* counted(checked: AsyncIterable<Checked>, counts: Counts): AsyncGenerator<Checked> {
  for await (const each of checked) {
    counts.query += 1;
    counts.logs = each.inCase?.count;
    for (const { severity } of each.findings) counts[severity] += 1;
    yield each;
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
  const { style, width = 100 } = terminal.data;
  const wraps = terminal.data.width !== undefined;
  let before = '';
  for await (const { text, source, findings, isPrinted } of checked) {
    if (isPrinted) {
      yield `${textFor(terminal.data, text)}\n`;
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
function readSeverities(written: readonly string[]): ReadonlyMap<string, Severity | 'off'> {
  return new Map(
    written.map((each) => {
      const [code = '', name] = each.split('=');
      const level = levels.find((known) => known === name);
      if (!ruleHeadings.has(code) && !caseFindingHeadings.has(code)) {
        throw new UsageError(`--severity must name the code of a configurable finding, got "${code}"`);
      }
      if (!level) throw new UsageError(`--severity must have one of ${levels.join(', ')} after "${code}="`);
      return [code, level];
    }),
  );
}
