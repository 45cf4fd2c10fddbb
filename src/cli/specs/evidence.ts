import { requiredArgument } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import { switchOption, textOption } from '../command-line/option.ts';
import { zoneOption } from '../command-line/zone-option.ts';
import { logFilterDetails, logFilterExclusions, logFilterOptions } from './log-filters.ts';
import { engineOption } from './query-options.ts';

/** Options of commands that create seals. */
export const sealingOptions = {
  key: textOption('FILE', 'Ed25519 private key in PEM for the signature, which only its owner may read'),
  timeStamp: textOption('URL', 'Time stamp authority (RFC 3161) that confirms the time'),
  ca: textOption(
    'FILE',
    'Certificates in PEM of additional trusted authorities for the address of the time stamp authority',
  ),
  proxy: textOption(
    'URL',
    'Proxy for the time stamp authority; "none" for no proxy (default: HTTPS_PROXY, HTTP_PROXY and NO_PROXY)',
  ),
} as const;

/** Arguments and options of `logquarry seal`. */
export const sealSpec = {
  name: 'seal',
  summary: 'Write a small file that later proves a case unaltered',
  details: [
    'Checks the case as "verify" does. Then it writes the last hash of the chain of actions, the counts, the time and the version of the program. The file is signed with --key and time-stamped with --time-stamp. Keep it apart from the case; "verify CASE --seal FILE" compares the two.',
    'A case with deviations is not sealed, and the exit code is 1. An existing file is not replaced: an earlier seal proves more than a later one. "openssl genpkey -algorithm ed25519 -out seal.key" creates a key, "openssl pkey -in seal.key -pubout -out seal.pub" its public half.',
  ],
  arguments: { case: requiredArgument('Case file, for instance incident.duckdb') },
  options: {
    out: textOption('FILE', 'Path of the seal (default: <case>.seal.json)'),
    ...sealingOptions,
    json: switchOption('Print the statement as JSON'),
  },
  examples: [
    {
      run: 'logquarry seal incident.duckdb',
      about: 'a file to store elsewhere',
    },
    {
      run: 'logquarry seal incident.duckdb --key seal.key --time-stamp https://tsa.example.com',
      about: 'signed, with a confirmed time',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry hand-over`. */
export const handOverSpec = {
  name: 'hand-over',
  summary: 'Write all logs that match a query into a folder with a manifest',
  details: [
    'Creates a folder with all hits as CSV, NDJSON and Parquet, oldest first, and "manifest.json". The manifest holds the query and its reading by the server, the counts, the coverage of the case with its gaps, the SHA-256 of each file and of the originals, the last hash of the case, the version of the program and the zone of the times. The folder appears as a whole or not at all.',
    `${logFilterDetails} The manifest holds them too.`,
    '"verify FOLDER" checks the files against the manifest, "verify FOLDER --case CASE" the logs against the case too. With --key or --time-stamp the manifest is sealed in "seal.json".',
  ],
  arguments: {
    query: requiredArgument('The query'),
    case: requiredArgument('Case file, for instance incident.duckdb, or the address of a cluster'),
  },
  options: {
    out: textOption('FOLDER', 'Folder to create; required'),
    ...logFilterOptions,
    zone: { ...zoneOption, about: 'Zone of --from and --to without one; all files have UTC' },
    engine: engineOption,
    ...sealingOptions,
    json: switchOption('Print the manifest'),
  },
  excludes: logFilterExclusions,
  examples: [
    {
      run: `logquarry hand-over 'logLevel:SEVERE AND msg:"timed out"' incident.duckdb --out for-the-vendor`,
      about: 'a folder that proves its content',
    },
  ],
} as const satisfies CommandSpec;
