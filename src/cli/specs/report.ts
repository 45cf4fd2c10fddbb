import { requiredArgument } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import { choiceOption, countOptionWithDefault, textOption } from '../command-line/option.ts';
import { zoneOption } from '../command-line/zone-option.ts';
import { logFilterOptions } from './log-filters.ts';
import { engineOption } from './query-options.ts';

/** --to is the format here, so that the newest time has another name. */
const { to: until, ...otherFilters } = logFilterOptions;

/** Formats of a report. */
export const reportFormats = ['html', 'xlsx', 'md', 'json', 'timesketch'] as const;

/** Arguments and options of `logquarry report`. */
export const reportSpec = {
  name: 'report',
  summary: 'Write a report of a case: a page, a workbook, Markdown or JSON',
  details: [
    'The report has a summary, logs over time, services, errors, patterns, notes, the coverage, the evidence with its hashes, and what the data cannot say. All selected logs are counted; some are listed, the most severe first.',
    'A page (html) is one file that works without a network, and filters by time, level, service and text. A workbook (xlsx) has a sheet for each table and no formula. timesketch writes all selected logs as lines of JSON for Timesketch, with tags and comments of notes. Times of Timesketch are in UTC.',
    '--from, --until, --last, --level, --user, --code and --source select logs beside the query. Each of them must match; values of a repeated option are alternatives.',
  ],
  arguments: {
    case: requiredArgument('Case file, for instance incident.duckdb, or the address of a cluster'),
  },
  options: {
    to: choiceOption('FORMAT', 'Format (default: by the ending of --out, else html)', reportFormats),
    out: textOption('FILE', 'Write to a file, replacing an existing one (default: standard output)'),
    search: textOption('QUERY', 'Only logs that match a query'),
    ...otherFilters,
    until,
    logs: countOptionWithDefault(2000, 'N', 'Maximum number of listed logs', { least: 0, most: 100_000 }),
    engine: engineOption,
    zone: zoneOption,
  },
  excludes: { last: ['from', 'until'] },
  examples: [
    { run: 'logquarry report incident.duckdb --out incident.html', about: 'a page to send' },
    {
      run: 'logquarry report incident.duckdb --from 2025-03-12T08:00 --until 2025-03-12T12:00 --out incident.xlsx',
      about: 'a workbook of four hours',
    },
    {
      run: 'logquarry report incident.duckdb --to timesketch --out incident.jsonl',
      about: 'all logs for Timesketch',
    },
  ],
} as const satisfies CommandSpec;
