import { logLevels } from '../../protocol/export-request.ts';
import { requiredArgument } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import { filterListOption, filterOption, upperCaseChoiceOption } from '../command-line/filter-option.ts';
import {
  countOption,
  countOptionWithDefault,
  switchOption,
  textOption,
  textOptionWithDefault,
  timeOption,
} from '../command-line/option.ts';
import { connectionExclusions, connectionOptions } from './connection.ts';
import { countFormatExclusions, countFormatOptions } from './formats.ts';

/** Arguments and options of `logquarry logs settings`. */
export const logsSettingsSpec = {
  name: 'logs settings',
  summary: 'Show or change which logs a deployment writes, and how long it keeps them',
  details: [
    'Without "--level" and "--max-age" the settings are shown. With one of them, the change is shown, asked for and sent; the other setting stays as it is. Only what is logged from then on has the new level, so it is to be set before an incident is repeated. A lower "--max-age" makes the deployment delete older logs for good.',
  ],
  arguments: {},
  options: {
    ...connectionOptions,
    level: textOption('LEVEL', 'Write logs at this level and more severe ones: SEVERE to DEBUG'),
    maxAge: countOption('DAYS', 'Keep logs for this many days; for deployments of 11.2 and later', {
      least: 1,
      most: 999,
    }),
    yes: switchOption('Do not ask'),
    dryRun: switchOption('Only show what would change'),
    json: switchOption('Print the settings, or the changes, as JSON'),
  },
  excludes: connectionExclusions,
  examples: [
    { run: 'logquarry logs settings --profile gis.json', about: 'the level and the days' },
    {
      run: 'logquarry logs settings --level VERBOSE --max-age 90 --profile gis.json',
      about: 'log more, and keep it longer, before an incident is repeated',
    },
  ],
} as const satisfies CommandSpec;

const listing = {
  stackTraces: switchOption('Get the stack traces as well'),
  limit: countOptionWithDefault(20, 'N', 'Show at most this many logs', { least: 1, most: 10_000 }),
  count: switchOption('Print only how many there are, as the deployment counts them'),
  ...countFormatOptions,
  zone: textOptionWithDefault('UTC', 'ZONE', 'The zone of times that name none, as +02:00 or Europe/Berlin'),
};

// A count has no format and no limit.
const listingExclusions = {
  ...connectionExclusions,
  ...countFormatExclusions,
  count: ['limit', 'stackTraces', 'csv', 'rawCsv', 'markdown'],
};

/** Arguments and options of `logquarry logs query`. */
export const logsQuerySpec = {
  name: 'logs query',
  summary: 'Look at the newest logs of a deployment, by structured filters',
  details: [
    'The deployment lists them at once, without a job, and nothing is kept: for a quick look. "export" gets all logs as evidence.',
  ],
  arguments: {},
  options: {
    ...connectionOptions,
    logLevel: upperCaseChoiceOption('LEVEL', 'This level and more severe ones; all unless given', logLevels),
    from: timeOption('TIME', 'The oldest time, as 2025-03-12T08:00 (UTC), 2025-03-12T08:00+02:00 or now-2h'),
    to: timeOption('TIME', 'The newest time; now unless given'),
    logCode: filterListOption('CODES', 'Only these codes, separated by commas'),
    users: filterOption('NAME', 'Only the logs of this user'),
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
  summary: 'Look at the logs of a deployment that a query selects',
  details: [
    'The deployment searches at once, without a job, and nothing is kept: for a quick look. "export --search" gets all logs as evidence. A search takes no times beside the query. A query with an error is not sent unless "--force" is given.',
  ],
  arguments: { query: requiredArgument('The query, in the search language of the deployment') },
  options: {
    ...connectionOptions,
    oldest: switchOption('The oldest first instead of the newest'),
    best: switchOption('The most relevant first, as the deployment sees it'),
    force: switchOption('Send the query although it has errors'),
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
