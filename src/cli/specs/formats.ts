import { eachOther } from '../command-line/combinations.ts';
import { text, toggle } from '../command-line/option.ts';

/** The options by which the form of counts is chosen; without one it is a table. */
export const countFormatOptions = {
  json: toggle('Print JSON'),
  ndjson: toggle('Print one JSON value a line'),
  csv: toggle(
    'Print CSV with a heading; text that a spreadsheet would take for a formula gets an apostrophe',
  ),
  rawCsv: toggle('Print CSV with every text as it is; unsafe to open in a spreadsheet'),
  markdown: toggle('Print a table in Markdown'),
};

/** The form of counts is one of them. */
export const countFormatExclusions = eachOther(...Object.keys(countFormatOptions));

/** The options by which the form of rows is chosen; without one it is a table. */
export const formatOptions = {
  ...countFormatOptions,
  parquet: text('FILE', 'Write a Parquet file; one that is there is replaced'),
};

/** The form of rows is one of them. */
export const formatExclusions = eachOther(...Object.keys(formatOptions));
