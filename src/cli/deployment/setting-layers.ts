import type { OptionValues } from '../command-line/option.ts';
import { chosenProfile, defaultProfile, type Profile, type StoredProfile } from '../profiles/profile.ts';
import { keyRingSecret } from '../profiles/stored-secret.ts';
import type { connectionOptions } from '../specs/connection.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { readSecret } from './read-secret.ts';
import { rootOf } from './root-of.ts';

/** The settings that are texts, and may be in an option, the environment or a profile. */
export type Setting = 'url' | 'user' | 'referer' | 'ca' | 'cert' | 'key' | 'proxy';

/** A secret that can be had. */
export interface SecretSource {
  /** A command is no secret, but gives one. */
  readonly kind: 'token' | 'password' | 'command';
  /** When a token ends, milliseconds since the epoch; absent where that is not known. */
  readonly expires?: number;
  readonly read: () => Promise<string>;
}

/** One place where settings are, with all that it has. */
export interface Layer {
  /** In a sentence: `the profile "gis"`. */
  readonly name: string;
  readonly isProfile: boolean;
  readonly settings: Readonly<Partial<Record<Setting, string>>>;
  /** The first one counts. */
  readonly secrets: readonly SecretSource[];
}

type Options = OptionValues<typeof connectionOptions>;

/**
 * The places where settings are, the first that has one counts: the command line,
 * the profile that it names, the environment, the default profile.
 */
export async function settingLayers(
  options: Options,
  environment: Terminal['environment'],
): Promise<readonly Layer[]> {
  const chosen =
    options.profile === undefined ? undefined : await chosenProfile(options.profile, environment);
  // The default one is of no account beside one that was chosen.
  const otherwise = chosen ? undefined : await defaultProfile(environment);
  const variable = (name: string) => environment[name] || undefined;
  return [
    optionLayer(options),
    ...(chosen ? [profileLayer(chosen, environment)] : []),
    environmentLayer(variable),
    ...(otherwise ? [profileLayer(otherwise, environment)] : []),
  ];
}

const settings: readonly Setting[] = ['url', 'user', 'referer', 'ca', 'cert', 'key', 'proxy'];

function settingsBy(read: (setting: Setting) => string | undefined): Layer['settings'] {
  const found = settings.map((setting) => [setting, read(setting)] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

function optionLayer(options: Options): Layer {
  return {
    name: 'the command line',
    isProfile: false,
    settings: settingsBy((setting) => options[setting]),
    secrets: [
      ...fromFile('token', options.tokenFile, '--token-file'),
      ...fromFile('password', options.passwordFile, '--password-file'),
      ...given('command', options.tokenCommand),
    ],
  };
}

function environmentLayer(variable: (name: string) => string | undefined): Layer {
  return {
    name: 'the environment',
    isProfile: false,
    settings: settingsBy((setting) => variable(`LOGQUARRY_${setting.toUpperCase()}`)),
    secrets: [
      ...given('token', variable('LOGQUARRY_TOKEN')),
      ...fromFile('token', variable('LOGQUARRY_TOKEN_FILE'), 'LOGQUARRY_TOKEN_FILE'),
      ...given('command', variable('LOGQUARRY_TOKEN_COMMAND')),
      ...given('password', variable('LOGQUARRY_PASSWORD')),
      ...fromFile('password', variable('LOGQUARRY_PASSWORD_FILE'), 'LOGQUARRY_PASSWORD_FILE'),
    ],
  };
}

function profileLayer(stored: StoredProfile, environment: Terminal['environment']): Layer {
  const { name, profile } = stored;
  const { token, password, keyRing } = profile;
  const inRing = keyRing === undefined ? [] : [{ kind: keyRing, read: () => readRing(stored, environment) }];
  const secrets: readonly SecretSource[] = [
    ...inRing,
    ...given('token', token),
    ...given('password', password),
  ];
  return {
    name: `the profile "${name}"`,
    isProfile: true,
    settings: settingsBy((setting) => profile[setting]),
    secrets: secrets.map((secret) => ({ ...secret, ...(secret.kind === 'token' && expiryOf(profile)) })),
  };
}

function expiryOf({ expires }: Profile): Pick<SecretSource, 'expires'> {
  return expires === undefined ? {} : { expires: Date.parse(expires) };
}

function readRing(stored: StoredProfile, environment: Terminal['environment']): Promise<string> {
  return keyRingSecret(stored, rootOf(stored.profile.url) ?? '', environment);
}

function given(kind: SecretSource['kind'], value: string | undefined): readonly SecretSource[] {
  return value === undefined ? [] : [{ kind, read: async () => value }];
}

function fromFile(
  kind: SecretSource['kind'],
  path: string | undefined,
  name: string,
): readonly SecretSource[] {
  return path === undefined ? [] : [{ kind, read: () => readSecret(path, name) }];
}

/** Tells whether the settings of a layer may be sent to a deployment. A layer without an address belongs to any. */
export function belongsTo({ settings: { url } }: Layer, root: string): boolean {
  return url === undefined || rootOf(url) === root;
}
