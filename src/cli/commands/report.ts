import { extname } from 'node:path';
import {
  type AnyLogSource,
  assembleReport,
  caseWith,
  expandFuzzy,
  isCase,
  type Report,
} from '../../analysis/index.ts';
import { type Case, listNotes, streamLogs } from '../../case/index.ts';
import { readCoverageOf } from '../../export/index.ts';
import type { Filter } from '../../language/index.ts';
import { type Annotation, toTimesketch } from '../../records/index.ts';
import type { CommandCall, RunCommand } from '../command-line/command.ts';
import { exitCodes, UsageError } from '../command-line/exit-code.ts';
import { type Output, writeOutput } from '../command-line/write-output.ts';
import { readFilteredQuery, selectionText } from '../input/log-filters.ts';
import { openSource } from '../input/open-cases.ts';
import { readRules } from '../input/read-rules.ts';
import { requestedOf } from '../output/overview.ts';
import { doubtsOf } from '../output/part-table.ts';
import type { ReportStyle } from '../report/first-page.ts';
import { findChromium, printPdf } from '../report/print-pdf.ts';
import { reportPage } from '../report/report-page.ts';
import { reportMarkdown } from '../report/report-tables.ts';
import { reportWorkbook } from '../report/workbook.ts';
import type { reportFormats, reportSpec } from '../specs/analysis-specs.ts';
import { displayProgress, formatCount, printPieces } from '../terminal/progress.ts';
import { toJson } from '../terminal/text.ts';

type Format = (typeof reportFormats)[number];

/** Writes a report of a case. */
export const reportCommand: RunCommand<typeof reportSpec> = async ({
  arguments: values,
  options,
  terminal,
}) => {
  const format = chooseFormat(options, terminal.stdout.width !== undefined);
  // A missing program is said before all logs are read.
  const program = format === 'pdf' ? findChromium(options.chromium, terminal.environment) : '';
  const filters = { ...options, to: options.until };
  const query = { query: options.search, engine: options.engine, options: filters, now: Date.now() };
  const scored = readFilteredQuery(query, terminal);
  if (!scored) return exitCodes.no;
  await using opened = await openSource(values.case, terminal);
  const { filter } = await expandFuzzy([opened.source], scored);
  const of = await caseWith(opened.source, filter, { contents: 'whole' });
  const signal = terminal.interruption();
  const output: Output = { path: options.out, terminal, isPersonal: true };
  if (format === 'timesketch') {
    let leftOut = 0;
    const onLeftOut = (count: number) => {
      leftOut = count;
    };
    const lines = timesketchLines(of, { filter, signal, onLeftOut });
    if (output.path === undefined) await printPieces(lines, terminal);
    else await writeOutput(lines, output);
    if (0 < leftOut)
      terminal.message(`${formatCount(leftOut, 'log')} without a time left out: Timesketch requires one.`);
    return exitCodes.done;
  }
  const display = displayProgress(terminal);
  display.update({ doing: 'Reading all logs' });
  const report = await assembleReport(of, {
    filter,
    signal,
    sample: options.logs,
    zone: options.zone,
    rules: (await readRules()).rules,
    requested: await requestedOf([opened.source]),
    from: opened.source,
    doubts: [...(await unproved(opened.source)), ...(await doubtsOf(opened.source, { overlaps: true }))],
  }).finally(() => display.end());
  const { title, author, note, zone } = options;
  const face: ReportStyle = {
    name: opened.name,
    isCluster: !isCase(opened.source),
    zone,
    title,
    author,
    note,
    selection: selectionText(query),
  };
  const content =
    format === 'pdf'
      ? await printPdf(reportPage(report, face), { program, signal })
      : await formatReport(report, format, face);
  await writeOutput(content, output);
  return exitCodes.done;
};

/** What the newest export of each request says that nothing proves. */
async function unproved(of: AnyLogSource): Promise<readonly string[]> {
  return (await readCoverageOf(of)).flatMap(({ doubts, covered }) => {
    const isComplete = covered.every(({ state }) => state === 'complete');
    return doubts
      .filter((doubt) => doubt.export === doubts[0]?.export)
      .map((doubt, index) => {
        const { export: number, message } = doubt;
        return isComplete && index === 0
          ? `Export ${number} is complete as far as can be proved: ${message}.`
          : `Not proved of export ${number}: ${message}.`;
      });
  });
}

async function formatReport(
  report: Report,
  format: Exclude<Format, 'pdf' | 'timesketch'>,
  face: ReportStyle,
): Promise<string | Uint8Array> {
  switch (format) {
    case 'xlsx':
      return await reportWorkbook(report, face);
    case 'md':
      return reportMarkdown(report, face);
    case 'json':
      return `${toJson(withStyle(report, face), 2)}\n`;
    case 'html':
      return reportPage(report, face);
  }
}

/** A report with what its author says, and with the selection of its logs. */
function withStyle(
  report: Report,
  { title, author, note, selection }: ReportStyle,
): Report & Pick<ReportStyle, 'title' | 'author' | 'note' | 'selection'> {
  return { title, author, note, selection, ...report };
}

const endings: Readonly<Record<string, Format>> = {
  '.html': 'html',
  '.htm': 'html',
  '.xlsx': 'xlsx',
  '.pdf': 'pdf',
  '.md': 'md',
  '.json': 'json',
  '.jsonl': 'timesketch',
};

function chooseFormat({ to, out }: CommandCall<typeof reportSpec>['options'], isTerminal: boolean): Format {
  const format = to ?? (out === undefined ? undefined : endings[extname(out).toLowerCase()]) ?? 'html';
  if (out === undefined && (format === 'xlsx' || format === 'pdf' || (format === 'html' && isTerminal)))
    throw new UsageError(`--out FILE is required for ${format}: a terminal cannot show it`);
  return format;
}

/** Options of the lines for Timesketch. */
interface LinesOptions {
  readonly filter: Filter;
  readonly signal: AbortSignal;
  /** Called with the number of logs that were left out, as they have no time. */
  readonly onLeftOut: (count: number) => void;
}

/** Streams logs as lines of JSON for Timesketch, oldest first, with the tags and comments of notes. */
async function* timesketchLines(
  of: Case,
  { filter, signal, onLeftOut }: LinesOptions,
): AsyncGenerator<string, void, undefined> {
  const notes = await annotations(of);
  let leftOut = 0;
  for await (const stored of streamLogs(of, filter, { order: 'oldest', signal })) {
    const event = toTimesketch(stored, notes.get(stored.id) ?? none);
    if (event) yield `${toJson(event)}\n`;
    else leftOut += 1;
  }
  onLeftOut(leftOut);
}

const none: Annotation = { tags: [], comments: [] };

async function annotations(of: Case): Promise<ReadonlyMap<number, Annotation>> {
  const found = new Map<number, Annotation>();
  for (const { logs, tags, text, author } of await listNotes(of))
    for (const id of logs) {
      const { tags: before, comments } = found.get(id) ?? none;
      const more = text === '' ? [] : [`${author}: ${text}`];
      found.set(id, { tags: [...new Set([...before, ...tags])], comments: [...comments, ...more] });
    }
  return found;
}
