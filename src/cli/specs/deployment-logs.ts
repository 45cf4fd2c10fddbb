import { deploymentLogLevels } from '../../protocol/index.ts';
import { requiredArgument } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import { filterListOption, filterOption, upperCaseChoiceOption } from '../command-line/filter-option.ts';
import { countOption, rowLimitOption, switchOption, textOption, timeOption } from '../command-line/option.ts';
import { logZoneOption, zoneOption } from '../command-line/zone-option.ts';
import { connectionExclusions, connectionOptions } from './connection.ts';
import { listedLogFormatExclusions, listedLogFormatOptions } from './formats.ts';
import { displayOptions } from './query-options.ts';

/** Arguments and options of `logquarry logs settings`. */
export const logsSettingsSpec = {
  name: 'logs settings',
  summary: 'Show or change the log level and the log retention of a deployment',
  details: [
    'Shows the settings without --level and --max-age. With one of them, shows the change, asks and sends it; the other setting stays unchanged. A new level applies to later logs only, so set it before reproducing an incident. A lower --max-age makes the deployment delete older logs permanently.',
  ],
  arguments: {},
  options: {
    ...connectionOptions,
    level: textOption('LEVEL', 'Log at this level and more severe ones: SEVERE to DEBUG'),
    maxAge: countOption('DAYS', 'Retention of logs in days; for deployments of version 11.2 and later', {
      least: 1,
      most: 999,
    }),
    yes: switchOption('Do not ask for confirmation'),
    dryRun: switchOption('Only show what would change'),
    json: switchOption('Print the settings, or the changes, as JSON'),
  },
  excludes: connectionExclusions,
  examples: [
    { run: 'logquarry logs settings --profile gis.json', about: 'show the settings' },
    {
      run: 'logquarry logs settings --level VERBOSE --max-age 90 --profile gis.json',
      about: 'log more and for longer before reproducing an incident',
    },
  ],
} as const satisfies CommandSpec;

const listing = {
  stackTraces: switchOption('Include stack traces'),
  limit: rowLimitOption(20, 'logs', 10_000),
  count: switchOption('Print only the number of logs, as counted by the deployment'),
  ...listedLogFormatOptions,
  zone: zoneOption,
  logZone: logZoneOption,
  ...displayOptions,
};

// A count has no format and no limit.
const listingExclusions = {
  ...connectionExclusions,
  ...listedLogFormatExclusions,
  count: ['limit', 'stackTraces', 'csv', 'rawCsv', 'markdown', 'ecs', 'otlp'],
};

/** Arguments and options of `logquarry logs query`. */
export const logsQuerySpec = {
  name: 'logs query',
  summary: 'Show the newest logs of a deployment, by structured filters',
  details: [
    'For a quick look: the deployment lists them immediately, without a job, and nothing is stored. "export" gets all logs as evidence.',
  ],
  arguments: {},
  options: {
    ...connectionOptions,
    logLevel: upperCaseChoiceOption(
      'LEVEL',
      'This level and more severe ones (default: all)',
      deploymentLogLevels,
    ),
    from: timeOption('TIME', 'Oldest time, such as 2025-03-12, 2025-03-12T08:00+02:00, yesterday or now-2h'),
    to: timeOption('TIME', 'Newest time; a day counts from its beginning (default: now)'),
    logCode: filterListOption('CODES', 'Only these codes, separated by commas'),
    users: filterOption('NAME', 'Only logs of this user'),
    requestIds: filterListOption('IDS', 'Only these requests, separated by commas'),
    serviceTypes: filterOption('TYPE', 'Only this type of service, for instance MapServer'),
    source: filterOption('SOURCE', 'Only this source, for instance Sharing or Folder/Service.MapServer'),
    ...listing,
  },
  excludes: listingExclusions,
  examples: [
    { run: 'logquarry logs query --log-level SEVERE --profile gis.json', about: 'the newest severe logs' },
    {
      run: 'logquarry logs query --from now-10m --source Sharing --limit 100 --profile gis.json',
      about: 'the last ten minutes of the sharing API',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry logs search`. */
export const logsSearchSpec = {
  name: 'logs search',
  summary: 'Show the logs of a deployment that match a query',
  details: [
    'For a quick look: the deployment searches immediately, without a job, and nothing is stored. "export --search" gets all logs as evidence. Times must be part of the query. A query with errors is sent only with --force.',
  ],
  arguments: { query: requiredArgument('Query in the search language of the deployment') },
  options: {
    ...connectionOptions,
    oldest: switchOption('Oldest first (default: newest first)'),
    best: switchOption('Most relevant first, as ranked by the deployment'),
    force: switchOption('Send the query despite errors'),
    ...listing,
  },
  excludes: { ...listingExclusions, best: ['oldest'] },
  examples: [
    {
      run: `logquarry logs search 'msg:"timed out" AND logLevel:SEVERE' --profile gis.json`,
      about: 'the newest ones',
    },
    { run: `logquarry logs search 'logCode:9003' --count --profile gis.json`, about: 'how many' },
  ],
} as const satisfies CommandSpec;
