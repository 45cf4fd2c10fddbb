import { assembleReport, caseWith, isCase } from '../../analysis/index.ts';
import { parseTimeZone, type TimeZone, utcZone } from '../../records/index.ts';
import { filterOf, PageRefusal, type ReportDownload } from '../../server/index.ts';
import { requestedOf } from '../output/overview.ts';
import { reportPage } from '../report/report-page.ts';
import { reportWorkbook } from '../report/workbook.ts';
import { formatTime } from '../terminal/time-format.ts';

/** Logs that a report of the page lists, as "logquarry report" does. */
const listed = 2000;

/** Writes the report of a selection as "logquarry report" writes it to a file. */
export const downloadReport: ReportDownload = async (
  { ofCase, format, zone: name, ...selected },
  context,
) => {
  const { opened, rules, signal } = context;
  const source = opened.logs[ofCase];
  if (!source) throw new PageRefusal(`There is no case ${ofCase}`, 404);
  const filter = await filterOf(selected, opened);
  const of = await caseWith(source, filter, { contents: 'whole' });
  const requested = await requestedOf([source]);
  const zone = parseTimeZone(name) ?? utcZone;
  const face = {
    name: opened.names[ofCase] ?? 'case',
    isCluster: !isCase(source),
    zone,
    selection: selectionText(selected, zone),
  };
  const report = await assembleReport(of, {
    filter,
    requested,
    rules: rules.rules,
    sample: listed,
    signal,
    zone,
  });
  return format === 'xlsx'
    ? {
        name: 'report.xlsx',
        type: workbookType,
        pieces: once(await reportWorkbook(report, face)),
      }
    : { name: 'report.html', type: 'text/html; charset=utf-8', pieces: once(reportPage(report, face)) };
};

/** The selection of a page in one line; undefined for all logs. */
function selectionText(
  { query, from, to }: Pick<Parameters<ReportDownload>[0], 'query' | 'from' | 'to'>,
  zone: TimeZone,
): string | undefined {
  const texts = [
    ...(query.trim() === '' ? [] : [`the query ${query}`]),
    ...(from === undefined ? [] : [`times from ${formatTime(from, zone)}`]),
    ...(to === undefined ? [] : [`times to ${formatTime(to, zone)}`]),
  ];
  return texts.length === 0 ? undefined : texts.join(', ');
}

/** Media type of workbooks. */
export const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

async function* once<T>(piece: T): AsyncGenerator<T, void, undefined> {
  yield piece;
}
