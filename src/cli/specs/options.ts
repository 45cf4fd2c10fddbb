import { logLevels } from '../../language/index.ts';
import { filterTextsOption, integerListOption, upperCaseChoicesOption } from '../command-line/log-options.ts';
import {
  durationOption,
  type Exclusions,
  inGroup,
  mutuallyExclusive,
  type Requirements,
  switchOption,
  textOption,
  timeOption,
} from '../command-line/option.ts';

/** Options of every command that calls a deployment. */
export const connectionOptions = {
  url: inGroup('connection', textOption('URL', 'Address of the deployment, or LOGQUARRY_URL')),
  user: inGroup('connection', textOption('NAME', 'User to sign in, or LOGQUARRY_USER')),
  passwordFile: inGroup(
    'connection',
    textOption(
      'FILE',
      'File with the password, which only its owner may read; or LOGQUARRY_PASSWORD_FILE, or the password itself in LOGQUARRY_PASSWORD',
    ),
  ),
  tokenFile: inGroup(
    'connection',
    textOption(
      'FILE',
      'File with a token, which only its owner may read; or LOGQUARRY_TOKEN_FILE, or the token itself in LOGQUARRY_TOKEN',
    ),
  ),
  tokenCommand: inGroup(
    'connection',
    textOption(
      'COMMAND',
      'Shell command that prints a token, run again if one is refused; or LOGQUARRY_TOKEN_COMMAND',
    ),
  ),
  referer: inGroup(
    'connection',
    textOption('URL', 'Referer that the token is bound to, or LOGQUARRY_REFERER'),
  ),
  profile: inGroup(
    'connection',
    textOption(
      'PROFILE',
      'Name of a profile, or a JSON file with url, user, password, token, expires, referer, ca, cert, key and proxy, which only its owner may read; or LOGQUARRY_PROFILE',
    ),
  ),
  ca: inGroup(
    'connection',
    textOption('FILE', 'Certificates in PEM of additional trusted authorities, or LOGQUARRY_CA'),
  ),
  cert: inGroup(
    'connection',
    textOption('FILE', 'Client certificate in PEM, if the deployment requires one, or LOGQUARRY_CERT'),
  ),
  key: inGroup(
    'connection',
    textOption(
      'FILE',
      'Private key of the client certificate in PEM, which only its owner may read; or LOGQUARRY_KEY (default: in the file of the certificate)',
    ),
  ),
  keyPasswordFile: inGroup(
    'connection',
    textOption(
      'FILE',
      'File with the passphrase of the key, which only its owner may read; or LOGQUARRY_KEY_PASSWORD_FILE, or the passphrase itself in LOGQUARRY_KEY_PASSWORD',
    ),
  ),
  proxy: inGroup(
    'connection',
    textOption(
      'URL',
      'Proxy for the deployment, or LOGQUARRY_PROXY; "none" for no proxy (default: HTTPS_PROXY, HTTP_PROXY and NO_PROXY)',
    ),
  ),
  insecure: inGroup('connection', switchOption('Do not check the certificate of the deployment')),
} as const;

/**
 * At most one secret is used, a token names its user itself, and an unchecked certificate needs no
 * authority.
 */
export const connectionExclusions: Exclusions = {
  ...mutuallyExclusive('passwordFile', 'tokenFile', 'tokenCommand'),
  user: ['tokenFile', 'tokenCommand'],
  insecure: ['ca'],
};

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

/** Options that select logs beside a query; repeated values are alternatives. */
export const logFilterOptions = {
  from: timeOption('TIME', 'Oldest time, such as 2025-03-12, "2025-03-12 08:00", yesterday or now-2h'),
  to: timeOption('TIME', 'Newest time; a day is included as a whole', { missing: 'end' }),
  last: durationOption('TIME', 'Only this long before now, such as 30m, 2h or 7d'),
  level: upperCaseChoicesOption('LEVEL', 'Only these levels', logLevels),
  user: filterTextsOption('NAME', 'Only logs of this user, compared exactly'),
  code: integerListOption('CODES', 'Only these codes, separated by commas'),
  source: filterTextsOption('SOURCE', 'Only logs of this source, compared exactly, for instance Sharing'),
} as const;

/** A duration before now is a time range of its own. */
export const logFilterExclusions = { last: ['from', 'to'] } as const;

/** One sentence for the help of commands with these options. */
export const logFilterDetails =
  '--from, --to, --last, --level, --user, --code and --source select logs beside the query. Each of them must match; values of a repeated option are alternatives.';

/** Options of commands that watch an upgrade. */
export const watchOptions = {
  into: textOption('CASE', 'Load the messages into a case as they arrive, with the replies as evidence'),
  out: textOption('FILE', 'Write the messages as NDJSON, which "logquarry import" can load into a case'),
  every: durationOption('TIME', 'Interval of status requests (default: 5s)'),
  patience: durationOption(
    'TIME',
    'Give up after this time without a reply, or without a change of an unknown state, such as 30m or 2h (default: 1h)',
  ),
  json: switchOption('Print every event as JSON, one a line'),
} as const;

/** Options that have no effect without `--watch`. */
export const watchRequirements: Requirements = {
  into: 'watch',
  out: 'watch',
  every: 'watch',
  patience: 'watch',
};
