import { requiredArgument } from '../command-line/argument.ts';
import type { CommandSpec } from '../command-line/command.ts';
import { switchOption } from '../command-line/option.ts';
import { connectionOptions } from './connection.ts';

/** Arguments and options of `logquarry profile list`. */
export const profileListSpec = {
  name: 'profile list',
  summary: 'List the profiles of this user',
  details: ['Shows no secrets and does not access the key ring.'],
  arguments: {},
  options: { json: switchOption('Print the profiles as JSON') },
  examples: [{ run: 'logquarry profile list', about: 'show all profiles' }],
} as const satisfies CommandSpec;

const { url, user, passwordFile, tokenFile, referer, ca, cert, key, proxy } = connectionOptions;

/** Option of commands that save a secret in a named profile. */
export const keyRingOption = switchOption(
  'Store the secret in the file of the profile, which only its owner may read, even if there is a key ring',
);

/** Arguments and options of `logquarry profile add`. */
export const profileAddSpec = {
  name: 'profile add',
  summary: 'Save the connection settings of a deployment or a cluster under a name',
  details: [
    'Every other command accepts it as --profile NAME. The secret goes to the key ring of the system if there is one ("secret-tool" on Linux, "security" on macOS), else to a file that only its owner may read. It is sent to the address of the profile only.',
    'The address may be that of a cluster. With "?profile=NAME" behind it, the user and the password are those of the profile.',
    'For tokens prefer "logquarry sign-in --save NAME", which also stores the expiry.',
  ],
  arguments: { name: requiredArgument('Name of the new profile') },
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
    {
      run: 'logquarry profile add logs --url clickhouse://logs.example.com/gis --user ann --password-file pw',
      about: 'a cluster; its address then has "?profile=logs" behind it',
    },
  ],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry profile use`. */
export const profileUseSpec = {
  name: 'profile use',
  summary: 'Make a profile the default',
  details: ['It applies unless an option or the environment says otherwise.'],
  arguments: { name: requiredArgument('The name of the profile') },
  options: {},
  examples: [{ run: 'logquarry profile use prod', about: 'no need for "--profile prod" any more' }],
} as const satisfies CommandSpec;

/** Arguments and options of `logquarry profile remove`. */
export const profileRemoveSpec = {
  name: 'profile remove',
  summary: 'Remove a profile and its secret',
  details: ['The token stays valid at the deployment until it expires or "logquarry sign-out" revokes it.'],
  arguments: { name: requiredArgument('The name of the profile') },
  options: {},
  examples: [{ run: 'logquarry profile remove prod', about: 'its file, and its secret in the key ring' }],
} as const satisfies CommandSpec;
