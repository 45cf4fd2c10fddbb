import { mutuallyExclusive } from '../command-line/combinations.ts';
import { inGroup, switchOption, textOption } from '../command-line/option.ts';

/** Options for the format of counts; default a table. */
export const countFormatOptions = {
  json: inGroup('format', switchOption('Print JSON')),
  ndjson: inGroup('format', switchOption('Print one JSON value a line')),
  csv: inGroup(
    'format',
    switchOption('Print CSV with a heading; text that looks like a formula gets an apostrophe'),
  ),
  rawCsv: inGroup('format', switchOption('Print CSV with unchanged text; unsafe to open in a spreadsheet')),
  markdown: inGroup('format', switchOption('Print a table in Markdown')),
};

/** At most one format of counts. */
export const countFormatExclusions = mutuallyExclusive(...Object.keys(countFormatOptions));

const outgoingOptions = {
  ecs: switchOption('Print JSON of the Elastic Common Schema, one log a line'),
  otlp: switchOption('Print OTLP/JSON for an OpenTelemetry collector, up to 500 logs a line'),
};

/** Options for the format of rows; default a table. */
export const formatOptions = {
  ...countFormatOptions,
  parquet: inGroup('format', textOption('FILE', 'Write a Parquet file, replacing an existing one')),
};

/** Formats with members of their own, so without columns to choose. */
export const columnExclusions = { columns: ['parquet', ...Object.keys(outgoingOptions)] } as const;

/** At most one format of rows. */
export const formatExclusions = mutuallyExclusive(...Object.keys(formatOptions));

/** Options for the format of logs; default a table. */
export const logFormatOptions = { ...formatOptions, ...outgoingOptions };

/** At most one format of logs. */
export const logFormatExclusions = mutuallyExclusive(...Object.keys(logFormatOptions));

/** Options for the format of listed logs; default a table. */
export const listedLogFormatOptions = { ...countFormatOptions, ...outgoingOptions };

/** At most one format of listed logs. */
export const listedLogFormatExclusions = mutuallyExclusive(...Object.keys(listedLogFormatOptions));
