import { requiredArgument } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import { switchOption, textOption } from '../command-line/option.ts';

const address = requiredArgument(
  'Address such as clickhouse://ann@host:8443/logs; "?deployment=NAME", "&profile=NAME" and "&secure=false" may follow',
);

const passwordFile = textOption(
  'FILE',
  'File with the password, which only its owner may read; or LOGQUARRY_CLUSTER_PASSWORD_FILE, or the password itself in LOGQUARRY_CLUSTER_PASSWORD',
);

const connectionDetails =
  'The connection is encrypted unless the host is this machine or the address has "secure=false". The user is that of the address, of the profile that it names, LOGQUARRY_CLUSTER_USER or "default"; the password that of --password-file, the profile or the environment.';

/** Arguments and options of `logquarry cluster init`. */
export const clusterInitSpec = {
  name: 'cluster init',
  summary: 'Create the tables for logs in ClickHouse',
  details: [
    'Creates the database, its tables and views, as far as they are missing, and migrates those of older versions. Repeated calls change nothing but the time of --keep.',
    'With --cluster the tables are on all shards of that cluster, with Distributed tables over them; servers without ClickHouse Keeper each need a call. --replicated needs ClickHouse Keeper and the macros "shard" and "replica". --print shows the statements, with those of a role for readers and one for writers, and sends nothing.',
    connectionDetails,
  ],
  arguments: { address },
  options: {
    cluster: textOption('NAME', 'Cluster in the configuration of the servers'),
    replicated: switchOption('Replicate the tables'),
    keep: textOption(
      'DAYS',
      'Days after which logs are deleted by their time, such as 400d (default: never)',
    ),
    print: switchOption('Print the statements and send nothing'),
    passwordFile,
  },
  examples: [
    {
      run: 'logquarry cluster init clickhouse://logs.example.com/gis --keep 400d',
      about: 'one server, logs of 400 days',
    },
    {
      run: 'logquarry cluster init clickhouse://logs.example.com/gis --cluster logs --replicated --print',
      about: 'statements for an administrator',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry cluster push`. */
export const clusterPushSpec = {
  name: 'cluster push',
  summary: 'Copy the logs of a case into ClickHouse',
  details: [
    'Each part arrives whole or not at all, and exactly once: what is there already is not sent again, also after a crash or beside another writer. Repeat an interrupted call to go on.',
    'The facts of each part go with it: its file, entry and SHA-256. The originals stay where they are; --originals names that place. The times that exports of the case requested go with them, for "coverage" and the like.',
    connectionDetails,
  ],
  arguments: { case: requiredArgument('Case file, for instance incident.duckdb'), address },
  options: {
    deployment: textOption('NAME', 'Deployment of the logs (default: that of the address, or "default")'),
    originals: textOption('PLACE', 'Where the originals are (default: the evidence folder of the case)'),
    passwordFile,
    json: switchOption('Print what was added as JSON'),
  },
  examples: [
    {
      run: 'logquarry cluster push incident.duckdb "clickhouse://logs.example.com/gis?deployment=prod"',
      about: 'logs of the deployment "prod"',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry cluster status`. */
export const clusterStatusSpec = {
  name: 'cluster status',
  summary: 'Show what ClickHouse holds, and recount it',
  details: [
    'Shows the deployments with their parts, logs, unreadable records, days and size. Recounts the rows of every part: a part that has lost logs is named, and the exit code is 1. Logs deleted by --keep are no loss. Rows of unfinished loads, which never count, are shown too.',
    connectionDetails,
  ],
  arguments: { address },
  options: {
    clean: switchOption('Delete the rows of loads that ended unfinished an hour ago, or were replaced'),
    passwordFile,
    json: switchOption('Print JSON'),
  },
  examples: [
    { run: 'logquarry cluster status clickhouse://logs.example.com/gis', about: 'contents of a database' },
  ],
} as const satisfies CommandSpec;
