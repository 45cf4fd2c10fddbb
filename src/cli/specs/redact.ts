import { requiredArgument } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import { switchOption, textOption } from '../command-line/option.ts';

/** Arguments and options of `logquarry redact`. */
export const redactSpec = {
  name: 'redact',
  summary: 'Copy a case with pseudonyms in place of users, addresses and hosts',
  details: [
    'Users, hosts, mail addresses and network addresses are replaced in all fields, in messages, stack traces and notes too: the same value by the same pseudonym. The pseudonyms are HMAC-SHA-256 of the values under a key. Who has the key can test a guess, so it stays with the original case.',
    'Originals, unreadable records and jobs are not copied. The chain of hashes of the copy says that it is redacted, and names the last hash of the original.',
    'Other names stay: those of services, folders, layers and databases, and names of people in messages that are no users of any log. Read the copy before it leaves the house.',
  ],
  arguments: {
    case: requiredArgument('Case file, for instance incident.duckdb, or the address of a cluster'),
  },
  options: {
    out: textOption('NEW', 'Case file to create; required'),
    key: textOption(
      'FILE',
      'Key file, created if missing, so that later copies have the same pseudonyms (default: a key that is not kept)',
    ),
    json: switchOption('Print the result as JSON'),
  },
  examples: [
    {
      run: 'logquarry redact incident.duckdb --out for-the-vendor.duckdb --key redact.key',
      about: 'a copy for others; the key stays here',
    },
  ],
} as const satisfies CommandSpec;
