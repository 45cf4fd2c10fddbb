import type { CommandSpec } from '../command-line/command.ts';
import { countOptionWithDefault, switchOption, textOption } from '../command-line/option.ts';
import { connectionExclusions, connectionOptions } from './connection.ts';
import { keyRingOption } from './profile.ts';

/** Arguments and options of `logquarry sign-in`. */
export const signInSpec = {
  name: 'sign-in',
  summary: 'Get a token and save it in a profile',
  details: [
    'The profile is a file that only its owner may read. Every other command accepts it as --profile FILE. It holds the address, the user, the token and its expiry, but no password.',
    'With --save NAME it becomes a named profile, accepted as --profile NAME, and the token goes to the key ring of the system if there is one. An existing profile of this name provides the connection settings, and its secret is replaced.',
  ],
  arguments: {},
  options: {
    ...connectionOptions,
    out: textOption('FILE', 'Profile to write, replacing an existing one'),
    save: textOption('NAME', 'Save the token in the profile of this name'),
    noKeyRing: keyRingOption,
    minutes: countOptionWithDefault(
      60,
      'N',
      'Requested lifetime of the token; the deployment may grant less',
      {
        least: 1,
      },
    ),
    json: switchOption('Print the expiry of the token as JSON'),
  },
  excludes: { ...connectionExclusions, out: ['save'] },
  requires: { noKeyRing: 'save' },
  examples: [
    {
      run: 'logquarry sign-in --url https://gis.example.com/arcgis --user admin --minutes 480 --out gis.json',
      about: 'a token for a working day',
    },
    {
      run: 'logquarry sign-in --url https://gis.example.com/arcgis --user admin --save prod',
      about: 'a token for "--profile prod"',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry sign-out`. */
export const signOutSpec = {
  name: 'sign-out',
  summary: 'Revoke a token',
  details: [
    'If the deployment cannot revoke it, the token stays valid until it expires, and the exit code is 1.',
  ],
  arguments: {},
  options: connectionOptions,
  excludes: connectionExclusions,
  examples: [{ run: 'logquarry sign-out --profile gis.json', about: 'revoke the token of a profile' }],
} as const satisfies CommandSpec;
