import type { Report } from '../../analysis/index.ts';
import type { TimeZone } from '../../records/index.ts';
import { escapeMarkdown, markdownHead, markdownRow } from '../output/markdown.ts';
import { drawSparkline } from '../output/sparkline.ts';
import { formatSeconds, formatShare } from '../services/service-rows.ts';
import { formatTime } from '../terminal/time-format.ts';
import { headlineLines, madeText, type ReportFace } from './headline-lines.ts';
import type { ReportCell, ReportColumn, ReportTable } from './report-table.ts';
import { reportTables } from './report-tables.ts';

/** Rows of a table in Markdown, which is read as text. */
const mostRows = 50;

/** Formats a report as Markdown. Markup in texts of logs is escaped. */
export function reportMarkdown(report: Report, face: ReportFace): string {
  const { name, zone } = face;
  return [
    `# Report of ${escapeMarkdown(name)}\n`,
    `${madeText(report, zone)}\n`,
    ...headlineLines(report, zone).map((line) => `- ${escapeMarkdown(line)}`),
    '\n## What the data cannot say\n',
    ...report.limitations.map(({ text }) => `- ${escapeMarkdown(text)}`),
    '',
    ...reportTables(report, face).map((table) => tableText(table, zone)),
  ].join('\n');
}

function tableText({ title, about, columns, rows, total }: ReportTable, zone: TimeZone): string {
  const shown = rows.slice(0, mostRows);
  const rest = total - shown.length;
  return [
    `## ${title}\n`,
    ...(about === '' ? [] : [`${escapeMarkdown(about)}\n`]),
    ...(rows.length === 0
      ? ['None.\n']
      : [
          markdownHead(columns.map((each) => each.name)) +
            shown
              .map(({ cells }) =>
                markdownRow(columns.map((each, at) => reportCellText(cells[at], each, zone))),
              )
              .join(''),
        ]),
    ...(0 < rest ? [`${rest} more are not listed.\n`] : []),
  ].join('\n');
}

/** Formats a cell as plain text. */
export function reportCellText(cell: ReportCell, { kind }: ReportColumn, zone: TimeZone): string {
  if (cell === undefined) return '';
  if (typeof cell === 'object') return drawSparkline(cell);
  if (typeof cell === 'string') return cell;
  if (kind === 'time') return formatTime(cell, zone);
  if (kind === 'share') return formatShare(cell);
  return kind === 'seconds' ? formatSeconds(cell) : cell.toLocaleString('en-US');
}
