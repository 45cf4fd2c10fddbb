import { requiredArgument } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import { switchOption } from '../command-line/option.ts';
import { connectionOptions } from './connection.ts';

/** Arguments and options of `logquarry profile list`. */
export const profileListSpec = {
  name: 'profile list',
  summary: 'List the profiles of this user',
  details: ['No secret is shown, and no key ring asked.'],
  arguments: {},
  options: { json: switchOption('Print the profiles as JSON') },
  examples: [{ run: 'logquarry profile list', about: 'which deployments are known, and until when' }],
} as const satisfies CommandSpec;

const { url, user, passwordFile, tokenFile, referer, ca, cert, key, proxy } = connectionOptions;

/** Option of commands that save a secret in a named profile. */
export const keyRingOption = switchOption(
  'Keep the secret in the file of the profile, which only its owner may read, also where there is a key ring',
);

/** Arguments and options of `logquarry profile add`. */
export const profileAddSpec = {
  name: 'profile add',
  summary: 'Keep the way to a deployment under a name',
  details: [
    'Every other command takes it as "--profile NAME". The secret goes to the key ring of the system where there is one ("secret-tool" on Linux, "security" on macOS), else to a file that only its owner may read. It is shown to no other address than that of the profile.',
    'A token is better got by "logquarry sign-in --save NAME", which keeps when it ends.',
  ],
  arguments: { name: requiredArgument('The name of the new profile') },
  options: {
    url,
    user,
    passwordFile,
    tokenFile,
    referer,
    ca,
    cert,
    key,
    proxy,
    askPassword: switchOption('Ask for the password'),
    noKeyRing: keyRingOption,
  },
  excludes: {
    passwordFile: ['tokenFile', 'askPassword'],
    tokenFile: ['askPassword'],
    user: ['tokenFile'],
  },
  requires: { passwordFile: 'user', askPassword: 'user', key: 'cert' },
  examples: [
    {
      run: 'logquarry profile add prod --url https://gis.example.com/arcgis --user admin --password-file pw',
      about: 'a user and a password',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry profile use`. */
export const profileUseSpec = {
  name: 'profile use',
  summary: 'Make a profile the default one',
  details: ['It counts where neither an option nor the environment says otherwise.'],
  arguments: { name: requiredArgument('The name of the profile') },
  options: {},
  examples: [{ run: 'logquarry profile use prod', about: 'leave "--profile prod" out from now on' }],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry profile remove`. */
export const profileRemoveSpec = {
  name: 'profile remove',
  summary: 'Remove a profile and its secret',
  details: ['A token goes on at the deployment until its time is over or "logquarry sign-out" ends it.'],
  arguments: { name: requiredArgument('The name of the profile') },
  options: {},
  examples: [{ run: 'logquarry profile remove prod', about: 'its file, and its secret in the key ring' }],
} as const satisfies CommandSpec;
