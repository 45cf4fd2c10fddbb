import { mutuallyExclusive } from '../command-line/combinations.ts';
import { switchOption, textOption } from '../command-line/option.ts';

/** Options for the format of counts; default a table. */
export const countFormatOptions = {
  json: switchOption('Print JSON'),
  ndjson: switchOption('Print one JSON value a line'),
  csv: switchOption('Print CSV with a heading; text that looks like a formula gets an apostrophe'),
  rawCsv: switchOption('Print CSV with unchanged text; unsafe to open in a spreadsheet'),
  markdown: switchOption('Print a table in Markdown'),
};

/** At most one format of counts. */
export const countFormatExclusions = mutuallyExclusive(...Object.keys(countFormatOptions));

/** Options for the format of rows; default a table. */
export const formatOptions = {
  ...countFormatOptions,
  parquet: textOption('FILE', 'Write a Parquet file, replacing an existing one'),
};

/** Formats without columns to choose. */
export const columnExclusions = { columns: ['json', 'ndjson', 'parquet'] } as const;

/** At most one format of rows. */
export const formatExclusions = mutuallyExclusive(...Object.keys(formatOptions));
