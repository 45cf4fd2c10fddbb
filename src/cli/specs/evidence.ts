import { requiredArgument } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import { switchOption, textOption } from '../command-line/option.ts';
import { engineOption } from './query-options.ts';

/** Options of commands that create seals. */
export const sealingOptions = {
  key: textOption('FILE', 'Ed25519 private key in PEM to sign with, which only its owner may read'),
  timeStamp: textOption('URL', 'Time stamp authority (RFC 3161) that is to confirm the time'),
  ca: textOption(
    'FILE',
    'Certificates in PEM of authorities to trust besides the known ones, for its address',
  ),
  proxy: textOption(
    'URL',
    'Reach it through this proxy; "none" for no proxy; unless given, as HTTPS_PROXY, HTTP_PROXY and NO_PROXY say',
  ),
} as const;

/** Arguments and options of `logquarry seal`. */
export const sealSpec = {
  name: 'seal',
  summary: 'Write a small file that later proves that a case is unaltered',
  details: [
    'Checks the case as "verify" does. Then it writes the last hash of the chain of actions, the counts, the time and the version of the program. The file is signed with "--key", and stamped with "--time-stamp". Keep it apart from the case; "verify CASE --seal FILE" compares the two.',
    'A case with deviations is not sealed, and the exit code is 1. A file that exists is not replaced: an earlier seal proves what no later one can. "openssl genpkey -algorithm ed25519 -out seal.key" makes a key, "openssl pkey -in seal.key -pubout -out seal.pub" its public half.',
  ],
  arguments: { case: requiredArgument('The case file, for instance incident.duckdb') },
  options: {
    out: textOption('FILE', 'Where to write the seal; unless given, <case>.seal.json'),
    ...sealingOptions,
    json: switchOption('Print the statement as JSON'),
  },
  examples: [
    {
      run: 'logquarry seal incident.duckdb',
      about: 'the last hash and the counts in a file to keep elsewhere',
    },
    {
      run: 'logquarry seal incident.duckdb --key seal.key --time-stamp https://tsa.example.com',
      about: 'signed, and with a time that someone else confirms',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry hand-over`. */
export const handOverSpec = {
  name: 'hand-over',
  summary: 'Write all logs that a query selects, with a manifest, to hand them on',
  details: [
    'Makes a folder with all hits as CSV, NDJSON and Parquet, oldest first, and "manifest.json": the query and what the server makes of it, the counts, the coverage of the case with its gaps, the SHA-256 of each file and of the originals, the last hash of the case, the version of the program and the zone of the times. The folder appears whole or not at all.',
    '"verify FOLDER" checks the files against the manifest, "verify FOLDER --case CASE" the logs against the case as well. With "--key" or "--time-stamp" the manifest is sealed in "seal.json".',
  ],
  arguments: {
    query: requiredArgument('The query'),
    case: requiredArgument('The case file, for instance incident.duckdb'),
  },
  options: {
    out: textOption('FOLDER', 'The folder to make; required'),
    engine: engineOption,
    ...sealingOptions,
    json: switchOption('Print the manifest'),
  },
  examples: [
    {
      run: `logquarry hand-over 'logLevel:SEVERE AND msg:"timed out"' incident.duckdb --out for-the-vendor`,
      about: 'a folder that proves what is in it',
    },
  ],
} as const satisfies CommandSpec;
