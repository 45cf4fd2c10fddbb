import type { CommandSpec } from '../command-line/command.ts';
import { countOptionWithDefault, switchOption, textOption } from '../command-line/option.ts';
import { connectionExclusions, connectionOptions } from './connection.ts';
import { keyRingOption } from './profile.ts';

/** Arguments and options of `logquarry sign-in`. */
export const signInSpec = {
  name: 'sign-in',
  summary: 'Get a token and keep it in a profile',
  details: [
    'The profile is a file that only its owner may read, and that every other command takes as "--profile FILE". It holds the address, the user, the token and when it ends, and no password.',
    'With "--save NAME" it is one of the profiles of this user, taken as "--profile NAME", and the token is in the key ring of the system where there is one. A profile of this name says how the deployment is reached, and gets the new token in the place of its secret.',
  ],
  arguments: {},
  options: {
    ...connectionOptions,
    out: textOption('FILE', 'The profile to write; one that exists is replaced'),
    save: textOption('NAME', 'Keep the token in the profile of this name'),
    noKeyRing: keyRingOption,
    minutes: countOptionWithDefault(60, 'N', 'How long the token is to live; the deployment may give less', {
      least: 1,
    }),
    json: switchOption('Print when the token ends as JSON'),
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
  summary: 'End a token',
  details: [
    'Where the deployment does not know how, the token ends when its time is over, and the exit code is 1.',
  ],
  arguments: {},
  options: connectionOptions,
  excludes: connectionExclusions,
  examples: [{ run: 'logquarry sign-out --profile gis.json', about: 'end the token of a profile' }],
} as const satisfies CommandSpec;
