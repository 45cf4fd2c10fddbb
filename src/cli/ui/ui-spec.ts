import { optionalArguments } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import { countOption, switchOption, textOption } from '../command-line/option.ts';
import { logZoneOption } from '../command-line/zone-option.ts';
import { fieldsOption, timeUnitOption } from '../specs/query-options.ts';

/** The port of the page unless another program has it, so that links and bookmarks stay. */
export const usualPort = 7090;

/** Arguments and options of `logquarry ui`. */
export const uiSpec = {
  name: 'ui',
  summary: 'Look at cases and log files in a browser',
  details: [
    'Serves a page on this machine alone, and prints its address: a query bar with findings and completion, logs over time, a table of any length, patterns, changes, detections, requests, notes, coverage and SQL. Notes and saved searches are written to the case. The address holds a secret of this run; whoever has it can read the logs. Nothing is sent to anyone else. Ctrl-C stops it.',
  ],
  arguments: {
    source: optionalArguments(
      'Case files, exported zips, log files, and addresses of clusters (clickhouse://…); without any, the page offers those of this folder',
    ),
  },
  options: {
    port: countOption(
      'PORT',
      `Port to listen on; 0 takes any free port (default: ${usualPort}, or any free port if another program has it)`,
      { min: 0, max: 65_535 },
    ),
    rules: textOption('FOLDER', 'Folder or file with rules for detections (default: the rules of Logquarry)'),
    author: textOption('NAME', 'Author of notes and saved searches (default: the user of this computer)'),
    fields: {
      ...fieldsOption,
      about: `${fieldsOption.about}: findings, completion and readings of the query bar follow them`,
    },
    noOpen: switchOption('Print the address without opening a browser'),
    json: switchOption('Print the address as JSON'),
    logZone: logZoneOption,
    timeUnit: timeUnitOption,
  },
  examples: [
    { run: 'logquarry ui incident.duckdb', about: 'look at a case' },
    { run: 'logquarry ui', about: 'choose from the files of this folder, or start an export' },
    { run: 'logquarry ui yesterday.zip today.zip --port 7091', about: 'log files, at another port' },
  ],
} as const satisfies CommandSpec;
